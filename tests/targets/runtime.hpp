// As much of the CUDA runtime as emitted programs call, for programs that the processor runs: memory
// of the device is memory of the host, and a launch runs when somebody waits for it, no sooner. It
// stands after `processor.hpp`.

#include <chrono>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <tuple>

#define __host__
#define CUDART_VERSION 13000

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorStreamCaptureUnsupported = 900
};
enum cudaMemcpyKind {
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };

static cudaError_t last_cuda_error = cudaSuccess;

static inline cudaError_t cudaGetLastError() { return std::exchange(last_cuda_error, cudaSuccess); }
static inline const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorStreamCaptureUnsupported: return "operation not permitted when stream is capturing";
        default: return "out of memory";
    }
}
static inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = std::getenv("GLUSHKOV_TEST_NO_DEVICE") == nullptr ? 1 : 0;
    return cudaSuccess;
}
// What was launched and has not run yet.
using Launches = std::vector<std::function<void()>>;
static Launches launched;

// Streams are in order among each other, as those that the default stream waits for. While one is
// recorded, nothing else may be done.
struct OnStream {
    bool recorded = false;
    Launches launches;
    // The body of a loop that is recorded.
    Launches *round = nullptr;
    // How much was started on it.
    int started = 0;
};
using cudaStream_t = OnStream *;
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
using cudaGraph_t = Launches *;
using cudaGraphExec_t = Launches *;
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
static int recording_streams = 0;
// How often something was recorded and replayed, said in the end to who asks for it.
static struct Counts {
    int recorded = 0, replayed = 0, together = 0, allocated = 0, synchronized = 0, asked = 0, launched = 0;
    // Launches that have not run yet.
    int waiting = 0;
    ~Counts() {
        if (std::getenv("GLUSHKOV_TEST_COUNT") == nullptr) return;
        std::fprintf(stderr, "recorded %d, replayed %d, together %d\n", recorded, replayed, together);
    }
} counts;
static inline cudaError_t not_while_recording() {
    return recording_streams == 0 ? cudaSuccess : last_cuda_error = cudaErrorStreamCaptureUnsupported;
}
static inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    *stream = new OnStream;
    return not_while_recording();
}
constexpr unsigned cudaStreamNonBlocking = 1;
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    return cudaStreamCreate(stream);
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    delete stream;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    // The default stream cannot be recorded.
    if (stream == nullptr || stream->recorded) return cudaErrorStreamCaptureUnsupported;
    stream->recorded = true;
    ++recording_streams;
    ++counts.recorded;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    if (stream == nullptr || !stream->recorded) return cudaErrorInvalidValue;
    stream->recorded = false;
    --recording_streams;
    if (Launches *round = std::exchange(stream->round, nullptr)) {
        *round = std::exchange(stream->launches, {});
        *graph = round;
        return cudaSuccess;
    }
    *graph = new Launches(std::exchange(stream->launches, {}));
    return cudaSuccess;
}

// Loops on the device. They and their bodies live to the end of the program.
struct Conditional {
    unsigned first, goes_on;
    Launches round;
};
static std::deque<Conditional> conditionals;
using cudaGraphConditionalHandle = unsigned long long;
constexpr unsigned cudaGraphCondAssignDefault = 1;
enum cudaGraphNodeType { cudaGraphNodeTypeConditional };
enum cudaGraphConditionalNodeType { cudaGraphCondTypeWhile };
struct cudaGraphNodeParams {
    cudaGraphNodeType type;
    struct {
        cudaGraphConditionalHandle handle;
        cudaGraphConditionalNodeType type;
        unsigned size;
        cudaGraph_t *phGraph_out;
    } conditional;
};
using cudaGraphNode_t = Conditional *;
static inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = std::getenv("GLUSHKOV_TEST_OLD_DRIVER") == nullptr ? CUDART_VERSION : 12000;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned) {
    *graph = new Launches;
    return not_while_recording();
}
static inline cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t,
                                                           unsigned first, unsigned flags) {
    if (flags != cudaGraphCondAssignDefault) return cudaErrorInvalidValue;
    conditionals.push_back({first, first, {}});
    *handle = conditionals.size() - 1;
    return cudaSuccess;
}
static inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned goes_on) {
    conditionals[handle].goes_on = goes_on;
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *,
                                           const void *, size_t, cudaGraphNodeParams *parameters) {
    static cudaGraph_t body;
    auto &loop = conditionals[parameters->conditional.handle];
    body = &loop.round;
    parameters->conditional.phGraph_out = &body;
    *node = &loop;
    graph->push_back([&loop] {
        for (loop.goes_on = loop.first; loop.goes_on != 0;) {
            for (const auto &one : loop.round) one();
        }
    });
    return cudaSuccess;
}
static inline cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const void *,
                                                        const void *, size_t, cudaStreamCaptureMode mode) {
    if (const cudaError_t no = cudaStreamBeginCapture(stream, mode)) return no;
    stream->round = graph;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *ready, cudaGraph_t graph, unsigned long long) {
    *ready = new Launches(*graph);
    return not_while_recording();
}
static inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t ready) {
    delete ready;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t ready, cudaStream_t stream) {
    if (ready == nullptr || stream == nullptr || stream->recorded) return cudaErrorInvalidValue;
    launched.insert(launched.end(), ready->begin(), ready->end());
    ++counts.replayed;
    return cudaSuccess;
}

