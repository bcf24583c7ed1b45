// What a call costs whose host touches no array.

#define EXPECT(condition)                                                                     \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            std::printf("line %d: %s (%s)\n", __LINE__, #condition, scaled_array_error());          \
            return 1;                                                                         \
        }                                                                                     \
    } while (0)

int main() {
    const int32_t n = 1000;
    const float a = 2;
    const std::vector<float> ones(n, 1.0f);
    float *x = nullptr, *y = nullptr;
    (void)cudaMalloc(reinterpret_cast<void **>(&x), n * sizeof(float));
    (void)cudaMalloc(reinterpret_cast<void **>(&y), n * sizeof(float));
    std::memcpy(x, ones.data(), n * sizeof(float));
    std::memcpy(y, ones.data(), n * sizeof(float));
    const void *const arguments[] = {&n, &a, x, y};
    const unsigned char places[] = {0, 0, 1, 1};
    uint64_t to = 0, from = 0;
    for (int k = 0; k < 5; ++k) {
        const auto before = counts;
        EXPECT(scaled_array_on(arguments, places, nullptr, nullptr) == 0);
        EXPECT(counts.launched == before.launched + 1 && counts.allocated == before.allocated);
        EXPECT(counts.asked == before.asked + 2);
        // Before the timed part and after it; and once a thread, when the device is started.
        EXPECT(counts.synchronized == before.synchronized + 2 + (k == 0));
        scaled_array_copied(&to, &from);
        EXPECT(to == 0 && from == 0 && y[999] == 1.0f + 2 * (k + 1));
    }
    // A state copies when it is set and when it is read.
    scaled_array_state *state = scaled_array_create();
    EXPECT(scaled_array_set(state, "x", ones.data()) == 0 && scaled_array_set(state, "y", ones.data()) == 0);
    for (int k = 0; k < 5; ++k) {
        const auto before = counts;
        EXPECT(scaled_array_run(state, nullptr) == 0);
        scaled_array_copied(&to, &from);
        EXPECT(to == 0 && from == 0 && counts.allocated == before.allocated);
    }
    std::vector<float> out(n);
    EXPECT(scaled_array_get(state, "y", out.data()) == 0 && out[0] == 11.0f && out[999] == 11.0f);
    scaled_array_destroy(state);
    // By the host as before.
    const void *const here[] = {&n, &a, ones.data(), out.data()};
    EXPECT(scaled_array_with(here, nullptr) == 0 && out[5] == 13.0f);
    scaled_array_copied(&to, &from);
    EXPECT(to == 2 * n * sizeof(float) && from == n * sizeof(float));
    std::puts("well");
    return 0;
}
