// Calls of the library of lent.saa, with arrays on the host, on the device, and on both.

#define EXPECT(condition)                                                                     \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            std::printf("line %d: %s (%s)\n", __LINE__, #condition, lent_arrays_error());            \
            return 1;                                                                         \
        }                                                                                     \
    } while (0)

enum { N_, STEPS_, A, B, W, X, Y, H, TOTAL, COUNT };

// Arguments of a call, in memory of the device where they are to be.
struct Call {
    int32_t n = 5, steps = 3;
    std::vector<double> a, b, w = {10, 100}, x;
    std::vector<float> y;
    std::vector<int32_t> h = {-1, -1, -1};
    double total = -1;
    unsigned char places[COUNT] = {};
    const void *arguments[COUNT] = {};
    size_t bytes[COUNT] = {};

    explicit Call(unsigned on_device, int32_t size = 5) : n(size), y(2 * size, -1.0f) {
        for (int i = 0; i < n; ++i) {
            a.push_back(i + 1);
            b.push_back(10 * i);
            x.push_back(0.5 * i);
        }
        arguments[N_] = &n;
        arguments[STEPS_] = &steps;
        place(A, a.data(), n * sizeof(double), on_device);
        place(B, b.data(), n * sizeof(double), on_device);
        place(W, w.data(), 2 * sizeof(double), on_device);
        place(X, x.data(), n * sizeof(double), on_device);
        place(Y, y.data(), 2 * n * sizeof(float), on_device);
        place(H, h.data(), 3 * sizeof(int32_t), on_device);
        arguments[TOTAL] = &total;
    }
    Call(const Call &) = delete;
    ~Call() {
        for (int k = 0; k < COUNT; ++k) {
            if (places[k] != 0 && bytes[k] > 0) (void)cudaFree(at(k));
        }
    }

    void *at(int k) const { return const_cast<void *>(arguments[k]); }

    void place(int k, void *from, size_t count, unsigned on_device) {
        bytes[k] = count;
        arguments[k] = from;
        places[k] = on_device >> k & 1;
        if (places[k] == 0) return;
        void *there = nullptr;
        if (count > 0) (void)cudaMalloc(&there, count);
        if (count > 0) std::memcpy(there, from, count);
        arguments[k] = there;
    }

    int run(void *stream = nullptr, const glushkov_hooks *hooks = nullptr) {
        return lent_arrays_on(arguments, places, stream, hooks);
    }

    // Whether the results are what the algorithm says, and what is only INPUT is as it was.
    bool is_right() const {
        const auto *a_ = static_cast<const double *>(arguments[A]);
        const auto *b_ = static_cast<const double *>(arguments[B]);
        const auto *x_ = static_cast<const double *>(arguments[X]);
        const auto *y_ = static_cast<const float *>(arguments[Y]);
        const auto *h_ = static_cast<const int32_t *>(arguments[H]);
        double sum = 10;
        for (int i = 0; i < n; ++i) sum += 0.5 * i;
        bool right = true;
        for (int i = 0; i < n; ++i) {
            double b_i = 10 * i, x_i = 0.5 * i + (i == 0 ? 100 : 0);
            for (int k = 0; k < steps; ++k) {
                b_i += i + 1;
                x_i += b_i;
            }
            sum += x_i;
            right = right && a_[i] == i + 1 && b_[i] == 10 * i && x_[i] == x_i;
            right = right && (steps == 0 || (y_[2 * i] == b_i && y_[2 * i + 1] == 2 * i));
        }
        return right && total == sum && h_[0] == n && h_[1] == steps && h_[2] == 7;
    }
};

constexpr unsigned ALL = 1u << A | 1u << B | 1u << W | 1u << X | 1u << Y | 1u << H;

static bool copied_are(uint64_t to, uint64_t from) {
    uint64_t to_device = 1, from_device = 1;
    lent_arrays_copied(&to_device, &from_device);
    lent_arrays_copied(nullptr, nullptr);
    return to_device == to && from_device == from;
}

