/* words of CUDA's that are words of the library's headers, too */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>

#ifndef __device__
#error "__device__ is no word here"
#endif
#define HD __host__ __device__ __forceinline__
#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
#define KERNEL(name, op) \
    __global__ void __launch_bounds__(128, 2) name(int *p) { *p op 1; }

struct __align__(16) wide { float x[3]; };
struct journal { int printf(const char *) { return 7; } };
HD int twice(int x) { return 2 * x; }
__attribute__((__noinline__)) static int quiet(int x) { return x; }
__noinline__ __device__ int loud(int x) { return x; }
KERNEL(plus, +=)
KERNEL(minus, -=)
__global__ void tell(int *p)
{
    __shared__ __align__(8) char c[8];
    c[0] = 1;
    std::printf("%s", "");
    ::printf("%s", "");
    *p = loud(twice(*p)) + c[0];
}

int main()
{
    int *p;
    journal l;
    std::shared_ptr<std::string> s = std::make_shared<std::string>("words");
    std::map<int, std::function<int(int)>> m = {{1, quiet}};

    cudaMallocManaged(&p, sizeof *p);
    *p = 3;
    LAUNCH(plus, p);
    LAUNCH(tell, p);
    LAUNCH(minus, p);
    if (cudaDeviceSynchronize() || *p != 8 || sizeof(wide) != 16 || l.printf("") != 7 || m[1](2) != 2)
        return 1;
    std::cout << "ok: " << *s << std::endl;
    return 0;
}
