// What the program needs besides its algorithm: errors, vectors, arithmetic{% if device %}, the device{% endif %}.

#ifndef SUPPORT_CUH
#define SUPPORT_CUH

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace {

// Errors.

// Why there is no result: the code that the function returns, and what happened.
struct Failure : std::runtime_error {
    int code;
    Failure(int code, const std::string &why) : std::runtime_error(why), code(code) {}
};

// Errors of the algorithm, which the device can only number.
enum class Fault : int { none, filter, undefined, subscript, overflow, division };

[[maybe_unused]] const char *in_words(Fault fault) {
    switch (fault) {
        case Fault::filter: return "a FILTER is false, so there is no result";
        case Fault::undefined: return "UNDEFINED is met, so there is no result";
        case Fault::subscript: return "a subscript is out of range";
        case Fault::overflow: return "an integer is out of range";
        case Fault::division: return "an integer is divided by zero, or a loop goes on by steps of 0";
        default: return "there is no error";
    }
}
{% if device %}
// The first fault of a kernel since the host looked.
__device__ int device_fault;
{% endif %}
// Ends the run on the host; on the device it is noted, and the kernel goes on.
[[maybe_unused]] __host__ __device__ inline void fail(Fault fault) {
#ifdef __CUDA_ARCH__
{%- if device %}
    atomicCAS(&device_fault, 0, static_cast<int>(fault));
{%- else %}
    (void)fault;
{%- endif %}
#else
    throw Failure(1, in_words(fault));
#endif
}

// Time.

double &timed_seconds() {
    static thread_local double seconds = 0.0;
    return seconds;
}
{% if device %}
void check(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    // An error that is not sticky would be met again by the next call.
    (void)cudaGetLastError();
    throw Failure(2, std::string(what) + ": " + cudaGetErrorString(status));
}

// Waits for the device, and passes on what went wrong there.
void synchronize() {
    check(cudaDeviceSynchronize(), "a kernel did not end well");
    int fault = 0;
    check(cudaMemcpyFromSymbol(&fault, device_fault, sizeof fault), "cannot read from the device");
    if (fault != 0) throw Failure(1, in_words(static_cast<Fault>(fault)));
}

// Starts the device; an error where there is none.
void start_device() {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0) {
        (void)cudaGetLastError();
        throw Failure(2, std::string("there is no CUDA device that could be used: ") +
                             cudaGetErrorString(status));
    }
    const int none = 0;
    check(cudaMemcpyToSymbol(device_fault, &none, sizeof none), "cannot start the device");
    check(cudaDeviceSynchronize(), "cannot start the device");
}
{% endif %}
// Adds the time until its end to the seconds that are reported.
class Timer {
public:
    Timer() {
{%- if device %}
        check(cudaDeviceSynchronize(), "a kernel did not end well");
{%- endif %}
        begin_ = std::chrono::steady_clock::now();
    }
    Timer(const Timer &) = delete;
    ~Timer() {
{%- if device %}
        // What goes wrong there is noticed by the next call.
        (void)cudaDeviceSynchronize();
{%- endif %}
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin_;
        timed_seconds() += time.count();
    }

private:
    std::chrono::steady_clock::time_point begin_;
};

// Vectors.
{% for v in vectors %}
struct {{ v.name }} {
    real {% for f in v.fields %}{{ f }}{% if not loop.last %}, {% endif %}{% endfor %};
};

