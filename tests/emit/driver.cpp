// A driver and a compiler for tests: kernels are compiled by the C++ compiler and run on the
// processor, block by block, each thread of a block a thread of the system. It stands for libcuda
// and libnvrtc, of which it has as much as emitted programs call.
//
// `GLUSHKOV_TEST_CXX` is the C++ compiler, `GLUSHKOV_TEST_KERNELS` the folder for what it makes.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <mutex>
#include <regex>
#include <string>
#include <unistd.h>

// What a kernel finds around it: the text of `processor.hpp`, as a literal.
static const char *const PRELUDE =
#include "prelude.inc"
    ;

static std::string folder_of_kernels() {
    const char *folder = std::getenv("GLUSHKOV_TEST_KERNELS");
    return folder == nullptr ? "/tmp" : folder;
}

// A program of NVRTC: its code is the path of a library.
struct Program {
    std::string text, log, code;
};

extern "C" int nvrtcCreateProgram(Program **program, const char *text, const char *, int,
                                  const char *const *, const char *const *) {
    *program = new Program{text, "", ""};
    return 0;
}

extern "C" int nvrtcCompileProgram(Program *program, int count, const char *const *options) {
    std::string wanted;
    for (int i = 0; i < count; ++i) wanted += std::string(options[i]) + " ";
    if (wanted != "--gpu-architecture=sm_90 --std=c++17 --fmad=false ") {
        program->log = "options are " + wanted;
        return 5;
    }
    // Memory of a size that the launch gives.
    std::string text = std::regex_replace(
        program->text,
        std::regex("extern __shared__ __align__\\(16\\) unsigned char shared_memory\\[\\]"),
        "alignas(16) static unsigned char shared_memory[1 << 20]");
    std::smatch space;
    std::regex_search(text, space, std::regex("namespace (\\w+) \\{"));
    std::string launches;
    const std::regex kernel("extern \"C\" __global__ void (?:__launch_bounds__\\([\\d, ]+\\) )?(\\w+)\\(");
    for (std::sregex_iterator k(text.begin(), text.end(), kernel), end; k != end; ++k) {
        const std::string name = (*k)[1];
        launches += "extern \"C\" void launch_" + name +
                    "(unsigned blocks, unsigned threads, void **arguments) { launch(&" +
                    space[1].str() + "::" + name + ", blocks, threads, arguments); }\n";
    }
    text = PRELUDE + text + launches;
    const std::string base =
        folder_of_kernels() + "/" + std::to_string(std::hash<std::string>()(text));
    program->code = base + ".so";
    if (access(program->code.c_str(), F_OK) == 0) return 0;
    const std::string own = base + "." + std::to_string(getpid());
    std::ofstream(own + ".cpp") << text;
    const char *cxx = std::getenv("GLUSHKOV_TEST_CXX");
    const std::string command = std::string(cxx == nullptr ? "c++" : cxx) +
                                " -std=c++20 -O1 -ffp-contract=off -fPIC -shared -pthread -w -o " +
                                own + ".so " + own + ".cpp 2> " + own + ".log";
    if (std::system(command.c_str()) != 0) {
        std::ifstream log(own + ".log");
        program->log.assign(std::istreambuf_iterator<char>(log), {});
        return 6;
    }
    return std::rename((own + ".so").c_str(), program->code.c_str());
}

extern "C" int nvrtcGetCUBINSize(Program *program, size_t *size) {
    *size = program->code.size() + 1;
    return 0;
}
extern "C" int nvrtcGetCUBIN(Program *program, char *code) {
    std::strcpy(code, program->code.c_str());
    return 0;
}
extern "C" int nvrtcGetProgramLogSize(Program *program, size_t *size) {
    *size = program->log.size() + 1;
    return 0;
}
extern "C" int nvrtcGetProgramLog(Program *program, char *log) {
    std::strcpy(log, program->log.c_str());
    return 0;
}
extern "C" int nvrtcDestroyProgram(Program **program) {
    delete *program;
    return 0;
}

// The driver. There is one device, of capability 9.0; handles are not null.

