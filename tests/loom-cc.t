#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: loomcc, with which strangers compile.
. tests/tap.sh

if ! have loom; then
    skip "loomcc" "$(tap_needs loom)"
    done_testing
fi

work=$tap_tmp/work
mkdir -p "$work"
built=$B src=$SRC
# the library has none of the planted bugs, so that they share one, built once
[ -z "${BASE-}" ] || built=$BASE src=tangled
mkdir -p "$built"
flock "$built" $MAKE -s SRC="$src" B="$built" loomcc >"$work/make" 2>&1 || diag "$(cat "$work/make")"
# a copy, so that nothing is found where it was built
cp -R "$built/loomcc/bin" "$built/loomcc/lib" "$work"
loomcc=$work/bin/loomcc
D=$PWD/tests/data/loom/cc
# planted bugs stand in another tree
[ ! -f "$SRC/loom/rewrite.awk" ] || cp "$SRC/loom/rewrite.awk" "$SRC/loom/twin.awk" "$work/lib/loom"
[ ! -f "$SRC/loom/loomcc.sh" ] || cp "$SRC/loom/loomcc.sh" "$loomcc"

# cc WORD...: loomcc in the folder of the data, then the program
cc()
{
    rm -f "$work/a.out"
    (cd "$D" && "$loomcc" "$@" -o "$work/a.out") && (cd "$work" && ./a.out)
}

# ---- every compiler ----------------------------------------------------------
for CXX in g++ clang++; do
    have $CXX || { skip "loomcc with $CXX" "needs $CXX"; continue; }
    export CXX
    for check in "" --check; do
        prints "two halves: functions, variables and kernels by $CXX $check" '^device 900, host -1, sum 42, count 3$' \
            cc $check halves.cu
        prints "templates, objects in shared memory, new and delete, by $CXX $check" '^ok: objects$' \
            cc $check objects.cu -Xcompiler -Wall,-Wextra,-Werror
        prints "kernels by their address, by $CXX $check" '^ok: 10 ways to launch$' cc $check address.cu
        prints "several files, C and C++, $CXX $check" '^ok: 3 files know the same variables$' \
            cc $check -rdc=true parts/main.cu parts/device.cu parts/host.cpp parts/plain.c -Iparts
    done
    prints "the library's headers and CUDA's words, $CXX" '^ok: words$' cc words.cu -Xcompiler -Wall,-Wextra,-Werror
done
CXX=g++
export CXX

# ---- memory that kernels allocate --------------------------------------------
ok "one mistake with it at a time" sh -c "cd '$work' && '$loomcc' --check '$D/heap.cu' -o heap"
# there COMMAND...: in the folder of the work
there() { (cd "$work" && "$@"); }
ok_run "kernels may allocate and free" "$work/heap" 0
i=0
while read -r words; do
    i=$((i + 1))
    fails_run "mistake $i with it: $words" "heap.cu:[0-9]*: error: $words" there ./heap $i
done <<'END'
out of bounds: .* writes 4 bytes
use after free: .* reads 4 bytes
uninitialized global memory: .* reads 4 bytes
frees memory of the device's heap that was freed before
frees memory that no kernel has allocated
END

# ---- libraries ---------------------------------------------------------------
if [ -f "$work/lib/loom/withopenblas" ]; then
    prints "cuBLAS, cuRAND and what goes with them" '^ok: libraries$' cc libs.cu -lcublas -lcurand -Xcompiler -Wall,-Wextra,-Werror
else
    skip "cuBLAS, cuRAND and what goes with them" "needs openblas"
