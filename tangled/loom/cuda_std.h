/* cuda_std.h: cuda::std is std. */
#ifndef LOOM_CUDA_STD_H
#define LOOM_CUDA_STD_H

namespace std
{
}
namespace cuda
{
namespace std
{
using namespace ::std;
#ifdef LOOM_CUDA_ATOMIC
template <class T>
using atomic = ::cuda::atomic<T>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T>;
#endif
} // namespace std
} // namespace cuda
#endif
