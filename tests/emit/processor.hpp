// What a kernel finds around it where the processor runs it: block by block, each thread of a block a
// thread of the system. The driver for tests puts it before kernels that it compiles.

#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
#define __device__
#define __global__
#define __restrict__ __restrict
#define __shared__ static
#define __align__(n) alignas(n)
struct Place { unsigned x; };
static thread_local Place blockIdx, threadIdx;
// Whether this thread runs a kernel.
static thread_local bool in_kernel;
static Place gridDim, blockDim;
static std::barrier<> *meeting;
static std::mutex one_at_a_time;
static inline void __syncthreads() { meeting->arrive_and_wait(); }
template <class T, class U> static inline T atomicAdd(T *place, U term) {
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    const T old = *place;
    *place = old + T(term);
    return old;
}
template <class T> static inline T atomicCAS(T *place, T wanted, T value) {
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    const T old = *place;
    if (old == wanted) *place = value;
    return old;
}
static inline double __longlong_as_double(long long bits) {
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
template <class... A, std::size_t... I>
static void call(void (*kernel)(A...), void **arguments, std::index_sequence<I...>) {
    kernel(*static_cast<A *>(arguments[I])...);
}
template <class... A>
static void launch(void (*kernel)(A...), unsigned blocks, unsigned count, void **arguments) {
    gridDim.x = blocks;
    blockDim.x = count;
    std::barrier<> threads_meet(count);
    meeting = &threads_meet;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < count; ++t) {
        threads.emplace_back([=] {
            in_kernel = true;
            threadIdx.x = t;
            for (unsigned b = 0; b < blocks; ++b) {
                blockIdx.x = b;
                call(kernel, arguments, std::index_sequence_for<A...>());
                // The next block takes the place of this one when all its threads have ended.
                meeting->arrive_and_wait();
            }
        });
    }
    for (std::thread &thread : threads) thread.join();
}