static inline cudaError_t cudaDeviceSynchronize() {
    if (not_while_recording() != cudaSuccess) return last_cuda_error;
    ++counts.synchronized;
    for (const auto &one : std::exchange(launched, {})) one();
    return cudaSuccess;
}
// One stream is waited for with the others, as it comes after what was launched on them.
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaDeviceSynchronize(); }
// An event notes the time when the device comes to it.
using cudaEvent_t = std::chrono::steady_clock::time_point *;
static inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = new std::chrono::steady_clock::time_point();
    return cudaSuccess;
}
constexpr unsigned cudaEventDisableTiming = 2;
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return cudaEventCreate(event); }
// The device keeps up with the host, as it is never busy.
static inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    // What was started before may still note it.
    launched.push_back([event] { delete event; });
    return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
    launched.push_back([event] { *event = std::chrono::steady_clock::now(); });
    return cudaSuccess;
}
static inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    *milliseconds = std::chrono::duration<float, std::milli>(*to - *from).count();
    return cudaSuccess;
}
// What is on the device, by its first byte, and what one allocation may take.
static std::map<unsigned char *, size_t> on_device;
static size_t memory_of_device = size_t(1) << 40;
static inline cudaError_t cudaMalloc(void **place, size_t bytes) {
    if (const cudaError_t no = not_while_recording()) return no;
    ++counts.allocated;
    // There is other memory behind an array, as on a device: who reads beyond it is not stopped.
    const size_t all = bytes + (size_t(16) << 10);
    *place = bytes > memory_of_device ? nullptr : std::malloc(all);
    if (*place == nullptr) return last_cuda_error = cudaErrorMemoryAllocation;
    on_device[static_cast<unsigned char *>(*place)] = bytes;
    // Nobody may count on what is there.
    std::memset(*place, 0x5a, all);
    return cudaSuccess;
}
static inline cudaError_t cudaFree(void *place) {
    if (const cudaError_t no = cudaDeviceSynchronize()) return no;
    on_device.erase(static_cast<unsigned char *>(place));
    std::free(place);
    return cudaSuccess;
}
static inline cudaError_t cudaMallocHost(void **place, size_t bytes) {
    *place = std::malloc(bytes);
    return *place == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
static inline cudaError_t cudaFreeHost(void *place) {
    std::free(place);
    return cudaSuccess;
}
// Memory of a pool is freed when what was launched before has ended.
using cudaMemPool_t = int *;
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold };
enum cudaDeviceAttr {
    cudaDevAttrMemoryPoolsSupported,
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrCooperativeLaunch,
    cudaDevAttrKernelExecTimeout
};
static inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
// A device of compute capability 9.0, whose launches can overlap.
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr asked, int) {
    const bool old = std::getenv("GLUSHKOV_TEST_OLD_DEVICE") != nullptr;
    *value = asked == cudaDevAttrComputeCapabilityMajor ? 9
        : asked == cudaDevAttrComputeCapabilityMinor ? 0
        : asked == cudaDevAttrCooperativeLaunch ? !old
        : asked == cudaDevAttrKernelExecTimeout ? 0 : 1;
    return cudaSuccess;
}
// It has one block at once.
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int, size_t) {
    *blocks = 1;
    return cudaSuccess;
}
enum cudaMemAllocationType { cudaMemAllocationTypePinned };
enum cudaMemLocationType { cudaMemLocationTypeDevice };
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    struct {
        cudaMemLocationType type;
        int id;
    } location;
};
static inline cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) {
    *pool = new int(0);
    return cudaSuccess;
}
static inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    if (const cudaError_t no = cudaDeviceSynchronize()) return no;
    delete pool;
    return cudaSuccess;
}
static inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
    return cudaSuccess;
}
static inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
static inline cudaError_t cudaMallocFromPoolAsync(void **place, size_t bytes, cudaMemPool_t, cudaStream_t) {
    return cudaMalloc(place, bytes);
}
static inline cudaError_t cudaFreeAsync(void *place, cudaStream_t) {
    if (const cudaError_t no = not_while_recording()) return no;
    launched.push_back([place] {
        on_device.erase(static_cast<unsigned char *>(place));
        std::free(place);
    });
    return cudaSuccess;
}
// Whether a caller has an array on the device: all have, if the test says so.
template <class Given> static bool lent_in_test(const Given &given, size_t argument) {
    return given.on_device(argument) || std::getenv("GLUSHKOV_TEST_LENT") != nullptr;
}
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
};
static inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *known, const void *place) {
    ++counts.asked;
    const auto *at = static_cast<const unsigned char *>(place);
    *known = {cudaMemoryTypeUnregistered, -1};
    if (std::getenv("GLUSHKOV_TEST_LENT") != nullptr) *known = {cudaMemoryTypeDevice, 0};
    for (const auto &[first, bytes] : on_device) {
        // The tests say that what has an odd number of bytes is on another device.
        if (at >= first && at < first + bytes) *known = {cudaMemoryTypeDevice, int(bytes % 2)};
    }
    return cudaSuccess;
}
static inline cudaError_t cudaMemset(void *place, int value, size_t bytes) {
    if (const cudaError_t no = cudaDeviceSynchronize()) return no;
    std::memset(place, value, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    if (const cudaError_t no = cudaDeviceSynchronize()) return no;
    if (bytes > 0) std::memcpy(to, from, bytes);
    return cudaSuccess;
}
// As with memory that is pinned, the host goes on before the copy is made.
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                                          cudaStream_t stream) {
    if (const cudaError_t no = not_while_recording()) return no;
    if (stream != nullptr) ++stream->started;
    launched.push_back([=] { std::memcpy(to, from, bytes); });
    return cudaSuccess;
}
static inline cudaError_t cudaMemsetAsync(void *place, int value, size_t bytes, cudaStream_t stream) {
    if (const cudaError_t no = not_while_recording()) return no;
    if (stream != nullptr) ++stream->started;
    launched.push_back([=] { std::memset(place, value, bytes); });
    return cudaSuccess;
}
template <class T> static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes) {
    if (const cudaError_t no = cudaDeviceSynchronize()) return no;
    std::memcpy(to, &symbol, bytes);
    return cudaSuccess;
}
template <class T> static inline cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes) {
    if (const cudaError_t no = cudaDeviceSynchronize()) return no;
    std::memcpy(&symbol, from, bytes);
    return cudaSuccess;
}
struct cudaFuncAttributes {
    int ptxVersion;
};
template <class Kernel> static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *known, Kernel *) {
    known->ptxVersion = 90;
    return cudaSuccess;
}
template <class Kernel> static inline cudaError_t cudaFuncSetAttribute(Kernel *, cudaFuncAttribute, int bytes) {
    return bytes > 232448 ? last_cuda_error = cudaErrorInvalidValue : cudaSuccess;
}

