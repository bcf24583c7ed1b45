// The command line of a program, and what it writes besides arrays, by means of the C++17 standard
// library alone.
//
// Errors are exceptions of type cli::Error (and files::Error for files).

#ifndef CLI_HPP
#define CLI_HPP

#include "files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace cli {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One row of a program's reports.
struct Report {
    std::string label;
    std::vector<double> values;
};

namespace detail {

inline std::string trimmed(const std::string &text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Whether the whole text is a number: decimal, and finite.
inline bool parse(const std::string &text, double &value) {
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return false;
    char *end = nullptr;
    value = std::strtod(text.c_str(), &end);
    return end == text.c_str() + text.size() && std::isfinite(value);
}

// The same, read in 64 bits, then rounded.
inline bool parse(const std::string &text, float &value) {
    double wide = 0;
    if (!parse(text, wide) || std::fabs(wide) > 2.0 * std::numeric_limits<float>::max()) return false;
    value = static_cast<float>(wide);
    return std::isfinite(value);
}

template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
bool parse(const std::string &text, T &value) {
    const char *first = text.data(), *last = first + text.size();
    if (first != last && *first == '+') {
        ++first;
        if (first != last && *first == '-') return false;
    }
    const auto read = std::from_chars(first, last, value);
    return first != last && read.ec == std::errc() && read.ptr == last;
}

// The shortest of a few texts that reads back as the same number.
inline std::string shortest(double value) {
    char text[32];
    for (int digits = 15; digits <= 17; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        if (std::strtod(text, nullptr) == value) break;
    }
    return text;
}

inline std::string shortest(float value) {
    char text[32];
    for (int digits = 6; digits <= 9; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
        if (std::strtof(text, nullptr) == value) break;
    }
    return text;
}

inline std::string csv_field(const std::string &text) {
    if (!text.empty() && text.find_first_of("\",\r\n") == std::string::npos) return text;
    std::string field = "\"";
    for (const char c : text) {
        field += c;
        if (c == '"') field += c;
    }
    return field + "\"";
}

inline std::string csv_number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    return shortest(value);
}

}  // namespace detail

// What was asked for at the command line.
struct Arguments {
    std::optional<std::string> input;                      // --in DIR: where the input arrays are
    std::optional<std::string> output;                     // --out DIR: where the output arrays go
    std::vector<std::pair<std::string, std::string>> set;  // --set NAME=VALUE, in order
    bool lines = false;                                    // --lines: runs as standard input says
    bool help = false;                                     // --help

    // The number that --set gives a parameter; none where it gives none, and the last of several.
    // `kind` says in the message what was wanted.
    template <class T>
    std::optional<T> number(const std::string &name, const char *kind) const {
        const std::string *value = text(name);
        if (value == nullptr) return std::nullopt;
        T number{};
        if (!detail::parse(*value, number)) {
            throw Error("--set " + name + ": `" + *value + "` is not " + kind);
        }
        return number;
    }

    // The truth value that --set gives a parameter.
    std::optional<bool> truth(const std::string &name) const {
        const std::string *value = text(name);
        if (value == nullptr) return std::nullopt;
        if (*value == "true" || *value == "TRUE" || *value == "1") return true;
        if (*value == "false" || *value == "FALSE" || *value == "0") return false;
        throw Error("--set " + name + ": `" + *value + "` is neither true nor false");
    }

    // An error if --in names no folder.
    void expect_folder() const {
        std::error_code failed;
        if (!input || std::filesystem::is_directory(*input, failed)) return;
        throw Error("--in " + *input + ": there is no folder of that name that can be read");
    }

    // An error if --set names something that is not among the parameters.
    void check(const std::vector<std::string> &parameters) const {
        for (const auto &pair : set) {
            std::string known;
            bool found = false;
            for (const std::string &parameter : parameters) {
                found = found || parameter == pair.first;
                known += (known.empty() ? "" : ", ") + parameter;
            }
            if (found) continue;
            throw Error("--set " + pair.first + ": " +
                        (parameters.empty() ? "there are no parameters"
                                            : "there is no such parameter; there are " + known));
        }
    }

private:
    const std::string *text(const std::string &name) const {
        for (auto pair = set.rbegin(); pair != set.rend(); ++pair) {
            if (pair->first == name) return &pair->second;
        }
        return nullptr;
    }
};

// Reads arguments, the program's own name left out.
inline Arguments parse(const std::vector<std::string> &all) {
    Arguments arguments;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string argument = all[i];
        // Either `--name value` or `--name=value`.
        const std::size_t sign = argument.compare(0, 2, "--") == 0 ? argument.find('=')
                                                                   : std::string::npos;
        const std::string name = argument.substr(0, sign);
        const auto value = [&](const char *what) -> std::string {
            if (sign != std::string::npos) return argument.substr(sign + 1);
            if (i + 1 >= all.size()) throw Error(name + " wants " + what);
            return all[++i];
        };
        if (name == "--in") {
            arguments.input = value("a folder");
        } else if (name == "--out") {
            arguments.output = value("a folder");
        } else if (name == "--set") {
            const std::string pair = value("NAME=VALUE");
            const std::size_t equals = pair.find('=');
            const std::string parameter =
                equals == std::string::npos ? "" : detail::trimmed(pair.substr(0, equals));
            if (parameter.empty()) throw Error("--set wants NAME=VALUE, not `" + pair + "`");
            arguments.set.emplace_back(parameter, detail::trimmed(pair.substr(equals + 1)));
        } else if (name == "--lines") {
            arguments.lines = true;
        } else if (name == "--help" || name == "-h") {
            arguments.help = true;
        } else {
            throw Error("`" + argument + "` is not understood; --help says what is");
        }
    }
    return arguments;
}

