/* mma.h: nvcuda::wmma, matrices that a warp holds together. */
#ifndef LOOM_MMA_H
#define LOOM_MMA_H

#include "loom/cuda_bf16.h"
#include "loom/cuda_fp16.h"
#include "loom/matrix.h"

namespace nvcuda
{
namespace wmma
{

/* describe fragments */
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}
namespace experimental
{
namespace precision
{ /* Loom lacks numbers of 4 bits and of one so far: these are incomplete */
struct u4;
struct s4;
struct b1;
} // namespace precision
} // namespace experimental

/* What an element is in memory. */
template <class T>
struct loom_stored {
    typedef T type;
};
template <>
struct loom_stored<precision::tf32> {
    typedef float type;
};

/* Which shapes there are for a type of factors. */
template <class T, int M, int N, int K>
constexpr bool loom_shape()
{
    if (std::is_same<T, double>::value)
        return M == 8 && N == 8 && K == 4;
    if (std::is_same<T, precision::tf32>::value)
        return M == 16 && N == 16 && K == 8;
    return K == 16 && (M == 16 ? N == 16 : M * N == 256 && (M == 8 || M == 32));
}

/* describe a fragment */
/* Lane l holds elements l n, ... of a matrix whose rows follow each other. */
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
    static constexpr bool is_a = std::is_same<Use, matrix_a>::value;
    static constexpr bool is_b = std::is_same<Use, matrix_b>::value;
    static constexpr int rows = is_b ? K : M, columns = is_a ? K : N;
    static constexpr int num_elements = rows * columns / 32;
    typedef typename loom_stored<T>::type element_type, storage_element_type;

    static_assert(!(is_a || is_b) || loom_shape<T, M, N, K>(),
                  "wmma has no such shape for this type");
    element_type x[num_elements];
};

template <class F, class V>
void fill_fragment(F &f, V v)
{
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = v;
}

static inline float __float_to_tf32(float x)
{
    return __uint_as_float(loom_tf32(x));
}

/* load and store fragments */
template <class F>
static inline size_t loom_offset(int i, unsigned lead, int by_column)
{
    int e = (int)loom_laneid() * F::num_elements + i;
    size_t r = (size_t)(e / F::columns), c = (size_t)(e % F::columns);

    return by_column ? c * lead + r : r * lead + c;
}

template <class Use, int M, int N, int K, class T, class Layout>
void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,
                      const typename loom_stored<T>::type *p, unsigned lead)
{
    static_assert(!std::is_void<Layout>::value,
                  "say how an accumulator lies in memory");
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = p[loom_offset<fragment<Use, M, N, K, T, Layout>>(
            i, lead, std::is_same<Layout, col_major>::value)];
}

template <int M, int N, int K, class T>
void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p,
                      unsigned lead, layout_t layout)
{
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = p[loom_offset<fragment<accumulator, M, N, K, T>>(
            i, lead, layout == mem_col_major)];
}

template <int M, int N, int K, class T>
void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,
                       unsigned lead, layout_t layout)
{
    for (int i = 0; i < f.num_elements; i++)
        p[loom_offset<fragment<accumulator, M, N, K, T>>(
            i, lead, layout == mem_col_major)] = f.x[i];
}

/* multiply fragments */
/* All lanes' fragments, for the last of them. */
template <class A, class B, class C, class D>
struct loom_product {
    loom_meeting call;
    const A *a;
    const B *b;
    const C *c;
    D *d;
};

/* One element of what 32 lanes hold. */
template <class F, class P>
static inline auto &loom_at(loom_meeting **lane, F P::*of, int r, int c)
{
    int e = r * std::remove_pointer<F>::type::columns + c;
    int n = std::remove_pointer<F>::type::num_elements;

    return (((P *)lane[e / n])->*of)->x[e % n];
}

template <class T>
static inline double loom_factor(T x)
{
    return (double)(float)x;
}
static inline double loom_factor(double x)
{
    return x;
}
static inline double loom_factor(int x)
{
    return x;
}

/* multiply rows of fragments */
template <int K, class P>
static void loom_multiply(loom_meeting **lane)
{
    typedef typename std::remove_pointer<decltype(P::d)>::type D;
    typedef typename D::element_type T;
    double b[K][D::columns], sum[D::columns];

    for (int k = 0; k < K; k++)
        for (int j = 0; j < D::columns; j++)
            b[k][j] = loom_factor(loom_at(lane, &P::b, k, j));
    for (int i = 0; i < D::rows; i++) {
        for (int j = 0; j < D::columns; j++)
            sum[j] = loom_factor(loom_at(lane, &P::c, i, j));
        for (int k = 0; k < K; k++) {
            double a = loom_factor(loom_at(lane, &P::a, i, k));

            for (int j = 0; j < D::columns; j++)
                if (std::is_same<T, double>::value)
                    sum[j] = fma(a, b[k][j], sum[j]);
                else /* the product is exact */
                    sum[j] += a * b[k][j];
        }
        for (int j = 0; j < D::columns; j++)
            loom_at(lane, &P::d, i, j) = (T)sum[j];
    }
}

/* multiply together */
template <int M, int N, int K, class TA, class LA, class TB, class LB, class TC,
          class TD>
void mma_sync(fragment<accumulator, M, N, K, TD> &d,
              const fragment<matrix_a, M, N, K, TA, LA> &a,
              const fragment<matrix_b, M, N, K, TB, LB> &b,
              const fragment<accumulator, M, N, K, TC> &c, LOOM_HERE)
{
    typedef loom_product<fragment<matrix_a, M, N, K, TA, LA>,
                         fragment<matrix_b, M, N, K, TB, LB>,
                         fragment<accumulator, M, N, K, TC>,
                         fragment<accumulator, M, N, K, TD>>
        product;
    product p = {{loom_multiply<K, product>}, &a, &b, &c, &d};

    loom_together(&p.call, file, line);
}
} // namespace wmma
} // namespace nvcuda
#endif
