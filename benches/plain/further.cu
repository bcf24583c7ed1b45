// More plain kernels, for schemes that take several launches a round: one thread an element, sums by
// blocks and one atomic addition a block, or on the host where little is left. Sizes are the library's
// default ones; with any argument, larger ones. Printed: name, median seconds of nine runs, least and
// greatest, work a second.
//
// nvcc -O3 -arch=sm_90 -o further further.cu && ./further
#include "plain.cuh"

// Adds a number of each thread to a cell.
__device__ void add(double x, double *to) {
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x < 32) {
        x = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
        if (threadIdx.x == 0) atomicAdd(to, x);
    }
}

__global__ void nearest(const float3 *p, const float3 *centre, int *label, double *cost, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float least = 0;
    if (i < n) {
        int best = 0;
        for (int c = 0; c < k; c++) {
            float x = p[i].x - centre[c].x, y = p[i].y - centre[c].y, z = p[i].z - centre[c].z;
            float far = x * x + y * y + z * z;
            if (c == 0 || far < least) least = far, best = c;
        }
        label[i] = best;
    }
    add(least, cost);
}

__global__ void gather(const float3 *p, const int *label, float *sum, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = label[i];
    atomicAdd(&sum[3 * c], p[i].x);
    atomicAdd(&sum[3 * c + 1], p[i].y);
    atomicAdd(&sum[3 * c + 2], p[i].z);
    atomicAdd(&count[c], 1);
}

__global__ void move(float *centre, float *sum, int *count, int k) {
    int c = threadIdx.x;
    if (c >= k) return;
    if (count[c] > 0)
        for (int q = 0; q < 3; q++) centre[3 * c + q] = sum[3 * c + q] / count[c];
    for (int q = 0; q < 3; q++) sum[3 * c + q] = 0;
    count[c] = 0;
}

__global__ void structure(const float3 *r, const float *q, float *re, float *im, float *weight, int n, int side) {
    int w = 2 * side + 1, t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= w * w * w) return;
    float f = 6.2831853f / 4, x = f * (t / w / w - side), y = f * (t / w % w - side), z = f * (t % w - side);
    float k2 = x * x + y * y + z * z, a = 0, b = 0;
    if (k2 > 0)
        for (int i = 0; i < n; i++) {
            float phase = x * r[i].x + y * r[i].y + z * r[i].z;
            a += q[i] * cosf(phase);
            b += q[i] * sinf(phase);
        }
    re[t] = a, im[t] = b;
    weight[t] = k2 > 0 ? 0.19634954f * expf(-k2 / 7.84f) / k2 : 0;
}

__global__ void forces(const float3 *r, const float *q, const float *re, const float *im, const float *weight,
                       float3 *out, int n, int side) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, w = 2 * side + 1;
    if (i >= n) return;
    float f = 6.2831853f / 4, sx = 0, sy = 0, sz = 0;
    for (int t = 0; t < w * w * w; t++) {
        float x = f * (t / w / w - side), y = f * (t / w % w - side), z = f * (t % w - side);
        float phase = x * r[i].x + y * r[i].y + z * r[i].z;
        float s = weight[t] * (sinf(phase) * re[t] - cosf(phase) * im[t]);
        sx += s * x, sy += s * y, sz += s * z;
    }
    out[i] = make_float3(q[i] * sx, q[i] * sy, q[i] * sz);
}

__global__ void multiply(const int *first, const int *column, const float *value, const float *p, float *ap, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int e = first[i]; e < first[i + 1]; e++) sum += value[e] * p[column[e]];
    ap[i] = sum;
}

__global__ void product(const float *u, const float *v, double *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    add(i < n ? double(u[i]) * v[i] : 0, to);
}

__global__ void step(float *x, float *r, const float *p, const float *ap, float alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += alpha * p[i], r[i] -= alpha * ap[i];
}

__global__ void turn(float *p, const float *r, float beta, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = r[i] + beta * p[i];
}

__global__ void look(const int *first, const int *neighbour, const int *level, int *next, int *found, int n, int depth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int own = level[i];
    if (own < 0) {
        bool near = false;
        for (int e = first[i]; e < first[i + 1]; e++) near |= level[neighbour[e]] == depth;
        if (near) own = depth + 1, atomicAdd(&found[depth + 1], 1);
    }
    next[i] = own;
}