fi
printf '#include <cuda_runtime.h>\nint main() { cudaChannelFormatDesc d = cudaCreateChannelDesc<float>(); cudaArray_t a;\n return cudaMallocArray(&a, &d, 4, 4) || cudaFreeArray(a); }\n' >"$work/host.cpp"
ok "what the runtime has in C++ alone, in a file that is not CUDA's" there sh -c "$loomcc host.cpp -o host && ./host"
prints "the calls that there are" '^cudaMallocAsync' there sh -c "$loomcc --calls | tr ' ' '\\n'"
mkdir -p "$work/sys/own"
echo '__device__ int twice(int x) { return 2 * x; }' >"$work/sys/own/twice.cuh"
printf '#include <twice.cuh>\n#include <cstdio>\n__global__ void k() { printf("%%d\\n", twice(21)); }\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n' >"$work/own.cu"
prints "a folder that -I names is the program's, though it lies in one of the compiler's" '^42$' there sh -c "CPATH=$work/sys $loomcc -I$work/sys/own own.cu -o own && ./own"
cccl=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc || echo /none/none)")")")/include/cccl
if [ -f "$cccl/cuda/std/version" ]; then
    cat >"$work/cub.cu" <<'END'
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <cstdio>
__global__ void k(int *o)
{
    typedef cub::BlockReduce<int, 128> R;
    __shared__ typename R::TempStorage t;
    int s = R(t).Sum((int)threadIdx.x);
    if (threadIdx.x == 0) *o = s;
}
int main()
{
    int *x, *o;
    void *t = 0;
    size_t n = 0;
    cudaMallocManaged(&x, 4000);
    cudaMallocManaged(&o, 4);
    k<<<1, 128>>>(o);
    cudaDeviceSynchronize();
    printf("block %d\n", *o);
    for (int i = 0; i < 1000; i++) x[i] = i;
    cub::DeviceReduce::Sum(t, n, x, o, 1000);
    cudaMalloc(&t, n);
    cub::DeviceReduce::Sum(t, n, x, o, 1000);
    cudaDeviceSynchronize();
    printf("device %d\n", *o);
}
END
    prints "CUB's reduction of a block" '^block 8128$' there sh -c "$loomcc -O1 -I$cccl cub.cu -o cub && ./cub"
    also "CUB's reduction of a device" '^device 499500$'
else
    skip "CUB's reduction of a block" "needs CCCL's headers"
    skip "CUB's reduction of a device" "needs CCCL's headers"
fi

# ---- the command line --------------------------------------------------------
cat >"$work/one.cu" <<'END'
#include <cstdio>
static_assert(ULONG_MAX > INT_MAX, "nvcc has <limits.h>, too");
__global__ void k(int *p) { *p = threadIdx.x; }
int main(int argc, char **argv)
{
    int *p;
    cudaMallocManaged(&p, 4);
    k<<<1, argc == 2 ? 1 : argc>>>(p);
    cudaDeviceSynchronize();
    cudaDeviceProp d;
    cudaGetDeviceProperties(&d, 0);
    cudaFuncAttributes a; /* CUB asks it which version a kernel has */
    cudaFuncGetAttributes(&a, k);
    printf("%s %d, %d.%d\n", a.ptxVersion == 10 * d.major + d.minor ? "one" : "other", *p, d.major, d.minor);
    return argc > 1 ? 7 : 0;
}
END
ok "options without effect, a library of nvcc's, an option joined or apart" there $loomcc -arch=sm_80 -arch sm_80 \
    -gencode arch=compute_90,code=[sm_90,compute_90] --generate-code=arch=compute_80,code=sm_80 -lineinfo -use_fast_math \
    --expt-relaxed-constexpr -Xptxas -v -maxrregcount=32 -rdc=true --std c++17 -O3 -I. -I . -DX=1 -D Y -lcudart -L. one.cu -o one
prints "the program runs" '^one 0' there ./one
prints "gcov may count in a kernel that is checked" '^one 0' there sh -c "$loomcc --check -Xcompiler --coverage one.cu -o counted && ./counted"
# make run compiles once, unless the text asks which half it is
printf '%s\n' '#include <stdio.h>' '__global__ void k(int *p)' '{' '#ifdef __CUDA_ARCH__' '    *p = __CUDA_ARCH__;' '#endif' '}' \
    'int main(void) { int *d, h = 1; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); k<<<1, 1>>>(d);' \
    'cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); printf("%d\n", h); }' >"$work/arch.cu"
