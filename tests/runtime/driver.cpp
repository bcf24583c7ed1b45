// Drives the pieces of emitted CUDA programs: as driver.rs.

#include "cli.hpp"
#include "files.hpp"
#include "npy.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>

template <class T>
static void copy(const std::string &from, const std::string &to) {
    const npy::Array array = npy::read(from);
    npy::write<T>(to, array.shape, npy::values<T>(array).data());
}

static void copy(const std::string &kind, const std::string &from, const std::string &to) {
    if (kind == "bool") copy<npy::truth>(from, to);
    else if (kind == "int32") copy<std::int32_t>(from, to);
    else if (kind == "int64") copy<std::int64_t>(from, to);
    else if (kind == "float32") copy<float>(from, to);
    else copy<double>(from, to);
}

static void arguments(const std::string &reports, int argc, char **argv) {
    const cli::Arguments arguments = cli::parse(argc, argv);
    arguments.check({"N", "dt", "flag", "big"});
    const auto folder = [](const std::optional<std::string> &folder) {
        return folder ? cli::json_string(*folder) : std::string("null");
    };
    const auto n = arguments.number<std::int32_t>("N", "an integer");
    const auto big = arguments.number<std::int64_t>("big", "an integer");
    const auto dt = arguments.number<double>("dt", "a number");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    std::printf("{\"in\": %s, \"out\": %s, \"help\": %s, \"N\": %s, \"big\": %s, \"dt\": %s, "
                "\"flag\": %s}\n",
                folder(arguments.input).c_str(), folder(arguments.output).c_str(),
                arguments.help ? "true" : "false", std::to_string(n.value_or(0)).c_str(),
                std::to_string(big.value_or(0)).c_str(), cli::json_number(dt.value_or(nan)).c_str(),
                arguments.truth("flag").value_or(false) ? "true" : "false");
    cli::write_reports(reports, {{"energy", {-0.25, 0.1, 1e-300}},
                                 {"a \"b\", c\n", {nan, inf, -inf}},
                                 {"", {1.0}},
                                 {"none", {}}});
}

static void together(const std::string &folder) {
    files::Together outputs(folder);
    const std::string file = (outputs.path() / "x").string();
    files::replace_file(file, [](std::ostream &stream) { stream << "x"; });
    outputs.appear();
}

int main(int argc, char **argv) {
    try {
        const std::string what = argv[1];
        if (what == "npy") copy(argv[2], argv[3], argv[4]);
        else if (what == "together") together(argv[2]);
        else if (what == "shown")
            std::printf("%s\n%s", cli::shown(argv[2]).c_str(), cli::json_string(argv[2]).c_str());
        else arguments(argv[2], argc - 2, argv + 2);
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
