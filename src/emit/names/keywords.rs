//! Words that a name must not be.

use crate::algebra::{Cpp, PIECES, entries};
use std::sync::LazyLock;

/// Rust: keywords, names of the standard prelude, and what emitted crates define.
const RUST: &[&str] = &[
    // Keywords of all editions, reserved ones too.
    "abstract as async await become box break const continue crate do dyn else enum extern false \
     final fn for gen if impl in let loop macro match mod move mut override priv pub ref return \
     self static struct super trait true try type typeof union unsafe unsized use virtual where \
     while yield",
    // Types and names that emitted code uses without a path.
    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize std core alloc main \
     drop vec some none ok err",
    // What emitted crates define.
    "arguments started folder print read read_if_there write zeros expect_shape cli npy file files outputs flat block thread blocks threads array cell size bit_count bit_count_64 bits_as_integer bits_as_integer_64 bits_as_real bits_as_real_64 ceil_div ceil_div_64 shift_left shift_left_64 shift_right shift_right_64 fail grid guard int32 int64 integer32 kernel max min \
     points parallel lanes each power power_of reports rows run series share shared sizes steps_by timer points_of steps_of row_of cells_of groups_of numbers_of add_to subtract_from cores integers \
     math vector device error expect_length test proc_macro",
];

/// C++ and CUDA: keywords, built-in variables, macros, and what emitted programs use.
const CPP: &[&str] = &[
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t \
     char32_t class co_await co_return co_yield compl concept const consteval constexpr constinit \
     const_cast continue decltype default delete do double dynamic_cast else enum explicit export \
     extern false float for friend goto if inline int long mutable namespace new noexcept not \
     not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires \
     restrict return short signed sizeof static static_assert static_cast struct switch template \
     this thread_local throw true try typedef typeid typename union unsigned using virtual void \
     volatile wchar_t while xor xor_eq",
    // Macros and names of C that no shadowing helps against.
    "typeof assert errno stdin stdout stderr linux unix major minor makedev alloca offsetof signbit isnan \
     isinf isfinite isnormal isless isgreater islessequal isgreaterequal islessgreater isunordered \
     fpclassify math_errhandling setjmp va_list va_start va_end va_arg va_copy NULL EOF I \
     bool_t index_t",
    // CUDA.
    "threadIdx blockIdx blockDim gridDim warpSize dim3 half \
     float1 float2 float3 float4 double1 double2 double3 double4 int1 int2 int3 int4 \
     long2 longlong2 uint2 uint3 uint4 char2 char4",
    // What emitted code calls or defines.
    "std main min max abs fabs fabsf dot cross norm norm2 real power ceil_div bit_count bits_as_integer bits_as_real shift_left shift_right vec2 vec3 vec4 \
     vec2_float vec3_float vec4_float vec2_double vec3_double vec4_double to_float to_double \
     int8_t int16_t int32_t int64_t uint8_t uint32_t uint64_t size_t fail check guarded run \
     atomicAdd fetch_add_atomically atomicMin atomicMax min_atomically max_atomically checked_sum checked_difference checked_product checked_quotient checked_remainder \
     checked_negative checked_power power_of absolute smaller larger largest within in_range \
     to_int32 to_int64 Fault Failure Timer timer Grid grid DeviceArray Caller caller \
     cudaStream_t synchronize Work work Given given take_given Copied copied Moment Named expect_places lend \
     ON_HOST CHANGED PRIVATE INPUT OUTPUT Use Range expect_apart loaded ARGUMENTS OfThread Cells Aside launch wait_for_launches finish_copies check_launch load_kernels \
     LAUNCHES_OVERLAP OVERLAP_CUDA OVERLAP_DEVICE \
     allow_shared shared_memory bytes bytes_of count_of make_array \
     timed_seconds device_seconds last_error device_fault block thread blocks threads report save \
     user ask_caller Kept Sizes Parameters glushkov_report_fn glushkov_save_fn glushkov_hooks cuda cli npy files outputs HELP Exit Size Results expect add_row add_snapshot read expect_shape is_set \
     elements arguments results sizes given elapsed started read_seconds folder failed rows row \
     values line in_words argc argv stream Profile Stage Recording recording \
     Loop loop go_on DEVICE_LOOPS wait_for_blocks launch_together ANY_NUMBER blocks_at_once cooperative_groups",
    // What programs for several threads call or define besides.
    "parallel branches Points FirstError in_groups InLanes add_atomically SIDE_BY_SIDE",
];

/// What crates with CUDA kernels define besides.
const RUST_CUDA: &[&str] = &["kernels launch cells copy"];