static const int OUT_OF_MEMORY = 2, NOT_FOUND = 500;
static int context;

extern "C" int cuInit(unsigned) { return 0; }
// The true NVRTC asks for tables that are no one else's business, and does without.
extern "C" int cuGetExportTable(const void **, const void *) { return NOT_FOUND; }
extern "C" int cuDeviceGetCount(int *count) {
    *count = std::getenv("GLUSHKOV_TEST_NO_DEVICE") == nullptr ? 1 : 0;
    return 0;
}
extern "C" int cuDeviceGet(int *device, int) { return *device = 0; }
extern "C" int cuDevicePrimaryCtxRetain(void **to, int) {
    *to = &context;
    return 0;
}
extern "C" int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
extern "C" int cuDeviceGetAttribute(int *value, int attribute, int) {
    // Capability: major and minor. Memory pools: there are none.
    *value = attribute == 75 ? 9 : 0;
    return 0;
}
extern "C" int cuCtxGetCurrent(void **to) {
    *to = &context;
    return 0;
}
extern "C" int cuCtxSetCurrent(void *) { return 0; }
extern "C" int cuCtxSynchronize() { return 0; }
extern "C" int cuStreamSynchronize(void *) { return 0; }
extern "C" int cuGetErrorString(int error, const char **words) {
    *words = error == OUT_OF_MEMORY ? "out of memory" : "an error of the driver for tests";
    return 0;
}

extern "C" int cuMemAlloc_v2(uintptr_t *to, size_t bytes) {
    if (bytes == 0 || bytes > size_t(1) << 40) return bytes == 0 ? 1 : OUT_OF_MEMORY;
    *to = reinterpret_cast<uintptr_t>(std::malloc(bytes));
    return 0;
}
extern "C" int cuMemFree_v2(uintptr_t place) {
    std::free(reinterpret_cast<void *>(place));
    return 0;
}
extern "C" int cuMemsetD8Async(uintptr_t place, unsigned char value, size_t bytes, void *) {
    std::memset(reinterpret_cast<void *>(place), value, bytes);
    return 0;
}
extern "C" int cuMemcpyHtoDAsync_v2(uintptr_t to, const void *from, size_t bytes, void *) {
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return 0;
}
extern "C" int cuMemcpyDtoHAsync_v2(void *to, uintptr_t from, size_t bytes, void *) {
    std::memcpy(to, reinterpret_cast<void *>(from), bytes);
    return 0;
}

extern "C" int cuModuleLoadData(void **module, const void *code) {
    // The true NVRTC makes code for a true device.
    if (std::memcmp(code, "\177ELF", 4) == 0) return NOT_FOUND;
    *module = dlopen(static_cast<const char *>(code), RTLD_NOW);
    if (*module == nullptr) std::fprintf(stderr, "%s\n", dlerror());
    return *module == nullptr ? NOT_FOUND : 0;
}
extern "C" int cuModuleUnload(void *module) { return dlclose(module); }
extern "C" int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = dlsym(module, ("launch_" + std::string(name)).c_str());
    return *function == nullptr ? NOT_FOUND : 0;
}
extern "C" int cuModuleGetGlobal_v2(uintptr_t *place, size_t *bytes, void *module, const char *name) {
    *place = reinterpret_cast<uintptr_t>(dlsym(module, name));
    *bytes = 4;
    return *place == 0 ? NOT_FOUND : 0;
}
extern "C" int cuFuncSetAttribute(void *, int, int bytes) { return bytes > 232448; }
extern "C" int cuLaunchKernel(void *function, unsigned blocks, unsigned, unsigned, unsigned threads,
                              unsigned, unsigned, unsigned, void *, void **arguments, void **) {
    // There is one stream: launches follow each other.
    static std::mutex stream;
    const std::lock_guard<std::mutex> lock(stream);
    // As a device has it, a launch without copies is an error.
    if (blocks == 0 || threads == 0 || threads > 1024) return 1;
    using Launch = void (*)(unsigned, unsigned, void **);
    reinterpret_cast<Launch>(function)(blocks, threads, arguments);
    return 0;
}