__host__ __device__ inline {{ v.name }} operator+(const {{ v.name }} &a, const {{ v.name }} &b) {
    return { {%- for f in v.fields %}a.{{ f }} + b.{{ f }}{% if not loop.last %}, {% endif %}{% endfor -%} };
}
__host__ __device__ inline {{ v.name }} operator-(const {{ v.name }} &a, const {{ v.name }} &b) {
    return { {%- for f in v.fields %}a.{{ f }} - b.{{ f }}{% if not loop.last %}, {% endif %}{% endfor -%} };
}
__host__ __device__ inline {{ v.name }} operator-(const {{ v.name }} &a) {
    return { {%- for f in v.fields %}-a.{{ f }}{% if not loop.last %}, {% endif %}{% endfor -%} };
}
__host__ __device__ inline {{ v.name }} operator*(real a, const {{ v.name }} &b) {
    return { {%- for f in v.fields %}a * b.{{ f }}{% if not loop.last %}, {% endif %}{% endfor -%} };
}
__host__ __device__ inline {{ v.name }} operator*(const {{ v.name }} &a, real b) {
    return { {%- for f in v.fields %}a.{{ f }} * b{% if not loop.last %}, {% endif %}{% endfor -%} };
}
__host__ __device__ inline {{ v.name }} operator/(const {{ v.name }} &a, real b) {
    return { {%- for f in v.fields %}a.{{ f }} / b{% if not loop.last %}, {% endif %}{% endfor -%} };
}
__host__ __device__ inline {{ v.name }} &operator+=({{ v.name }} &a, const {{ v.name }} &b) {
    return a = a + b;
}
__host__ __device__ inline {{ v.name }} &operator-=({{ v.name }} &a, const {{ v.name }} &b) {
    return a = a - b;
}
// The scalar product, summed from the left.
__host__ __device__ inline real dot(const {{ v.name }} &a, const {{ v.name }} &b) {
    return {% for f in v.fields %}a.{{ f }} * b.{{ f }}{% if not loop.last %} + {% endif %}{% endfor %};
}
__host__ __device__ inline real norm2(const {{ v.name }} &a) { return dot(a, a); }
__host__ __device__ inline real norm(const {{ v.name }} &a) { return {{ sqrt }}(norm2(a)); }
{% if v.size == 3 %}
__host__ __device__ inline vec3 cross(const vec3 &a, const vec3 &b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
{% endif %}
{%- endfor %}

// Arithmetic. Integers that leave their range are errors.

template <class T>
__host__ __device__ inline T in_range(bool fits, T value) {
    if (!fits) fail(Fault::overflow);
    return fits ? value : T(0);
}

// The type of an operation on two integers.
template <class A, class B>
using Wider = decltype(A() + B());

// The largest value of a type of 32 or 64 bits.
template <class T>
__host__ __device__ constexpr T largest() {
    return static_cast<T>(~uint64_t(0) >> (sizeof(T) == 4 ? 33 : 1));
}

template <class A, class B>
__host__ __device__ inline Wider<A, B> checked_sum(A x, B y) {
    using T = Wider<A, B>;
    constexpr T most = largest<T>(), least = -most - 1;
    const T a = x, b = y;
    const bool fits = b >= 0 ? a <= most - b : a >= least - b;
    return in_range<T>(fits, fits ? a + b : 0);
}

template <class A, class B>
__host__ __device__ inline Wider<A, B> checked_difference(A x, B y) {
    using T = Wider<A, B>;
    constexpr T most = largest<T>(), least = -most - 1;
    const T a = x, b = y;
    const bool fits = b >= 0 ? a >= least + b : a <= most + b;
    return in_range<T>(fits, fits ? a - b : 0);
}

template <class A, class B>
__host__ __device__ inline Wider<A, B> checked_product(A x, B y) {
    using T = Wider<A, B>;
    constexpr T most = largest<T>(), least = -most - 1;
    const T a = x, b = y;
    bool fits = true;
    if (a > 0) fits = b >= 0 ? b <= most / a : b >= least / a;
    if (a < -1) fits = b >= 0 ? b <= least / a : b >= most / a;
    if (a == -1) fits = b != least;
    return in_range<T>(fits, fits ? a * b : 0);
}

template <class T>
__host__ __device__ inline T checked_negative(T a) {
    return checked_difference(T(0), a);
}

template <class A, class B>
__host__ __device__ inline Wider<A, B> checked_quotient(A x, B y) {
    using T = Wider<A, B>;
    const T a = x, b = y;
    if (b == 0) {
        fail(Fault::division);
        return 0;
    }
    return b == -1 ? checked_negative(a) : a / b;
}

template <class A, class B>
__host__ __device__ inline Wider<A, B> checked_remainder(A x, B y) {
    using T = Wider<A, B>;
    const T a = x, b = y;
    if (b == 0) {
        fail(Fault::division);
        return 0;
    }
    return b == -1 ? T(0) : a % b;
}

__host__ __device__ inline int to_int32(int64_t x) {
    return in_range<int>(x >= INT32_MIN && x <= INT32_MAX, static_cast<int>(x));
}

// A real cut towards zero.
__host__ __device__ inline int to_int32(double x) {
    const double whole = trunc(x);
    const bool fits = whole >= -2147483648.0 && whole < 2147483648.0;
    return in_range<int>(fits, fits ? static_cast<int>(whole) : 0);
}
__host__ __device__ inline int to_int32(float x) { return to_int32(static_cast<double>(x)); }

__host__ __device__ inline int64_t to_int64(double x) {
    const double whole = trunc(x);
    const bool fits = whole >= -9223372036854775808.0 && whole < 9223372036854775808.0;
    return in_range<int64_t>(fits, fits ? static_cast<int64_t>(whole) : 0);
}
__host__ __device__ inline int64_t to_int64(float x) { return to_int64(static_cast<double>(x)); }
{% if uses.within %}
// A subscript, or 0 where it is none.
__host__ __device__ inline int64_t within(int64_t subscript, int64_t size) {
    const bool inside = subscript >= 0 && subscript < size;
    if (!inside) fail(Fault::subscript);
    return inside ? subscript : 0;
}
{% endif %}
{%- if uses.absolute %}
template <class T>
__host__ __device__ inline T absolute(T a) {
    return a < 0 ? checked_negative(a) : a;
}
{% endif %}
{%- if uses.smaller %}
// `a` where the two do not compare.
template <class T>
__host__ __device__ inline T smaller(T a, T b) {
    return b < a ? b : a;
}
{% endif %}
{%- if uses.larger %}
// `a` where the two do not compare.
template <class T>
__host__ __device__ inline T larger(T a, T b) {
    return a < b ? b : a;
}
{% endif %}
{%- if uses.power %}
// The product of `k` factors from the left.
template <class T>
__host__ __device__ inline T power(T x, int k) {
    T all = x;
    for (int i = 1; i < k; ++i) all = all * x;
    return all;
}
{% endif %}
{%- if uses.checked_power %}
// The product of `k` factors from the left.
template <class T>
__host__ __device__ inline T checked_power(T x, int k) {
    T all = x;
    for (int i = 1; i < k; ++i) all = checked_product(all, x);
    return all;
}
{% endif %}
{%- if uses.power_of %}
// An integer to a power that an expression gives.
inline int64_t power_of(int64_t x, int64_t k) {
    if (k < 0 || k > UINT32_MAX) fail(Fault::overflow);
    int64_t all = 1;
    while (k > 0) {
        if (k % 2 == 1) all = checked_product(all, x);
        k /= 2;
        if (k > 0) x = checked_product(x, x);
    }
    return all;
}
{% endif %}
{%- if uses.ceil_div %}
// The quotient rounded up.
template <class T>
__host__ __device__ inline T ceil_div(T a, T b) {
    const T whole = checked_quotient(a, b);
    return checked_remainder(a, b) != 0 && (a < 0) == (b < 0) ? whole + 1 : whole;
}
{% endif %}
{%- if uses.erfc %}
// Coefficients of the Chebyshev expansion of log(erfc(x) / t) + x^2 in 4 t - 2, t = 2 / (2 + x), for
// x >= 0.
#define ERFC_COEFFICIENTS \
    { \
{%- for c in erfc %}
        {{ c }}, \
{%- endfor %}
    }

// The complementary error function, to within a few units in the last place of its value.
__host__ __device__ inline double erfc_of(double x) {
    constexpr int terms = {{ erfc | length }};
    constexpr double c[terms] = ERFC_COEFFICIENTS;
    const double z = fabs(x);
    const double t = 2.0 / (2.0 + z);
    const double y = 4.0 * t - 2.0;
    double d = 0.0, dd = 0.0;
    for (int k = terms - 1; k >= 1; --k) {
        const double next = y * d - dd + c[k];
        dd = d;
        d = next;
    }
    const double tail = t * exp(-z * z + 0.5 * (c[0] + y * d) - dd);
    return x >= 0.0 ? tail : 2.0 - tail;
}
{% endif %}
// Arrays.

// The number of elements of an array with these sizes.
[[maybe_unused]] inline size_t count_of(const char *name, std::initializer_list<int64_t> sizes) {
    int64_t count = 1;
    for (const int64_t size : sizes) {
        if (size < 0) {
            throw Failure(2, std::string("`") + name + "` has a size of " + std::to_string(size));
        }
    }
    for (const int64_t size : sizes) {
        if (size != 0 && count > INT64_MAX / 64 / size) {
            throw Failure(2, std::string("`") + name + "` does not fit in memory");
        }
        count *= size;
    }
    return static_cast<size_t>(count);
}

// An array of zeros.
template <class T>
std::unique_ptr<T[]> make_array(size_t count) {
    return std::unique_ptr<T[]>(new T[count]());
}
{% if device %}
// The device.

// How many copies of a kernel a launch starts; false where there are none.
struct Grid {
    unsigned blocks = 0, threads = 0;

    Grid(int64_t wanted_blocks, int64_t wanted_threads) {
        if (wanted_blocks <= 0 || wanted_threads <= 0) return;
        if (wanted_blocks > INT32_MAX || wanted_threads > 1024) {
            throw Failure(1, std::to_string(wanted_blocks) + " blocks of " +
                                 std::to_string(wanted_threads) +
                                 " threads are more than a device has");
        }
        blocks = static_cast<unsigned>(wanted_blocks);
        threads = static_cast<unsigned>(wanted_threads);
    }

    explicit operator bool() const { return blocks > 0; }
};

[[maybe_unused]] void check_launch(const char *kernel) {
    check(cudaGetLastError(), (std::string("cannot launch ") + kernel).c_str());
}

// The bytes of a shared array, with those that align what follows it.
template <class T>
__host__ __device__ constexpr size_t bytes_of(size_t count) {
    return (count * sizeof(T) + 15) / 16 * 16;
}

// Lets the blocks of a kernel have more shared memory than they have without asking.
template <class Kernel>
void allow_shared(Kernel *kernel, size_t bytes) {
    if (bytes <= 48 << 10) return;
    if (bytes > 1 << 20) throw Failure(1, "shared arrays do not fit into a block's memory");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "shared arrays do not fit into a block's memory");
}

