// Plain kernels as a person would write them first, one thread an element, at the library's default
// sizes: name, median seconds of nine runs, least and greatest, work a second. What is timed is the
// kernels, as in the derived programs; copies are outside.
//
// nvcc -O3 -arch=sm_90 -o plain plain.cu && ./plain
#include "plain.cuh"

__global__ void heat(const float *u, float *v, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
    int at = i * n + j;
    v[at] = u[at] + 0.2f * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1] - 4 * u[at]);
}

__global__ void matrix_product(const float *a, const float *b, float *c, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    float cell = 0;
    for (int k = 0; k < n; k++) cell += a[i * n + k] * b[k * n + j];
    c[i * n + j] = cell;
}

__global__ void histogram(const float *x, int *count, int n, int bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&count[max(0, min((int)(x[i] * bins), bins - 1))], 1);
}

__global__ void rank_sort(const float *key, float *sorted, int *place, int arrays, int l) {
    long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (long)arrays * l) return;
    const float *own = key + at / l * l;
    int i = at % l, rank = 0;
    for (int s = 0; s < l; s++) rank += own[s] < own[i] || (own[s] == own[i] && s < i);
    sorted[at / l * l + rank] = own[i];
    place[at / l * l + rank] = i;
}

__global__ void mandelbrot(int *steps, int n, int most) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    float cx = -2.25f + 3 * (column + 0.5f) / n, cy = -1.5f + 3 * (row + 0.5f) / n, x = 0, y = 0;
    int count = 0;
    while (count < most && x * x + y * y <= 4) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        count++;
    }
    steps[row * n + column] = count;
}

__global__ void density(const float *m, const float3 *r, float *out, int n, float h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 a = r[i];
    float sum = 0;
    for (int s = 0; s < n; s++) {
        float x = r[s].x - a.x, y = r[s].y - a.y, z = r[s].z - a.z, d2 = x * x + y * y + z * z;
        if (d2 < 4 * h * h) {
            float q = sqrtf(d2) / h, far = 2 - q;
            sum += m[s] * (q < 1 ? 1 - 1.5f * q * q + 0.75f * q * q * q : 0.25f * far * far * far);
        }
    }
    out[i] = sum / (3.14159265f * h * h * h);
}

int main() {
    printf("%-20s%12s%12s%12s%12s\n", "", "median s", "low", "high", "work/s");
    dim3 tile(32, 8);
    auto tiles = [&](int n) { return dim3((n + 31) / 32, (n + 7) / 8); };
    auto blocks = [](long n) { return (unsigned)((n + 255) / 256); };
    {
        int n = 1024, steps = 50;
        float *u = device(numbers((size_t)n * n)), *v = device(numbers((size_t)n * n));
        measure("heat", 2.0 * steps * n * n, [&] {
            for (int t = 0; t < steps; t++) {
                heat<<<tiles(n), tile>>>(u, v, n);
                heat<<<tiles(n), tile>>>(v, u, n);
            }
        });
    }
    {
        int n = 512;
        float *a = device(numbers((size_t)n * n)), *b = device(numbers((size_t)n * n)), *c = device(numbers((size_t)n * n));
        measure("matrix_product", 1.0 * n * n * n,
                [&] { matrix_product<<<tiles(n), tile>>>(a, b, c, n); });
    }
    {
        int n = 1000000, bins = 256;
        float *x = device(numbers(n));
        int *count;
        CHECK(cudaMalloc(&count, bins * sizeof(int)));
        measure("histogram", n, [&] {
            CHECK(cudaMemsetAsync(count, 0, bins * sizeof(int)));
            histogram<<<blocks(n), 256>>>(x, count, n, bins);
        });
    }
    {
        int arrays = 20000, l = 64;
        float *key = device(numbers((size_t)arrays * l)), *sorted = device(numbers((size_t)arrays * l));
        int *place;
        CHECK(cudaMalloc(&place, (size_t)arrays * l * sizeof(int)));
        measure("rank_sort", 1.0 * arrays * l * l, [&] {
            rank_sort<<<blocks((long)arrays * l), 256>>>(key, sorted, place, arrays, l);
        });
    }
    {
        int n = 1024;
        int *steps;
        CHECK(cudaMalloc(&steps, (size_t)n * n * sizeof(int)));
        measure("mandelbrot", 1.0 * n * n, [&] { mandelbrot<<<tiles(n), tile>>>(steps, n, 1000); });
    }
    {
        int n = 8192;
        float *m = device(numbers(n)), *r = device(numbers(3 * n)), *out = device(numbers(n));
        measure("density", 1.0 * n * n,
                [&] { density<<<blocks(n), 256>>>(m, (const float3 *)r, out, n, 0.06f); });
    }
}