prints "make run: a body that asks for __CUDA_ARCH__ is compiled" '^900$' \
    flock "$built/run.lock" $MAKE -s --no-print-directory SRC="$src" B="$built" run FILE="$work/arch.cu"
cat >"$work/feature.cu" <<'END'
#include <cstdio>
__global__ void k()
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    printf("90a\n");
#else
    printf("none\n");
#endif
}
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }
END
prints "what only 9.0a has, wgmma, is there" '^90a$' there sh -c "$loomcc feature.cu -o feature && ./feature"
prints "and not on another capability" '^none$' there sh -c "LOOM_CC=8.0 $loomcc feature.cu -o feature && ./feature"
ok "LOOM_CC, when compiling" there env LOOM_CC=7.5 $loomcc one.cu -o old
if grep -q loom_capability "$SRC/loom/cuda_runtime_api.c"; then
    prints "the device reports 9.0" '^one 0, 9\.0$' there ./one
    prints "the device reports what LOOM_CC said" '^one 0, 7\.5$' there ./old
else
    skip "the device reports what LOOM_CC said" "needs the runtime that does"
fi
cat >"$work/apart.cu" <<'END'
#include <cstdio>
#define TIMES << <1, n >> >
__global__ void k(int v) { printf("%d\n", v); }
int main() { int n = 1; k << <1, n >> > (3); k TIMES (n << 2 >> 1); return cudaDeviceSynchronize(); }
END
prints "a launch as an editor formats it, << < and >> >" '^3$' there sh -c "$loomcc apart.cu -o apart && ./apart"
also "and as a macro has it" '^2$'
cat >"$work/ballot.cu" <<'END'
#include <cstdio>
__global__ void k(unsigned v)
{
    unsigned all;
    asm("{ .reg .pred p; and.b32 %0, %1, %2; setp.ne.u32 p, %0, 0; vote.ballot.sync.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
        : "=r"(all) : "r"(v + threadIdx.x), "r"(1));
    if (threadIdx.x < 2) printf("%08x\n", all);
}
int main() { k<<<1, 32>>>(0); return cudaDeviceSynchronize(); }
END
prints "CUB's way to write a vote" '^55555555$' there sh -c "$loomcc ballot.cu -o ballot && ./ballot"
also "and the lanes that voted for it" '^aaaaaaaa$'
cat >"$work/leave.cu" <<'END'
#include <cstdlib>
__global__ void slow(int *p) { for (int i = 0; i < 3000; i++) { __syncthreads(); p[threadIdx.x] += i; } }
int main() { int *p; cudaMalloc(&p, 1024); cudaMemset(p, 0, 1024); slow<<<1, 256>>>(p); exit(3); }
END
fails_run "a program that calls exit while a kernel runs ends with its code" '^3$' there sh -c "$loomcc leave.cu -o leave; ./leave; e=\$?; echo \$e; exit \$e"
fails_run "also when it is checked" 'the program ended with 3$' there sh -c "$loomcc --check leave.cu -o leave && ./leave"
fails_run "a program that is not checked ends with its own code" '^7$' there sh -c './one x; e=$?; echo $e; exit $e'
ok "dependencies" there $loomcc -c -MD -MP -MF one.d -MT one.o one.cu -o one.o
ok "name the source and the header" grep -q 'one\.o:.*one\.cu\|^ one\.cu' "$work/one.d"
ok "an object is linked" there $loomcc one.o -o linked
ok "a checked object" there $loomcc --check -c one.cu -o checked.o
ok "is linked with the checker" there $loomcc checked.o -o checked
fails_run "a checked program that fails ends with 1 and says with what" 'the program ended with 7$' there sh -c './checked x; test $? = 1 && exit 3'
ok "--count" there $loomcc --count one.cu -o count
prints "prints a table" 'global write' there ./count
ok "a static library and a shared one" there sh -c "
    $loomcc -dc $D/parts/device.cu -o device.o && $loomcc -dc $D/parts/main.cu -o main.o &&
    $loomcc -lib device.o -o libdevice.a && $loomcc -dlink main.o libdevice.a -o dlink.o &&
    $loomcc -shared -Xcompiler -fPIC $D/parts/host.cpp $D/parts/plain.c -o libhost.so &&
    $loomcc main.o dlink.o -L. -ldevice -lhost -Xlinker -rpath=. -o parts"