/// Macros of CUDA's runtime, which would be expanded wherever they stand.
const CUDA_MACROS: &[&str] = &[
    "cudaArrayColorAttachment cudaArrayCubemap cudaArrayDefault cudaArrayDeferredMapping \
     cudaArrayLayered cudaArraySparse cudaArraySparsePropertiesSingleMipTail \
     cudaArraySurfaceLoadStore cudaArrayTextureGather cudaCpuDeviceId cudaDeviceBlockingSync \
     cudaDeviceLmemResizeToMax cudaDeviceMapHost cudaDeviceMask cudaDeviceScheduleAuto \
     cudaDeviceScheduleBlockingSync cudaDeviceScheduleMask cudaDeviceScheduleSpin \
     cudaDeviceScheduleYield cudaDeviceSyncMemops cudaEventBlockingSync cudaEventDefault \
     cudaEventDisableTiming cudaEventInterprocess cudaEventRecord cudaEventRecordDefault \
     cudaEventRecordExternal cudaEventRecordWithFlags cudaEventWaitDefault cudaEventWaitExternal \
     cudaExternalMemoryDedicated cudaExternalSemaphoreSignalSkipNvSciBufMemSync \
     cudaExternalSemaphoreWaitSkipNvSciBufMemSync cudaFreeAsync cudaGetDriverEntryPoint \
     cudaGetDriverEntryPointByVersion cudaGraphInstantiateWithParams \
     cudaGraphKernelNodePortDefault cudaGraphKernelNodePortLaunchCompletion \
     cudaGraphKernelNodePortProgrammatic cudaGraphLaunch cudaGraphUpload cudaHostAllocDefault \
     cudaHostAllocMapped cudaHostAllocPortable cudaHostAllocWriteCombined cudaHostRegisterDefault \
     cudaHostRegisterIoMemory cudaHostRegisterMapped cudaHostRegisterPortable \
     cudaHostRegisterReadOnly cudaInitDeviceFlagsAreValid cudaInvalidDeviceId \
     cudaIpcMemLazyEnablePeerAccess cudaKernelNodeAttrID cudaKernelNodeAttrValue \
     cudaKernelNodeAttributeAccessPolicyWindow cudaKernelNodeAttributeClusterDimension \
     cudaKernelNodeAttributeClusterSchedulingPolicyPreference cudaKernelNodeAttributeCooperative \
     cudaKernelNodeAttributeDeviceUpdatableKernelNode cudaKernelNodeAttributeMemSyncDomain \
     cudaKernelNodeAttributeMemSyncDomainMap cudaKernelNodeAttributeNvlinkUtilCentricScheduling \
     cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaKernelNodeAttributePriority \
     cudaLaunchCooperativeKernel cudaLaunchHostFunc cudaLaunchKernel cudaLaunchKernelExC \
     cudaMallocAsync cudaMallocFromPoolAsync cudaMemAttachGlobal cudaMemAttachHost \
     cudaMemAttachSingle cudaMemDiscardAndPrefetchBatchAsync cudaMemDiscardBatchAsync \
     cudaMemPoolCreateUsageHwDecompress cudaMemPrefetchAsync cudaMemPrefetchBatchAsync cudaMemcpy \
     cudaMemcpy2D cudaMemcpy2DArrayToArray cudaMemcpy2DAsync cudaMemcpy2DFromArray \
     cudaMemcpy2DFromArrayAsync cudaMemcpy2DToArray cudaMemcpy2DToArrayAsync cudaMemcpy3D \
     cudaMemcpy3DAsync cudaMemcpy3DBatchAsync cudaMemcpy3DPeer cudaMemcpy3DPeerAsync \
     cudaMemcpyArrayToArray cudaMemcpyAsync cudaMemcpyBatchAsync cudaMemcpyFromArray \
     cudaMemcpyFromArrayAsync cudaMemcpyFromSymbol cudaMemcpyFromSymbolAsync cudaMemcpyToArray \
     cudaMemcpyToArrayAsync cudaMemcpyToSymbol cudaMemcpyToSymbolAsync cudaMemset cudaMemset2D \
     cudaMemset2DAsync cudaMemset3D cudaMemset3DAsync cudaMemsetAsync cudaNvSciSyncAttrSignal \
     cudaNvSciSyncAttrWait cudaOccupancyDefault cudaOccupancyDisableCachingOverride \
     cudaPeerAccessDefault cudaSignalExternalSemaphoresAsync cudaStreamAddCallback \
     cudaStreamAttachMemAsync cudaStreamAttrID cudaStreamAttrValue \
     cudaStreamAttributeAccessPolicyWindow cudaStreamAttributeMemSyncDomain \
     cudaStreamAttributeMemSyncDomainMap cudaStreamAttributePriority \
     cudaStreamAttributeSynchronizationPolicy cudaStreamBeginCapture \
     cudaStreamBeginCaptureToGraph cudaStreamCopyAttributes cudaStreamDefault \
     cudaStreamEndCapture cudaStreamFireAndForget cudaStreamGetAttribute cudaStreamGetCaptureInfo \
     cudaStreamGetDevice cudaStreamGetFlags cudaStreamGetId cudaStreamGetPriority \
     cudaStreamGraphFireAndForget cudaStreamGraphFireAndForgetAsSibling cudaStreamGraphTailLaunch \
     cudaStreamIsCapturing cudaStreamLegacy cudaStreamNonBlocking cudaStreamPerThread \
     cudaStreamQuery cudaStreamSetAttribute cudaStreamSynchronize cudaStreamTailLaunch \
     cudaStreamUpdateCaptureDependencies cudaStreamWaitEvent cudaWaitExternalSemaphoresAsync",
];

/// The functions of reals that emitted C++ calls or defines.
static CPP_FUNCTIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = entries().flat_map(|entry| match entry.cpp {
        Cpp::Call(name) | Cpp::OneOver(name) => vec![name.to_owned(), format!("{name}f")],
        Cpp::Wide(piece) => vec![format!("{}_of", piece.name)],
        Cpp::Overloaded(name) => vec![name.to_owned()],
    });
    names.collect()
});

/// What a name in Rust must not be.
pub fn rust() -> impl Iterator<Item = &'static str> {
    words(RUST).chain(PIECES.iter().map(|p| p.name))
}

/// What a name in C++ and CUDA must not be.
pub fn cpp() -> impl Iterator<Item = &'static str> {
    words(CPP)
        .chain(words(CUDA_MACROS))
        .chain(CPP_FUNCTIONS.iter().map(String::as_str))
}

/// What a name in crates with CUDA kernels must not be.
pub fn rust_cuda() -> impl Iterator<Item = &'static str> {
    rust().chain(cpp()).chain(words(RUST_CUDA))
}

fn words(lists: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    lists.iter().flat_map(|list| list.split_whitespace())
}