int main(int argc, char **) {
    bool large = argc > 1;
    auto blocks = [](long n) { return (unsigned)((n + 255) / 256); };
    auto host = [](double *of) {
        double x;
        CHECK(cudaMemcpy(&x, of, sizeof x, cudaMemcpyDeviceToHost));
        return x;
    };
    {
        int n = large ? 4000000 : 100000, k = 8, rounds = 10;
        float *p = device(numbers(3 * (size_t)n)), *centre = device(numbers(3 * k));
        float *sum = device(std::vector<float>(3 * k));
        int *label = device(std::vector<int>(n)), *count = device(std::vector<int>(k));
        double *cost = device(std::vector<double>(1));
        measure("kmeans", (double)rounds * n * k, [&] {
            for (int t = 0; t < rounds; t++) {
                CHECK(cudaMemsetAsync(cost, 0, sizeof(double)));
                nearest<<<blocks(n), 256>>>((float3 *)p, (float3 *)centre, label, cost, n, k);
                gather<<<blocks(n), 256>>>((float3 *)p, label, sum, count, n);
                move<<<1, 32>>>(centre, sum, count, k);
                host(cost);
            }
        });
    }
    {
        int n = large ? 6144 : 768, side = 6, w = 2 * side + 1, all = w * w * w;
        float *r = device(numbers(3 * n)), *q = device(numbers(n)), *out = device(numbers(3 * n));
        float *re = device(numbers(all)), *im = device(numbers(all)), *weight = device(numbers(all));
        measure("ewald", 2.0 * n * all, [&] {
            structure<<<blocks(all), 256>>>((float3 *)r, q, re, im, weight, n, side);
            forces<<<blocks(n), 256>>>((float3 *)r, q, re, im, weight, (float3 *)out, n, side);
        });
    }
    {
        int n = large ? 4194304 : 65536, rounds = 100, width = (int)std::ceil(std::sqrt(n));
        std::vector<int> first(n + 1), column;
        std::vector<float> value;
        for (int i = 0; i < n; i++) {
            auto put = [&](int j, float x) { column.push_back(j), value.push_back(x); };
            if (i >= width) put(i - width, -1);
            if (i % width > 0) put(i - 1, -1);
            put(i, 4);
            if (i % width < width - 1 && i + 1 < n) put(i + 1, -1);
            if (i + width < n) put(i + width, -1);
            first[i + 1] = column.size();
        }
        int *f = device(first), *c = device(column);
        float *v = device(value), *x = device(numbers(n)), *r = device(numbers(n)), *p = device(numbers(n)), *ap = device(numbers(n));
        double *sums = device(std::vector<double>(2));
        measure("conjugate_gradients", (double)n * rounds, [&] {
            for (int t = 0; t < rounds; t++) {
                CHECK(cudaMemsetAsync(sums, 0, 2 * sizeof(double)));
                multiply<<<blocks(n), 256>>>(f, c, v, p, ap, n);
                product<<<blocks(n), 256>>>(p, ap, sums, n);
                host(sums);
                step<<<blocks(n), 256>>>(x, r, p, ap, 1e-3f, n);
                product<<<blocks(n), 256>>>(r, r, sums + 1, n);
                host(sums + 1);
                turn<<<blocks(n), 256>>>(p, r, 0.5f, n);
            }
        });
    }
    {
        int n = large ? 4000000 : 100000, degree = 8, edges = n / 2 * degree;
        std::vector<int> first(n + 1), neighbour(2 * (size_t)edges), a(edges), b(edges);
        for (int e = 0; e < edges; e++) {
            a[e] = number() * n, b[e] = number() * n;
            first[std::min(a[e] + 1, n)]++, first[std::min(b[e] + 1, n)]++;
        }
        for (int i = 0; i < n; i++) first[i + 1] += first[i];
        std::vector<int> at(first.begin(), first.end() - 1);
        for (int e = 0; e < edges; e++) neighbour[at[a[e]]++] = b[e], neighbour[at[b[e]]++] = a[e];
        std::vector<int> start(n, -1);
        start[0] = 0;
        int *f = device(first), *nb = device(neighbour), *fresh = device(start), *level = device(start), *next = device(start);
        int *found = device(std::vector<int>(n + 1));
        measure("levels", (double)degree * n, [&] {
            CHECK(cudaMemcpyAsync(level, fresh, n * sizeof(int), cudaMemcpyDeviceToDevice));
            CHECK(cudaMemsetAsync(found, 0, (n + 1) * sizeof(int)));
            int count = 1;
            for (int depth = 0; count > 0; depth++) {
                look<<<blocks(n), 256>>>(f, nb, level, next, found, n, depth);
                std::swap(level, next);
                CHECK(cudaMemcpy(&count, found + depth + 1, sizeof(int), cudaMemcpyDeviceToHost));
            }
        });
    }
}
