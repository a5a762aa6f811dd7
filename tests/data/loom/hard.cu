// a comment with k<<<1, 2>>>(x) in it
/* and another: k<<<1,
   2>>>(x) */
#include <stdio.h>
#define LAUNCH(k, n, ...) \
    k<<<(n), 32>>>( \
        __VA_ARGS__)
namespace ns {
namespace inner {
template <class T, int N>
__global__ void k(T *p, T v)
{
    p[threadIdx.x] = v + N;
}
} // namespace inner
} // namespace ns
template <class T> struct four { enum { value = 4 }; };
struct holder {
    void (*f)(int *, int);
    void launch(int *p) { this->f<<<1, 2>>>(p, 1); }
};
__global__ void plain(int *p, int v) { p[blockIdx.x] = v; }
template <class T> __global__ void deduced(T *p, T v) { *p = v; }
static void (*table[2])(int *, int) = {plain, plain};
static const char *text = "plain<<<1, 1>>>(\"p\", '<<<')";
static const char *raw = R"x(plain<<<1, 1>>>(p, 2) )" // not the end
plain<<<1, 1>>>(p, 3);)x";
static int shift(int a, int b) { return a << 3 >> b; }
static int number = 1'000'000; static char quote = '\''; static char lt = '<';
__global__ void sum(float *y);
struct out { };
out &operator<<(out &o, int);
static holder get(int) { return {plain}; }

static int go(int *p, bool b, int n)
{
    holder h = {plain}, *q = &h;
    int grid = 1, i = 0;

    plain<<<1, 2>>>(p, 5);
    plain <<< 1 , 2 >>> (p, 6);
    plain << <1, 2 >> > (p, 6);
    plain<<
        <1, 2>>
        >(p, 6);
    plain<<<grid, dim3(2, 1), 0, (cudaStream_t)0>>>(p, 7);
    ns::inner::k<int, 4><<<1, dim3{2, 1, 1}>>>(p, 8);
    ::ns::inner::k<int, (4 > 3 ? 1 : 2)><<<1, 2>>>(p, 9);
    ns::inner::k<int, four<four<int>>::value><<<1, 2>>>(p, 10);
    ns::inner::k<int, 1> // the kernel
        <<<grid,         // its grid, with a , and a >>> in a comment
           2             /* its block */
        >>>(p, /* a >>> here */ 11);
    deduced<<<1, sizeof(four<four<int>>)>>>(p, 12);
    deduced<<<1, four<four<int>>::value>>>(p, 13);
    h.f<<<1, 1>>>(p, 14);
    q->f<<<1, 1>>>(p, 15);
    table[i++]<<<1, 1>>>(p, 16);
    (b ? plain : table[1])<<<1, 1>>>(p, 17);
    get(0).f<<<1, 1>>>(p, [](int x) { return x; }(18));
    if (n) ::plain<<<1, 1>>>(p, 19); else plain<<<1, 1>>>(p, 20);
    LAUNCH(plain, 1, p, 21);
    if (i != 1 || shift(1, 1) != 4 || number != 1000000) return 1;
    auto f = [=](int v) { plain<<<1, 1>>>(p, v); };
    for (int v = 22; v < 24; v++) f(v);
    return n ? (plain<<<1, 1>>>(p, 24), 0) : 1;
}

int main(void)
{
    int *p, last = 0;
    (void)text, (void)raw, (void)quote, (void)lt;
    if (cudaMallocManaged(&p, 64)) return 1;
    int bad = go(p, true, 1);
    if (cudaDeviceSynchronize()) return 1;
    last = *p;
    printf("%s, last launch wrote %d, line %d\n", bad ? "bad" : "good", last, __LINE__);
    return bad || last != 24;
}