prints "are linked by their names" '^ok: 3 files' there ./parts
ok "g++ links with what looks like a toolkit" there sh -c "g++ one.o -L$work/lib/loom/lib64 -lcudart -o by_gxx && ./by_gxx | grep -q '^one'"
fails_run "and what is checked with the checker" 'one2.cu:3: error: out of bounds' there sh -c "
    sed 's/\*p = threadIdx.x/p[1] = 1/' one.cu >one2.cu && $loomcc --check -c one2.cu -o one2.o &&
    g++ one2.o -L$work/lib/loom/lib64 -lcudart -o by_gxx && ./by_gxx"
prints "nvcc by the path in it" 'release 13' there "$work/lib/loom/bin/nvcc" --version

# ---- bad input ---------------------------------------------------------------
bad()
{
    fails_run "refused: $1" "^loomcc: $2" there $loomcc $3
    ok "and no object is left: $1" test ! -e "$work/bad"
}
: >"$work/one.txt"
bad "an unknown option" "unknown option -frobnicate" "-frobnicate one.cu -o bad"
bad "an option without its value" "-o needs a value" "one.cu -o"
bad "a missing file" "there is no file none.cu" "none.cu -o bad"
bad "a file of an unknown kind" "one.txt: which language" "one.txt -c -o bad"
bad "no files" "no input files" "-c"
bad "code for a GPU" "-ptx: Loom has no code for a GPU" "-ptx one.cu -o bad"
bad "a library that Loom lacks" "-lcusparse: Loom has" "one.cu -lcusparse -o bad"
bad "two objects under one name" "-o bad: several files" "-c one.cu one.cu -o bad"
bad "a compiler that is not there" "nog[+][+]: there is no such" "-ccbin nog++ one.cu -o bad"
bad "32 bits" "-m 32" "-m 32 one.cu"
fails_run "refused: a capability that is none" "^loomcc: LOOM_CC=x: say a compute capability" there env LOOM_CC=x $loomcc one.cu -o bad
printf '__global__ void k(int *p) { __shared__ int s[20000]; s[*p] = 0; *p = s[p[1]]; }\n' >"$work/big.cu"
fails_run "refused: too much shared memory" 'big.cu:1: error: k\(int\*\) has 80000 bytes' there $loomcc -c big.cu -o bad
ok "and no object is left: too much shared memory" there sh -c "! $loomcc -c big.cu -o bad && ! test -e bad"
printf '#ifdef __CUDA_ARCH__\n#endif\n__global__ void k(int *p) { __shared__ int s[12000]; s[*p] = 0; *p = s[p[1]]; }\n' >"$work/half.cu"
ok "47 KB are not too much in a file of two halves" there $loomcc -c half.cu -o half.o
printf '#include "next.h"\nint main() { k<<<1, 2(); }\n' >"$work/broken.cu"
printf '__global__ void k() { }\n' >"$work/next.h"
fails_run "refused: a launch that does not parse, in its line" '^broken.cu:2: error: this launch has no end' there $loomcc -c broken.cu -o bad
ok "no object is left" test ! -e "$work/bad"
ok "what is no file is written to, and stays" there sh -c "mkfifo fifo.o; timeout 60 cat fifo.o >read.o 2>&1 & $loomcc -c one.cu -o fifo.o && test -p fifo.o && wait && readelf -h read.o"
fails_run "and stays where it fails" error there $loomcc -c broken.cu -o /dev/stdout
printf '__device__ void h(int x) { }\nint main() { h<<<1, 2>>>(3); }\n' >"$work/device.cu"
fails_run "refused: a launch of a __device__ function" '^device.cu:2: error: a __device__ function call cannot be configured' there $loomcc -c device.cu -o bad
mkdir -p "$work/toolkit/crt" && touch "$work/toolkit/crt/host_config.h" "$work/toolkit/cuda_runtime.h"
echo '#define X 1' >"$work/toolkit/cufftXt.h"
printf '#include "toolkit/cufftXt.h"\nint main() { }\n' >"$work/xt.cu"
fails_run "refused: a header that only the toolkit has" '^loomcc: xt.cu: Loom has no cufftXt.h' there $loomcc -Itoolkit xt.cu -o bad
printf '#include <onlythere.h>\n' >"$work/there.cu"
: >"$work/toolkit/onlythere.h"
fails_run "a folder of a toolkit is not looked into" 'onlythere.h(: No such file|. file not found)' there $loomcc -Itoolkit -c there.cu -o bad
ok "which does no harm to CUDA's own header" there $loomcc -Itoolkit one.cu -o one