// `kernel<<<blocks, threads, bytes>>>(arguments)` stands as `on_processor(kernel, blocks, threads,
// bytes, stream)(arguments)`.
template <class... A> struct Launch {
    void (*kernel)(A...);
    unsigned blocks, threads;
    cudaStream_t stream;

    void operator()(A... arguments) const {
        // As a device has it, a launch without copies is an error.
        if (blocks == 0 || threads == 0 || threads > 1024) {
            last_cuda_error = cudaErrorInvalidValue;
            return;
        }
        const bool recorded = stream != nullptr && stream->recorded;
        if (stream != nullptr) ++stream->started;
        counts.launched += !recorded;
        counts.waiting += !recorded;
        if (!recorded && recording_streams > 0) {
            last_cuda_error = cudaErrorStreamCaptureUnsupported;
            return;
        }
        (recorded ? stream->launches : launched).push_back([=, *this]() mutable {
            void *places[] = {const_cast<void *>(static_cast<const void *>(&arguments))..., nullptr};
            launch(kernel, blocks, threads, places);
            counts.waiting -= !recorded;
        });
    }
};
template <class... A>
static Launch<A...> on_processor(void (*kernel)(A...), unsigned blocks, unsigned threads, size_t = 0,
                                cudaStream_t stream = nullptr) {
    return {kernel, blocks, threads, stream};
}

// Launches that may overlap: here none does.
struct dim3 {
    unsigned x;
    dim3(unsigned x = 1) : x(x) {}
};
enum cudaLaunchAttributeID {
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        int cooperative;
        int programmaticStreamSerializationAllowed;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
template <class... A, class... Given>
static cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *how, void (*kernel)(A...), Given... given) {
    const bool together = how->attrs[0].id == cudaLaunchAttributeCooperative;
    if (together && how->gridDim.x != 1) return last_cuda_error = cudaErrorInvalidValue;
    counts.together += together;
    on_processor(kernel, how->gridDim.x, how->blockDim.x, how->dynamicSmemBytes, how->stream)(given...);
    return cudaSuccess;
}

// Where a number of threads meet: each has its turns until all have come.
struct Meeting { unsigned come, times; };
static void meet(Meeting &meeting, unsigned count) {
    const unsigned times = meeting.times;
    if (++meeting.come == count) meeting = {0, times + 1};
    do __syncthreads(); while (meeting.times == times);
}
// The first threads of a block meet, and all threads of all blocks: here there is one.
static Meeting of_first, of_all;
static inline void __barrier_sync_count(unsigned, unsigned count) { meet(of_first, count); }
namespace cooperative_groups {
struct grid_group {
    void sync() const { meet(of_all, blockDim.x); }
};
static inline grid_group this_grid() { return {}; }
}  // namespace cooperative_groups
