// How many threads loops run on.

#ifndef THREADS_HPP
#define THREADS_HPP

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include <omp.h>

namespace threads {

// GLUSHKOV_THREADS, or as many as OpenMP takes: OMP_NUM_THREADS, or one for each core. An error where the
// variable says no number of threads.
inline int count() {
    static const int threads = [] {
        const char *const text = std::getenv("GLUSHKOV_THREADS");
        int given = omp_get_max_threads();
        if (text != nullptr && *text != '\0') {
            const char *const end = text + std::strlen(text);
            const auto read = std::from_chars(text, end, given);
            if (read.ec != std::errc() || read.ptr != end || given < 1) {
                throw std::runtime_error(
                    std::string("GLUSHKOV_THREADS is a number of threads, and not `") + text + "`");
            }
        }
        return given < 1024 ? given : 1024;
    }();
    return threads;
}

}  // namespace threads

#endif