// Reads the arguments of main.
inline Arguments parse(int argc, const char *const *argv) {
    return parse(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}

// The arguments in a line: what stands between tabs.
inline std::vector<std::string> between_tabs(const std::string &line) {
    std::vector<std::string> all;
    for (std::size_t start = 0; start <= line.size();) {
        const std::size_t end = std::min(line.find('\t', start), line.size());
        if (end > start) all.push_back(line.substr(start, end - start));
        start = end + 1;
    }
    return all;
}

// Writes rows of a label and numbers as CSV (RFC 4180, lines ending in a line feed).
inline void write_reports(const std::string &file, const std::vector<Report> &reports) {
    files::replace_file(file, [&](std::ostream &stream) {
        for (const Report &report : reports) {
            stream << detail::csv_field(report.label);
            for (const double value : report.values) stream << ',' << detail::csv_number(value);
            stream << '\n';
        }
    });
}

namespace detail {

// Whether a character shows nothing or changes how others are shown: controls, ends of lines and
// paragraphs, directions, and what Unicode calls ignorable by default.
inline bool is_hidden(std::uint32_t c) {
    constexpr std::uint32_t ranges[][2] = {
        {0x0, 0x1f},       {0x7f, 0x9f},      {0xad, 0xad},       {0x34f, 0x34f},
        {0x61c, 0x61c},    {0x115f, 0x1160},  {0x17b4, 0x17b5},   {0x180b, 0x180f},
        {0x200b, 0x200f},  {0x2028, 0x202e},  {0x2060, 0x206f},   {0x3164, 0x3164},
        {0xfe00, 0xfe0f},  {0xfeff, 0xfeff},  {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
        {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    for (const auto &range : ranges) {
        if (range[0] <= c && c <= range[1]) return true;
    }
    return false;
}

// The character of UTF-8 at a place, which moves behind it; U+FFFD for bytes that are none.
inline std::uint32_t next_character(const std::string &text, std::size_t &place) {
    const auto byte = [&](std::size_t at) -> std::uint32_t {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
    };
    const std::uint32_t first = byte(place++);
    if (first < 0x80) return first;
    const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    std::uint32_t c = first & (0x3fu >> more);
    for (std::size_t k = 0; k < more; ++k) {
        if ((byte(place + k) & 0xc0u) != 0x80u) return 0xfffd;
        c = c << 6 | (byte(place + k) & 0x3fu);
    }
    constexpr std::uint32_t least[] = {0x80, 0x800, 0x10000};
    const bool surrogate = 0xd800 <= c && c <= 0xdfff;
    if (first < 0xc2 || first > 0xf4 || c < least[more - 1] || c > 0x10ffff || surrogate) return 0xfffd;
    place += more;
    return c;
}

}  // namespace detail

// A text of lines for a terminal, with every hidden character as `\u{1b}`.
inline std::string shown(const std::string &text) {
    std::string shown;
    for (std::size_t place = 0; place < text.size();) {
        const std::size_t start = place;
        const std::uint32_t c = detail::next_character(text, place);
        if (c == 0xfffd) {
            shown += "\xef\xbf\xbd";
        } else if (detail::is_hidden(c) && c != '\n' && c != '\t') {
            char escape[16];
            std::snprintf(escape, sizeof escape, "\\u{%x}", static_cast<unsigned>(c));
            shown += escape;
        } else {
            shown.append(text, start, place - start);
        }
    }
    return shown;
}

// A text as JSON has it, quotes included.
inline std::string json_string(const std::string &text) {
    std::string json = "\"";
    const auto unit = [&](std::uint32_t u) {
        char escape[16];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(u));
        json += escape;
    };
    for (std::size_t place = 0; place < text.size();) {
        const std::size_t start = place;
        const std::uint32_t c = detail::next_character(text, place);
        if (c == '"' || c == '\\') {
            json += '\\';
            json += static_cast<char>(c);
        } else if (c == '\n') {
            json += "\\n";
        } else if (c == 0xfffd) {
            json += "\xef\xbf\xbd";
        } else if (detail::is_hidden(c) && c > 0xffff) {
            unit(0xd800 + ((c - 0x10000) >> 10));
            unit(0xdc00 + ((c - 0x10000) & 0x3ff));
        } else if (detail::is_hidden(c)) {
            unit(c);
        } else {
            json.append(text, start, place - start);
        }
    }
    return json + "\"";
}

// A number as JSON has it: NaN and the infinities, which it lacks, become null.
template <class Real, std::enable_if_t<std::is_floating_point_v<Real>, int> = 0>
std::string json_number(Real value) {
    return std::isfinite(value) ? detail::shortest(value) : "null";
}

}  // namespace cli

#endif
