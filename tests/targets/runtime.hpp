// As much of the CUDA runtime as emitted programs call, for programs that the processor runs: memory
// of the device is memory of the host, and a launch runs when somebody waits for it, no sooner. It
// stands after `processor.hpp`.

#include <chrono>
#include <cstdlib>
#include <functional>
#include <tuple>

#define __host__

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };

static cudaError_t last_cuda_error = cudaSuccess;

static inline cudaError_t cudaGetLastError() { return std::exchange(last_cuda_error, cudaSuccess); }
static inline const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        default: return "out of memory";
    }
}
static inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = std::getenv("GLUSHKOV_TEST_NO_DEVICE") == nullptr ? 1 : 0;
    return cudaSuccess;
}
// What was launched and has not run yet.
static std::vector<std::function<void()>> launched;
static inline cudaError_t cudaDeviceSynchronize() {
    for (const auto &one : std::exchange(launched, {})) one();
    return cudaSuccess;
}
// An event notes the time when the device comes to it.
using cudaEvent_t = std::chrono::steady_clock::time_point *;
static inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = new std::chrono::steady_clock::time_point();
    return cudaSuccess;
}
static inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event) {
    launched.push_back([event] { *event = std::chrono::steady_clock::now(); });
    return cudaSuccess;
}
static inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    *milliseconds = std::chrono::duration<float, std::milli>(*to - *from).count();
    return cudaSuccess;
}
static inline cudaError_t cudaMalloc(void **place, size_t bytes) {
    // There is other memory behind an array, as on a device: who reads beyond it is not stopped.
    const size_t all = bytes + (size_t(16) << 10);
    *place = bytes > size_t(1) << 40 ? nullptr : std::malloc(all);
    if (*place == nullptr) return last_cuda_error = cudaErrorMemoryAllocation;
    // Nobody may count on what is there.
    std::memset(*place, 0x5a, all);
    return cudaSuccess;
}
static inline cudaError_t cudaFree(void *place) {
    cudaDeviceSynchronize();
    std::free(place);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    cudaDeviceSynchronize();
    if (bytes > 0) std::memcpy(to, from, bytes);
    return cudaSuccess;
}
template <class T> static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes) {
    cudaDeviceSynchronize();
    std::memcpy(to, &symbol, bytes);
    return cudaSuccess;
}
template <class T> static inline cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes) {
    cudaDeviceSynchronize();
    std::memcpy(&symbol, from, bytes);
    return cudaSuccess;
}
template <class Kernel> static inline cudaError_t cudaFuncSetAttribute(Kernel *, cudaFuncAttribute, int bytes) {
    return bytes > 232448 ? last_cuda_error = cudaErrorInvalidValue : cudaSuccess;
}

// `kernel<<<blocks, threads, bytes>>>(arguments)` stands as `on_processor(kernel, blocks, threads,
// bytes)(arguments)`.
template <class... A> struct Launch {
    void (*kernel)(A...);
    unsigned blocks, threads;

    void operator()(A... arguments) const {
        // As a device has it, a launch without copies is an error.
        if (blocks == 0 || threads == 0 || threads > 1024) {
            last_cuda_error = cudaErrorInvalidValue;
            return;
        }
        launched.push_back([=, *this]() mutable {
            void *places[] = {const_cast<void *>(static_cast<const void *>(&arguments))..., nullptr};
            launch(kernel, blocks, threads, places);
        });
    }
};
template <class... A>
static Launch<A...> on_processor(void (*kernel)(A...), unsigned blocks, unsigned threads, size_t = 0) {
    return {kernel, blocks, threads};
}
