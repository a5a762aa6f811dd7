/* As much of CUDA as stack/cuda_check.h takes, for edges.c: an error is its number. */
#define CUDA_VERSION 13000
#define CUDA_SUCCESS 0
typedef int CUresult;

static int cuGetErrorName(CUresult status, const char **name)
{
    *name = status == 222 ? "UNSUPPORTED" : NULL;
    return status;
}

static int cuGetErrorString(CUresult status, const char **text)
{
    *text = status == 222 ? "too new" : NULL;
    return status;
}
