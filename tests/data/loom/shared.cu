/* each of these declarations becomes C++, of two kinds */
extern __shared__ float tile[];
extern __shared__ __align__(16) unsigned char bytes[];
namespace some { extern "C" {
extern __shared__ std::pair<int, float> pairs [ ];
} }
template <class T>
__global__ void k(T *x)
{
    extern __shared__ T in_template[];
    if (x) {
extern
    __shared__ int
    rows[];
    extern float __shared__ __align__(16) table[][4][8];
    }
}
int last;
