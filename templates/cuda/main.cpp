// {{ title }}: reads arrays, runs the function, writes arrays.

#include "{{ name }}.h"

#include "cli.hpp"
#include "npy.hpp"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace {

const char *const HELP = {{ help }};

// An error with the code to exit with.
struct Exit : std::runtime_error {
    int code;
    Exit(int code, const std::string &why) : std::runtime_error(why), code(code) {}
};

void expect(int code) {
    if (code != 0) throw Exit(code, {{ name }}_error());
}

// What the program reports.
struct Results {
    std::vector<cli::Report> rows;
{%- if series %}
    std::vector<unsigned char> series[{{ series | length }}];
    size_t times[{{ series | length }}] = {};
{%- endif %}
};

void add_row(void *user, const char *label, const double *values, size_t count) {
    static_cast<Results *>(user)->rows.push_back({label, std::vector<double>(values, values + count)});
}
{% if series %}
void add_snapshot(void *user, int number, const char *, const void *cells, size_t bytes) {
    auto *results = static_cast<Results *>(user);
    const auto *from = static_cast<const unsigned char *>(cells);
    results->series[number].insert(results->series[number].end(), from, from + bytes);
    ++results->times[number];
}
{% endif %}
{%- if reads_arrays %}
// Reads an array's file. One that is not there is an error.
npy::Array read(const cli::Arguments &arguments, const std::string &name) {
    if (!arguments.input) {
        throw Exit(2, "`" + name + "` is an input: name the folder of " + name + ".npy by --in");
    }
    return npy::read((std::filesystem::path(*arguments.input) / (name + ".npy")).string());
}

std::string in_words(const std::vector<size_t> &shape) {
    std::string words = "[";
    for (const size_t n : shape) words += (words.size() > 1 ? ", " : "") + std::to_string(n);
    return words + "]";
}

void expect_shape(const npy::Array &file, const std::vector<size_t> &wanted) {
    if (file.shape == wanted) return;
    throw Exit(2, file.file + ": its shape is " + in_words(file.shape) + " where " +
                      in_words(wanted) + " is needed");
}
{% endif %}
{%- if infers %}
// A size that files give: they must agree.
struct Size {
    const char *name;
    bool found = false;
    int64_t length = 0;
    std::string file;

    explicit Size(const char *name) : name(name) {}

    // What the file's axis says; nothing where it has no such axis, which is found later.
    void see(const npy::Array &array, size_t axis) {
        if (axis >= array.shape.size()) return;
        const int64_t here = static_cast<int64_t>(array.shape[axis]);
        if (found && here != length) {
            throw Exit(2, file + " says that " + name + " is " + std::to_string(length) + ", but " +
                              array.file + " says " + std::to_string(here));
        }
        found = true;
        length = here;
        file = array.file;
    }
};
{% endif %}
{% if infers %}
bool is_set(const cli::Arguments &arguments, const std::string &name) {
    for (const auto &pair : arguments.set) {
        if (pair.first == name) return true;
    }
    return false;
}
{% endif %}
{%- if makes_arrays %}
size_t elements(const std::vector<size_t> &shape) {
    size_t count = 1;
    for (const size_t n : shape) count *= n;
    return count;
}
{% endif %}
void run(int argc, char **argv) {
    const auto started = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    };
    const cli::Arguments arguments = cli::parse(argc, argv);
    if (arguments.help) {
        std::fputs(HELP, stdout);
        return;
    }
    arguments.check({ {{- parameter_keys -}} });
{{ read }}
    const double read_seconds = elapsed();

    Results results;
{{ call }}
    if (arguments.output) {
        const std::filesystem::path folder(*arguments.output);
        std::error_code failed;
        std::filesystem::create_directories(folder, failed);
        if (failed) throw Exit(2, "cannot make the folder " + folder.string() + ": " + failed.message());
        cli::write_reports((folder / "reports.csv").string(), results.rows);
{{ write }}    }

    std::string rows;
    for (const cli::Report &row : results.rows) {
        std::string values;
        for (const double value : row.values) {
            values += (values.empty() ? "" : ", ") + cli::json_number(value);
        }
        rows += std::string(rows.empty() ? "" : ", ") + "{\"label\": " + cli::json_string(row.label) +
                ", \"values\": [" + values + "]}";
    }
    std::string line = "{\"scheme\": " + cli::json_string({{ title_string }});
    line += ", \"target\": \"cuda\", \"parameters\": {";
{%- for p in json_parameters %}
    line += {{ p }};
{%- endfor %}
    line += "}, \"threads\": 1, \"seconds\": {\"read\": " + cli::json_number(read_seconds);
    line += ", \"body\": " + cli::json_number({{ name }}_seconds());
    line += ", \"total\": " + cli::json_number(elapsed()) + "}, \"reports\": [" + rows + "]}";
    std::puts(line.c_str());
}

}  // namespace

int main(int argc, char **argv) {
    try {
        run(argc, argv);
        return 0;
    } catch (const Exit &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return error.code;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
}
