// Files that are written whole or not at all, by means of the C++17 standard library alone.
//
// Errors are exceptions of type files::Error, whose what() names the file.

#ifndef FILES_HPP
#define FILES_HPP

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace files {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A name for what is not finished: that of this process, where the system tells it, and what nobody
// can foresee.
inline std::string unfinished() {
    std::error_code failed;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self", failed);
    std::random_device random;
    return ".partial-" + self.string() + "-" + std::to_string(random()) + std::to_string(random());
}

// Files that appear in a folder together, or not at all.
class Together {
public:
    // Makes the folder and, in it, one that nobody else can enter, for files until they appear.
    explicit Together(const std::filesystem::path &folder) : folder_(folder) {
        namespace fs = std::filesystem;
        std::error_code failed;
        fs::create_directories(folder, failed);
        if (!failed) {
            sweep();
            work_ = folder / unfinished();
            const bool made = fs::create_directory(work_, failed);
            if (!made && !failed) failed = std::make_error_code(std::errc::file_exists);
        }
        if (!failed) fs::permissions(work_, fs::perms::owner_all, failed);
        if (failed) {
            throw Error("cannot make the folder " + folder.string() + ": " + failed.message());
        }
    }

    Together(const Together &) = delete;
    Together &operator=(const Together &) = delete;

    ~Together() {
        std::error_code ignored;
        std::filesystem::remove_all(work_, ignored);
    }

    // Where the files are written.
    const std::filesystem::path &path() const { return work_; }

    // Puts the files where they belong; those that stand there are replaced.
    void appear() {
        namespace fs = std::filesystem;
        std::vector<fs::path> names;
        for (const auto &entry : fs::directory_iterator(work_)) {
            names.push_back(entry.path().filename());
        }
        // What can be known beforehand is known before the first is moved.
        for (const fs::path &name : names) {
            if (fs::is_directory(folder_ / name)) {
                throw Error("cannot write " + (folder_ / name).string() + ": it is a folder");
            }
        }
        for (const fs::path &name : names) {
            std::error_code failed;
            fs::rename(work_ / name, folder_ / name, failed);
            if (failed) {
                throw Error("cannot write " + (folder_ / name).string() + ": " + failed.message());
            }
        }
    }

private:
    // Removes what processes left in the folder that have ended, where the system tells which have.
    void sweep() const {
        namespace fs = std::filesystem;
        std::error_code failed;
        if (!fs::exists("/proc/self", failed)) return;
        const std::string prefix = ".partial-";
        std::vector<fs::path> left;
        for (const auto &entry : fs::directory_iterator(folder_, failed)) {
            const std::string name = entry.path().filename().string();
            if (name.compare(0, prefix.size(), prefix) != 0) continue;
            const std::size_t end = name.find('-', prefix.size());
            const std::string process = name.substr(prefix.size(), end - prefix.size());
            const bool number = !process.empty() &&
                                process.find_first_not_of("0123456789") == std::string::npos;
            if (end == std::string::npos || !number) continue;
            if (!has_ended(process)) continue;
            if (entry.is_directory(failed) && !entry.is_symlink(failed)) {
                left.push_back(entry.path());
            }
        }
        for (const fs::path &path : left) fs::remove_all(path, failed);
    }

    // Whether a process is no more, or only waits for its parent to ask how it ended.
    static bool has_ended(const std::string &process) {
        std::error_code failed;
        std::ifstream about("/proc/" + process + "/stat");
        if (!about) return !std::filesystem::exists("/proc/" + process, failed);
        std::string text((std::istreambuf_iterator<char>(about)), std::istreambuf_iterator<char>());
        // The state follows the name, which is in parentheses and may hold others.
        const std::size_t name = text.rfind(") ");
        if (name == std::string::npos || name + 2 >= text.size()) return false;
        return text[name + 2] == 'Z' || text[name + 2] == 'X';
    }

    std::filesystem::path folder_;
    std::filesystem::path work_;
};

// Writes a file through a temporary one beside it, which is renamed when it is complete: what
// stands under the name is never half-written.
inline void replace_file(const std::string &file, const std::function<void(std::ostream &)> &fill) {
    const std::filesystem::path path(file);
    std::filesystem::path partial = path;
    partial.replace_filename(unfinished());
    std::error_code failed;
    {
        std::ofstream stream(partial, std::ios::binary | std::ios::trunc);
        if (stream) fill(stream);
        stream.close();
        if (!stream) failed = std::make_error_code(std::errc::io_error);
    }
    if (!failed) std::filesystem::rename(partial, path, failed);
    if (failed) {
        std::error_code ignored;  // it may not exist
        std::filesystem::remove(partial, ignored);
        throw Error("cannot write " + file + ": " + failed.message());
    }
}

}  // namespace files

#endif
