// What the plain programs share: checked calls, times, numbers.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                   \
    do {                                                                              \
        cudaError_t error = (call);                                                   \
        if (error != cudaSuccess) {                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));            \
            exit(2);                                                                  \
        }                                                                             \
    } while (0)

template <class Body> void measure(const char *name, double work, Body body) {
    std::vector<double> seconds;
    for (int run = 0; run < 10; run++) {
        CHECK(cudaDeviceSynchronize());
        auto start = std::chrono::steady_clock::now();
        body();
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (run > 0) seconds.push_back(took.count());
    }
    std::sort(seconds.begin(), seconds.end());
    printf("%-20s%12.6f%12.6f%12.6f%12.3e\n", name, seconds[4], seconds[0], seconds[8], work / seconds[4]);
}

template <class T> T *device(const std::vector<T> &values) {
    T *to;
    CHECK(cudaMalloc(&to, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

// Numbers in [0, 1) that look random.
static unsigned long long state = 12345;
static float number() {
    state = state * 6364136223846793005ull + 1;
    return (state >> 40) / 16777216.0f;
}
static std::vector<float> numbers(size_t count) {
    std::vector<float> values(count);
    for (float &value : values) value = number();
    return values;
}