# ---- installing --------------------------------------------------------------
ok "make install-loom" $MAKE -s SRC="$SRC" B="$B" install-loom PREFIX="$work/prefix"
prints "what is installed compiles" '^one 0' there sh -c "prefix/bin/loomcc one.cu -o installed && ./installed"
ok "make uninstall-loom" $MAKE -s SRC="$SRC" B="$B" uninstall-loom PREFIX="$work/prefix"
is "leaves nothing behind" "$(find "$work/prefix" -type f -o -type l)" ""
fails_run "install-loom without PREFIX" 'say where' env -u PREFIX $MAKE -s SRC="$SRC" B="$B" install-loom
if have man && have groff; then
    ok "the manual page is one" sh -c "groff -man -Tutf8 -ww -z '$B/loomcc/share/man/man1/loomcc.1' 2>&1 | grep . && exit 1 || exit 0"
else
    skip "the manual page is one" "needs man"
fi

# ---- CMake and gdb -----------------------------------------------------------
if have cmake; then
    for flags in "" --check; do
        rm -rf "$work/cmake"
        prints "CMake takes it as its CUDA compiler $flags" '^ok: 3 files' there sh -c "
            cmake -S $D/parts -B cmake -DCMAKE_CUDA_COMPILER=$loomcc -DCMAKE_CUDA_FLAGS=$flags >log 2>&1 &&
            make -C cmake >>log 2>&1 || { cat log; exit 1; }; cmake/parts"
    done
    # a file of C++ that asks for the toolkit gets Loom's, though one is installed
    mkdir -p "$work/found"
    cp "$work/host.cpp" "$work/found"
    cat >"$work/found/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(found LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_executable(found host.cpp)
target_link_libraries(found CUDA::cudart CUDA::curand)
add_executable(static host.cpp)
target_link_libraries(static CUDA::cudart_static)
END
    ok "CMake finds Loom as the toolkit, and no other" there sh -c "
        cmake -S found -B found/b -DCMAKE_CUDA_COMPILER=$loomcc >log 2>&1 && make -C found/b >>log 2>&1 || { cat log; exit 1; }
        found/b/found && found/b/static && grep '^CUDA_CUDART.*=$work/lib/loom/' found/b/CMakeCache.txt &&
        grep 'TOOLKIT_ROOT \"$work/lib/loom\"' found/b/CMakeFiles/*/CMakeCUDACompiler.cmake"
else
    skip "CMake takes it as its CUDA compiler" "needs cmake"
    skip "CMake finds Loom as the toolkit, and no other" "needs cmake"
fi
if have gdb; then
    prints "gdb shows the thread in which it stands" 'thread \(2,0,0\) of block \(0,0,0\); blockDim \(3,1,1\)' there \
        gdb -q -batch -x lib/loom/gdb.py -ex 'break k if threadIdx.x == 2' -ex run -ex loom --args ./one x x
else
    skip "gdb shows the thread in which it stands" "needs gdb"
fi
transcripts loomcc
done_testing
