/* quick.c: what a benchmark is linked with a second time, as bench-quick, which is
   what its test runs on a GPU. A benchmark rotates through inputs until they outgrow
   the L2 cache, and of a test's small inputs that takes tens of thousands: graphs of
   as many launches, minutes for a table. Here the cache has 16 KiB. */
enum { L2_CACHE_SIZE = 38 }; /* cudaDevAttrL2CacheSize */

int __real_cudaDeviceGetAttribute(int *value, int what, int device);
int __wrap_cudaDeviceGetAttribute(int *value, int what, int device);

int __wrap_cudaDeviceGetAttribute(int *value, int what, int device)
{
    int error = __real_cudaDeviceGetAttribute(value, what, device);

    if (error == 0 && what == L2_CACHE_SIZE && *value > 16384)
        *value = 16384;
    return error;
}