// Every way to give the arrays.
static int places() {
    for (unsigned on_device = 0; on_device <= ALL; on_device += 1u << A) {
        Call call(on_device);
        EXPECT(call.run() == 0 && call.is_right());
        EXPECT(counts.waiting == 0);
    }
    for (unsigned on_device : {0u, ALL}) {
        Call one(on_device, 1), none(on_device, 0);
        EXPECT(one.run() == 0 && one.is_right());
        EXPECT(none.run() == 0 && none.is_right());
        Call still(on_device, 1);
        still.steps = 0;
        EXPECT(still.run() == 0 && still.is_right());
    }
    return 0;
}

// What is copied: of arrays on the device only what the host touches.
static int what_is_copied() {
    Call host(0), device(ALL);
    EXPECT(host.run() == 0 && host.is_right());
    // a, b and x go there; x and y come back.
    EXPECT(copied_are(3 * 5 * 8, 5 * 8 + 5 * 8));
    EXPECT(device.run() == 0 && device.is_right());
    // x and w come to the host before, x after; x goes back, and h.
    EXPECT(copied_are(5 * 8 + 3 * 4, 2 * 5 * 8 + 2 * 8 + 3 * 4));
    EXPECT(lent_arrays_with(host.arguments, nullptr) == 0);
    EXPECT(lent_arrays_on(host.arguments, nullptr, nullptr, nullptr) == 0);
    return 0;
}

// All work goes on the stream that is asked for.
static int streams() {
    cudaStream_t stream = nullptr;
    (void)cudaStreamCreate(&stream);
    Call call(ALL);
    const int before = counts.launched;
    EXPECT(call.run(stream) == 0 && call.is_right());
    // The launches, and copies besides.
    EXPECT(stream->started > counts.launched - before && counts.launched > before);
    const int then = stream->started;
    Call another(ALL);
    EXPECT(another.run(cudaStreamLegacy) == 0 && another.is_right() && stream->started == then);
    (void)cudaStreamDestroy(stream);
    return 0;
}

static bool says(const char *words) { return std::strstr(lent_arrays_error(), words) != nullptr; }

// Errors, after each of which the next call works.
static int errors() {
    {
        Call call(0);
        call.places[A] = 1;
        EXPECT(call.run() == 2 && says("`a` is given on the device, and its address is none there"));
        call.places[A] = 0;
        EXPECT(call.run() == 0 && call.is_right());
    }
    {
        Call call(0);
        call.places[N_] = 1;
        EXPECT(call.run() == 2 && says("`N` is one value, which is given on the host"));
        call.places[N_] = 0;
        call.places[TOTAL] = 1;
        EXPECT(call.run() == 2 && says("`total` is one value"));
        call.places[TOTAL] = 0;
        call.places[X] = 2;
        EXPECT(call.run() == 2 && says("`x` has the place 2"));
        call.places[X] = 0;
    }
    {
        Call call(ALL);
        const void *const x = std::exchange(call.arguments[X], nullptr);
        EXPECT(call.run() == 2 && says("`x` is null"));
        call.arguments[X] = x;
        // Another device, as the runtime has it here.
        void *other = nullptr;
        (void)cudaMalloc(&other, 5 * 8 + 1);
        const void *const a = std::exchange(call.arguments[A], other);
        EXPECT(call.run() == 2 && says("`a` is on device 1, and the current one is 0"));
        (void)cudaFree(other);
        call.arguments[A] = static_cast<const char *>(a) + 4;
        EXPECT(call.run() == 2 && says("`a` begins at an address that is no multiple of 8"));
        call.arguments[A] = x;
        EXPECT(call.run() == 2 && says("`x` is written, and shares memory with `a`"));
        call.arguments[A] = a;
        // There is no memory for c.
        const size_t whole = std::exchange(memory_of_device, 1);
        EXPECT(call.run() == 2 && says("cannot allocate memory for `c` on the device"));
        memory_of_device = whole;
        EXPECT(call.run() == 0 && call.is_right() && lent_arrays_error()[0] == 0);
    }
    {
        Call call(ALL);
        call.steps = 100;
        EXPECT(call.run() == 1 && says("FILTER") && counts.waiting == 0);
        glushkov_hooks hooks = {sizeof hooks, nullptr, nullptr, [](void *) { return 0; }, nullptr};
        EXPECT(call.run(nullptr, &hooks) == 3);
    }
    Call call(ALL);
    EXPECT(call.run() == 0 && call.is_right());
    return 0;
}

