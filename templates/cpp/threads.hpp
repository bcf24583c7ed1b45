// How many threads loops run on.

#ifndef THREADS_HPP
#define THREADS_HPP

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <omp.h>

namespace threads {

// GLUSHKOV_THREADS, or as many as OpenMP takes: OMP_NUM_THREADS, or one for each core.
inline int count() {
    static const int threads = [] {
        int given = 0;
        if (const char *const text = std::getenv("GLUSHKOV_THREADS")) {
            const char *const end = text + std::strlen(text);
            const auto read = std::from_chars(text, end, given);
            if (read.ec != std::errc() || read.ptr != end) given = 0;
        }
        if (given <= 0) given = omp_get_max_threads();
        return given < 1024 ? given : 1024;
    }();
    return threads;
}

}  // namespace threads

#endif
