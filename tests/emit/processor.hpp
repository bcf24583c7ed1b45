// What a kernel finds around it where the processor runs it: block by block, the threads of a block
// in turn, each until it meets a barrier or ends. The order of the turns is always the same, so that
// a barrier that is not there is seen in every run, or in none: `GLUSHKOV_TEST_ORDER=backward` has
// the last thread of the last block go first. The driver for tests puts this before kernels that it compiles.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <ucontext.h>
#include <utility>
#include <vector>
#define __device__
#define __global__
#define __managed__
#define __launch_bounds__(...)
#define __restrict__ __restrict
// The shared memory of all kernels is one piece.
#define __shared__ static __attribute__((section("block_memory")))
#define __align__(n) __attribute__((aligned(n)))
extern char __start_block_memory[] __attribute__((weak));
extern char __stop_block_memory[] __attribute__((weak));

struct Place { unsigned x; };
static Place blockIdx, threadIdx;
// Whether a kernel runs.
static bool in_kernel;
static Place gridDim, blockDim;
// There is one device.
static std::mutex device;

// A thread of a block: where it goes on, and what it stands on.
struct Copy {
    ucontext_t at;
    std::unique_ptr<char[]> stack;
    bool ended;
};
static const size_t STACK = 64 << 10;
static ucontext_t block_goes_on;
static std::vector<Copy> copies;
// What a copy does.
static void (*body)(void *);
static void *what;

// The others have their turns. A thread that has ended is waited for by nobody, as on a device.
static inline void __syncthreads() { swapcontext(&copies[threadIdx.x].at, &block_goes_on); }

// Threads of a warp show their values, have their turns, and take one: twice a turn, so that nobody
// shows the next value before all have taken this one.
static unsigned char shown[1024][16];
template <class T> static inline T of_thread(T value, unsigned thread) {
    std::memcpy(shown[threadIdx.x], &value, sizeof value);
    __syncthreads();
    std::memcpy(&value, shown[thread], sizeof value);
    __syncthreads();
    return value;
}
template <class T> static inline T __shfl_sync(unsigned, T value, unsigned lane) {
    return of_thread(value, threadIdx.x / 32 * 32 + lane % 32);
}
template <class T> static inline T __shfl_xor_sync(unsigned, T value, unsigned distance) {
    return of_thread(value, threadIdx.x ^ distance);
}

static void copy_runs() {
    body(what);
    copies[threadIdx.x].ended = true;
    // To where the block goes on, by the link.
}

static bool is_backward() {
    static const char *const order = std::getenv("GLUSHKOV_TEST_ORDER");
    return order != nullptr && std::strcmp(order, "backward") == 0;
}

static void run_block(unsigned count) {
    // Nobody may count on what another block left.
    std::memset(__start_block_memory, 0x5a, __stop_block_memory - __start_block_memory);
    if (copies.size() < count) copies.resize(count);
    for (unsigned t = 0; t < count; ++t) {
        Copy &copy = copies[t];
        if (!copy.stack) copy.stack.reset(new char[STACK]);
        copy.ended = false;
        getcontext(&copy.at);
        copy.at.uc_stack.ss_sp = copy.stack.get();
        copy.at.uc_stack.ss_size = STACK;
        copy.at.uc_link = &block_goes_on;
        makecontext(&copy.at, copy_runs, 0);
    }
    for (bool all_ended = false; !all_ended;) {
        all_ended = true;
        for (unsigned turn = 0; turn < count; ++turn) {
            const unsigned t = is_backward() ? count - 1 - turn : turn;
            if (copies[t].ended) continue;
            threadIdx.x = t;
            swapcontext(&block_goes_on, &copies[t].at);
            all_ended = all_ended && copies[t].ended;
        }
    }
}

// Threads take turns between barriers only.
template <class T, class U> static inline T atomicAdd(T *place, U term) {
    const T old = *place;
    *place = old + T(term);
    return old;
}
template <class T> static inline T atomicCAS(T *place, T wanted, T value) {
    const T old = *place;
    if (old == wanted) *place = value;
    return old;
}
template <class T> static inline T atomicMin(T *place, T value) {
    const T old = *place;
    if (value < old) *place = value;
    return old;
}
template <class T> static inline T atomicMax(T *place, T value) {
    const T old = *place;
    if (old < value) *place = value;
    return old;
}
template <class To, class From> static inline To of_bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
static inline double __longlong_as_double(long long bits) { return of_bits<double>(bits); }
static inline long long __double_as_longlong(double x) { return of_bits<long long>(x); }
static inline float __int_as_float(int bits) { return of_bits<float>(bits); }
static inline int __float_as_int(float x) { return of_bits<int>(x); }
template <class... A, std::size_t... I>
static void call(void (*kernel)(A...), void **arguments, std::index_sequence<I...>) {
    kernel(*static_cast<A *>(arguments[I])...);
}
template <class... A>
static void launch(void (*kernel)(A...), unsigned blocks, unsigned count, void **arguments) {
    const std::lock_guard<std::mutex> lock(device);
    struct Call {
        void (*kernel)(A...);
        void **arguments;
    } one{kernel, arguments};
    body = [](void *given) {
        const Call &one = *static_cast<Call *>(given);
        call(one.kernel, one.arguments, std::index_sequence_for<A...>());
    };
    what = &one;
    gridDim.x = blocks;
    blockDim.x = count;
    in_kernel = true;
    for (unsigned turn = 0; turn < blocks; ++turn) {
        blockIdx.x = is_backward() ? blocks - 1 - turn : turn;
        run_block(count);
    }
    in_kernel = false;
}