// An array's memory on the device, given back at the end at the latest.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(const char *name) : name_(name) {}
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
    ~DeviceArray() {
        // Nothing can be done about an error here.
        if (cells_ != nullptr) (void)cudaFree(cells_);
    }

    void allocate(size_t count) {
        if (cells_ != nullptr) throw Failure(1, "`" + name_ + "` has memory on the device already");
        // An empty array has a place, too.
        void *place = nullptr;
        check(cudaMalloc(&place, count * sizeof(T) + (count == 0)),
              ("cannot allocate memory for `" + name_ + "` on the device").c_str());
        cells_ = static_cast<T *>(place);
        bytes_ = count * sizeof(T);
    }

    void copy_from(const T *host) {
        check(cudaMemcpy(cells(), host, bytes_, cudaMemcpyHostToDevice),
              ("cannot copy `" + name_ + "` to the device").c_str());
    }

    void copy_to(T *host) {
        synchronize();
        check(cudaMemcpy(host, cells(), bytes_, cudaMemcpyDeviceToHost),
              ("cannot copy `" + name_ + "` from the device").c_str());
    }

    void release() {
        check(cudaFree(cells()), ("cannot free `" + name_ + "` on the device").c_str());
        cells_ = nullptr;
    }

    T *cells() {
        if (cells_ == nullptr) throw Failure(1, "`" + name_ + "` has no memory on the device");
        return cells_;
    }

private:
    std::string name_;
    T *cells_ = nullptr;
    size_t bytes_ = 0;
};
{% endif %}
// The caller.

// Where reports go.
struct Caller {
    glushkov_report_fn report;
{%- if series %}
    glushkov_save_fn save;
{%- endif %}
    void *user;

    void row(const char *label, std::initializer_list<double> values) const {
        if (report != nullptr) report(user, label, values.begin(), values.size());
    }
{%- if series %}

    template <class T>
    void snapshot(int number, const char *label, const T *cells, size_t count) const {
        if (save != nullptr) save(user, number, label, cells, count * sizeof(T));
    }
{%- endif %}
};

std::string &last_error() {
    static thread_local std::string why;
    return why;
}

// Runs a computation; gives 0, or the code of the error that ended it.
template <class Work>
int guarded(Work work) {
    try {
        last_error().clear();
        work();
        return 0;
    } catch (const Failure &failure) {
        last_error() = failure.what();
        return failure.code;
    } catch (const std::bad_alloc &) {
        last_error() = "there is not enough memory";
        return 2;
    } catch (const std::exception &error) {
        last_error() = error.what();
        return 2;
    }
}

}  // namespace

#endif