// A hook that calls the same program: its places are not those of the call around it.
static int nested() {
    Call outer(ALL);
    Call inner(0);
    glushkov_hooks hooks = {sizeof hooks, nullptr, nullptr,
                            [](void *user) { return int(lent_arrays_with(static_cast<Call *>(user)->arguments, nullptr) == 0); },
                            &inner};
    // Before the run, and at each of its rounds; the inner call changes its x each time.
    EXPECT(outer.run(nullptr, &hooks) == 0 && outer.is_right());
    return 0;
}

// Memory of the device is as much after many calls as after some, also after calls that fail.
static int memory() {
    Call call(ALL & ~(1u << B | 1u << X));
    size_t first = 0;
    for (int k = 0; k < 1000; ++k) {
        call.steps = k % 2 == 0 ? 1 : 100;
        EXPECT(call.run() == k % 2);
        (void)cudaDeviceSynchronize();
        if (k == 10) first = on_device.size();
    }
    EXPECT(on_device.size() == first);
    return 0;
}

// A state, whose arrays stay on the device.
static int states() {
    lent_arrays_state *state = lent_arrays_create();
    Call call(0), device(ALL);
    const char *const names[COUNT] = {"N", "STEPS", "a", "b", "w", "x", "y", "h", "total"};
    double w[2], x[5];
    EXPECT(lent_arrays_get(state, "x", x) == 2);
    for (int k : {N_, STEPS_, A, B, W}) EXPECT(lent_arrays_set(state, names[k], call.arguments[k]) == 0);
    EXPECT(lent_arrays_run(state, nullptr) == 2 && std::strstr(lent_arrays_state_error(state), "`x` is not set"));
    // From the device, too.
    EXPECT(lent_arrays_set(state, "x", device.arguments[X]) == 0);
    EXPECT(lent_arrays_run(state, nullptr) == 0);
    // x comes for the host before and after, and goes back.
    EXPECT(copied_are(5 * 8, 2 * 5 * 8));
    for (int k : {X, Y, H, TOTAL}) EXPECT(lent_arrays_get(state, names[k], call.at(k)) == 0);
    EXPECT(call.is_right());
    EXPECT(lent_arrays_get(state, "x", device.at(X)) == 0 && lent_arrays_get(state, "y", device.at(Y)) == 0);
    EXPECT(std::memcmp(device.at(X), call.at(X), 40) == 0);
    EXPECT(lent_arrays_get(state, "w", w) == 0 && w[1] == 100);
    // The next run goes on from there.
    EXPECT(lent_arrays_run(state, nullptr) == 0 && lent_arrays_get(state, "x", x) == 0 && x[0] == 2 * (100 + 6));
    // Another size, and back.
    const int32_t more = 7;
    EXPECT(lent_arrays_set(state, "N", &more) == 0 && lent_arrays_run(state, nullptr) == 2);
    EXPECT(std::strstr(lent_arrays_state_error(state), "was set with sizes [5]"));
    EXPECT(lent_arrays_set(state, "N", &call.n) == 0 && lent_arrays_run(state, nullptr) == 0);
    // No memory for an array; the state goes on.
    const size_t whole = std::exchange(memory_of_device, 8);
    EXPECT(lent_arrays_set(state, "N", &more) == 0);
    const double seven[7] = {};
    EXPECT(lent_arrays_set(state, "a", seven) == 2);
    memory_of_device = whole;
    EXPECT(lent_arrays_run(state, nullptr) == 2);
    EXPECT(lent_arrays_set(state, "N", &call.n) == 0 && lent_arrays_set(state, "a", call.arguments[A]) == 0);
    EXPECT(lent_arrays_run(state, nullptr) == 0);
    lent_arrays_destroy(state);
    return 0;
}

int main() {
    const int failed = places() || what_is_copied() || streams() || errors() || nested() || memory() || states();
    if (failed == 0) std::puts("well");
    return failed;
}
