#!/bin/sh
# Chapter 2, What is called CUDA.
. tests/tap.sh
. tests/small.sh

P=$B/loom/stack
S=$P/stackinfo
D=tests/data/stack
T=$(mktemp -d "${TMPDIR:-/tmp}/stack.XXXXXX") || exit 2
trap 'rm -rf "$tap_tmp" "$T"' EXIT
: "${CC:=cc}"

# fake FILE -DNAME=VALUE...: a library that says so; each is compiled once
fake()
{
    fake_file=$1
    shift
    fake_made=$T/made/$(echo "$*" | tr -dc 'A-Za-z0-9.')
    mkdir -p "${fake_file%/*}" "$T/made"
    [ -e "$fake_made" ] ||
        $CC -shared -fPIC "$@" -o "$fake_made" $D/fake.c || exit 2
    cp "$fake_made" "$fake_file"
}

# driver ROOT 550.54.14 12040: both halves of a driver
driver()
{
    mkdir -p "$1/proc/driver/nvidia"
    echo "NVRM version: NVIDIA UNIX x86_64 Kernel Module  $2  Wed Jan 1 00:00:00 UTC 2025
GCC version:  gcc version 12.2.0" >"$1/proc/driver/nvidia/version"
    fake "$1/usr/lib64/libcuda.so.$2" -DCUDA="$3"
    ln -s "libcuda.so.$2" "$1/usr/lib64/libcuda.so.1"
    fake "$1/usr/lib64/libnvidia-ml.so.1" "-DNVML=\"$2\""
}

# compiler ROOT what-it-says: an nvcc
compiler()
{
    mkdir -p "$1/usr/local/cuda-x/bin"
    printf '#!/bin/sh\necho "%s"\n' "$2" >"$1/usr/local/cuda-x/bin/nvcc"
    chmod +x "$1/usr/local/cuda-x/bin/nvcc"
}

# says DESC FILE ERE: a line of a kept report matches
has_line() { grep -Eq -e "$2" "$1" || { cat "$1"; return 1; }; }

# report NAME: run stackinfo on a root and keep what it says
report() { $S --root "$T/$1" >"$T/$1.out" 2>&1; }

# What nvcc is to compile is compiled while the rest is tested.
compile_all()
{
    for m in true false; do
        nvcc -arch=compute_75 -fmad=$m -I tangled -ptx -o "$T/$m.ptx" $fat
    done
    nvcc -I tangled -gencode arch=compute_75,code=compute_75 \
        -gencode arch=compute_90,code=sm_90 -o "$T/fat" $fat
    nvcc -I tangled -arch=sm_86 -fatbin -o "$T/short.fatbin" $fat
    nvcc -I tangled -gencode "arch=compute_86,code=[sm_86,compute_86]" \
        -fatbin -o "$T/long.fatbin" $fat
    for m in none size; do
        nvcc -I tangled -arch=sm_86 --compress-mode=$m -fatbin \
            -o "$T/$m.fatbin" $fat
    done
    printf '#include <cstdio>\nint main() { puts("plain"); }\n' >"$T/plain.cu"
    nvcc -ptx -o "$T/plain.ptx" "$T/plain.cu"
    nvcc -o "$T/plain" "$T/plain.cu"
    nvcc -std=c++17 -arch=sm_90a -I tangled -c -o "$T/devquery.o" \
        tangled/stack/devquery.cu
}
fat=tangled/stack/fat.cu
if [ -z "$ONLY" ] && have nvcc; then
    compile_all >"$T/nvcc.out" 2>&1 &
fi

# Building the made-up machines takes a while, so a planted bug elsewhere goes
# without them.
stackinfo_tests()
{
    # ---- stackinfo on this machine --------------------------------------------
    ok_run "stackinfo runs here, whatever is installed" $S
    $S >"$T/here.out"
    for layer in 'kernel driver' libcuda NVML libcudart NVRTC cuBLAS cuFFT cuRAND \
        cuDNN NCCL nvcc 'host compiler'; do
        ok "stackinfo names $layer" has_line "$T/here.out" "^$layer"
    done
    fails_run "stackinfo refuses arguments it does not know" 'usage' $S --jason
    fails_run "stackinfo refuses a root that is not there" 'no such folder' \
        $S --root "$T/nowhere"
    prints "stackinfo explains itself" '^usage' $S --help

    # ---- stackinfo on made-up machines -----------------------------------------
    mkdir "$T/none"
    prints "nothing installed: exit 0 and a verdict" '^No driver: nothing' \
        $S --root "$T/none"
    prints "nothing installed: cuDNN's line says how to get it" \
        'a download of its own, or pip install nvidia-cudnn' $S --root "$T/none"

    mkdir -p "$T/two"
    fake "$T/two/usr/local/cuda-12.8/lib64/libcudart.so.12" -DCUDART=12080
    fake "$T/two/usr/local/cuda-13.0/lib64/libcudart.so.13" -DCUDART=13000
    ln -s cuda-13.0 "$T/two/usr/local/cuda"
    prints "two toolkits and a link to one: each is shown once" '^2$' \
        sh -c "$S --root '$T/two' | grep -c libcudart.so"

    fake "$T/crash/usr/lib64/libcuda.so.1" -DCRASH -DCUDA=13000
    prints "a libcuda that crashes when it is opened" \
        'killed the process that opened it \(signal 11\)' $S --root "$T/crash"

    driver "$T/minor" 550.54.14 12040
    fake "$T/minor/usr/local/cuda-12.8/lib64/libcudart.so.12" -DCUDART=12080
    compiler "$T/minor" "Cuda compilation tools, release 12.8, V12.8.93"
    prints "E66: driver, runtime and toolkit are three numbers: driver 12.4" \
        '^The driver supports programs up to CUDA 12\.4\.$' $S --root "$T/minor"
    prints "E66: runtime 12.8 on a driver for 12.4 starts, but compiles no PTX" \
        '^CUDA 12\.8, the shared .*: will start \(minor-version' $S --root "$T/minor"
    prints "E66: the toolkit is found and judged apart" \
        '^CUDA 12\.8, what this nvcc builds: will start \(minor' $S --root "$T/minor"
    prints "the device is listed under the driver that knows it" \
        '^GPU +8\.6 +Fake GPU, compute capability 8\.6' $S --root "$T/minor"
    prints "the kernel driver's version" '^kernel driver +550\.54\.14 ' \
        $S --root "$T/minor"
    prints "NVML says the driver's version" '^NVML +550\.54\.14 ' $S --root "$T/minor"

    driver "$T/major" 550.54.14 12040
    fake "$T/major/usr/local/cuda/lib64/libcudart.so.13" -DCUDART=13000
    prints "E66: runtime 13.0 on a driver for 12.4 does not start" \
        '^CUDA 13\.0, .*: will NOT start \(error 35\)' $S --root "$T/major"
    driver "$T/newer" 580.95.05 13000
    fake "$T/newer/usr/local/cuda/lib64/libcudart.so.11.0" -DCUDART=11080
    compiler "$T/newer" "Cuda compilation tools, release 13.0, V13.0.88"
    prints "an old runtime starts on a new driver" \
        '^CUDA 11\.8, the shared runtime found above: will start\.$' \
        $S --root "$T/newer"
    prints "toolkit and runtime of different major versions are pointed out" \
        '^nvcc and the shared runtime differ' $S --root "$T/newer"

    driver "$T/halves" 580.95.05 13000
    sed 's/580.95.05/570.86.15/' "$T/halves/proc/driver/nvidia/version" >"$T/v"
    cp "$T/v" "$T/halves/proc/driver/nvidia/version"
    prints "E69: halves of a driver that do not match: error 803" 'error 803' \
        $S --root "$T/halves"
    prints "E69: halves that match are no complaint" '^The driver supports' \
        $S --root "$T/newer"

    driver "$T/forward" 535.54.03 12020
    rm "$T"/forward/usr/lib64/libcuda*
    fake "$T/forward/usr/local/cuda-13.0/compat/libcuda.so.580.95.05" -DCUDA=13000
    prints "E69: a cuda-compat libcuda may be newer than the kernel driver" \
        'from a cuda-compat package' $S --root "$T/forward"
    prints "the driver's version is shown as it is written" \
        '^kernel driver +535\.54\.03 ' $S --root "$T/forward"

    full=$T/full/usr/local/cuda/lib64
    driver "$T/full" 580.95.05 13000
    fake "$full/libcudart.so.12" -DCUDART=12060
    fake "$full/libnvrtc.so.12" -DNVRTC=12
    for l in cublas cufft curand; do
        fake "$full/lib$l.so.12" -DPROPERTY=${l}GetProperty
    done
    report full
    for l in 'libcudart +12\.6' 'NVRTC +12\.3' 'cuBLAS +12\.3\.4' \
        'cuFFT +12\.3\.4' 'cuRAND +12\.3\.4'; do
        ok "E68: a toolkit has ${l%% *}" has_line "$T/full.out" "^$l "
    done
    for l in cuDNN NCCL; do
        prints "E68: a complete toolkit has no $l" "^$l +missing" $S --root "$T/full"
    done
    for v in 8902=8.9.2 90100=9.1 91900=9.19; do
        fake "$full/libcudnn.so.9" -DCUDNN="${v%=*}"
        prints "cuDNN's ${v%=*} is ${v#*=}" "^cuDNN +${v#*=} " $S --root "$T/full"
    done
    for v in 2804=2.8.4 22809=2.28.9; do
        fake "$full/libnccl.so.2" -DNCCL="${v%=*}"
        prints "NCCL's ${v%=*} is ${v#*=}" "^NCCL +${v#*=} " $S --root "$T/full"
    done

    mkdir -p "$T/wsl/dev"
    : >"$T/wsl/dev/dxg"
    fake "$T/wsl/usr/lib/wsl/lib/libcuda.so.1" -DCUDA=12070
    prints "WSL: the kernel driver is Windows'" 'WSL: ' $S --root "$T/wsl"
    prints "WSL: libcuda is found where WSL keeps it" \
        '^The driver supports programs up to CUDA 12\.7' $S --root "$T/wsl"
    fake "$T/nix/run/opengl-driver/lib/libcuda.so.1" -DCUDA=12070
    prints "NixOS: libcuda is found where it keeps it; no kernel driver is said" \
        'libcuda\.so\.1 but no kernel driver' $S --root "$T/nix"
    driver "$T/half" 550.54.14 12040
    rm "$T"/half/usr/lib64/libcuda*
    prints "a kernel driver without libcuda" 'half of the driver is missing' \
        $S --root "$T/half"

    wheel=home/u/.local/lib/python3.11/site-packages/nvidia
    fake "$T/wheel/$wheel/cuda_runtime/lib/libcudart.so.12" -DCUDART=12060
    fake "$T/wheel/$wheel/cu13/lib/libcudart.so.13" -DCUDART=13000
    prints "wheels: CUDA 12's folder" 'nvidia/cuda_runtime/lib/libcudart\.so\.12' \
        env HOME=/home/u $S --root "$T/wheel"
    prints "wheels: CUDA 13's folder" 'nvidia/cu13/lib/libcudart\.so\.13' \
        env HOME=/home/u $S --root "$T/wheel"

    # ---- stackinfo on broken machines -------------------------------------------
    for v in 'Open Kernel Module for x86_64  580.95.05  Release Build=580.95' \
        'Kernel Module  535.54  Mon=535.54'; do
        driver "$T/text" 580.95.05 13000 2>/dev/null
        echo "NVRM version: NVIDIA UNIX ${v%=*}" >"$T/text/proc/driver/nvidia/version"
        prints "the version is read from: ${v%=*}" "^kernel driver +${v#*=}" \
            $S --root "$T/text"
        rm -r "$T/text"
    done
    driver "$T/garbage" 580.95.05 13000
    echo 'no news since 5 today' >"$T/garbage/proc/driver/nvidia/version"
    prints "a version file full of garbage is quoted" 'holds no version: "no news' \
        $S --root "$T/garbage"
    prints "and its numbers are not believed" '^The driver supports' \
        $S --root "$T/garbage"
    : >"$T/garbage/proc/driver/nvidia/version"
    prints "an empty version file" 'holds no version: ""' $S --root "$T/garbage"
    head -c 3000 /dev/urandom >"$T/garbage/proc/driver/nvidia/version"
    ok_run "a version file of random bytes" $S --root "$T/garbage"
    echo text >"$T/garbage/usr/lib64/libcuda.so.580.95.05"
    prints "a libcuda that is a text file" 'does not load: ' $S --root "$T/garbage"
    fake "$T/stub/usr/lib64/libcuda.so.1" -DCUDA=0 -DSTATUS=34
    prints "a stub is called a stub" 'error 34: it is a stub' $S --root "$T/stub"
    fake "$T/liar/usr/lib64/libcudnn.so.9" -DCUDA=0
    prints "a library that is not what its name says" 'has no cudnnGetVersion' \
        $S --root "$T/liar"
    fake "$T/nvml/usr/lib64/libnvidia-ml.so.1" '-DNVML="1"' -DSTATUS=9
    prints "NVML without a driver says so" 'error 9' $S --root "$T/nvml"
    compiler "$T/nvcc" "release 13, nothing that looks like a version"
    prints "an nvcc that does not tell has no version" '^nvcc +\? ' \
        $S --root "$T/nvcc"
    prints "and that is said" 'does not tell its version' \
        $S --root "$T/nvcc"
    mkdir -p "$T/links/usr/lib64"
    ln -s nowhere "$T/links/usr/lib64/libcuda.so.1"
    prints "a link to nowhere is no library" '^libcuda +missing' $S --root "$T/links"
}
if tap_wanted $S; then stackinfo_tests; fi

# ---- the three comparisons, at their edges; the advice ---------------------------
if tap_wanted $S $P/fatls $P/solutions/compat $P/fat $P/devquery; then
    $CC -std=c11 -I "$SRC" -isystem $D -o "$T/edges" $D/edges.c && "$T/edges" >"$T/edges.out"
    is "the oldest CUDA for each version of PTX, 6.3 to 9.2, is that of the manual (it has no 7.9, 8.9)" \
        "$(sed -n 1p "$T/edges.out" | tr ';' '\n')" "10020,10020,10020,10020,10020,10020,10020
11000,11010,11020,11030,11040,11050,11060,11070,11080,11090
12000,12010,12020,12030,12040,12050,12070,12080,12090,12100
13000,13010,13020"
    is "a runtime on an older driver starts from 11 on, within a major version" \
        "$(sed -n 2p "$T/edges.out")" 00101122
    is "cubin 8.0, PTX 8.0, cubin 9.0a, PTX 10.0f, cubin 10.3f on seven devices" \
        "$(sed -n 3p "$T/edges.out")" "75:00000 80:21000 89:21000 90:01200 \
100:01010 103:01012 121:01000 "
    is "there is advice for eight errors, and for no other" \
        "$(sed -n 4p "$T/edges.out")" "34 35 100 209 218 221 222 803 "
    ok "CU_CHECK says nothing of a call that succeeds" sh -c "[ -z \"\$('$T/edges' 0 2>&1)\" ]"
    fails_run "CU_CHECK says where, which call, what, and the advice" \
        'edges.c:[0-9]+: gives\(atoi\(argv\[1\]\)\): UNSUPPORTED \(222\): too new' "$T/edges" 222
fi

# ---- contraction -------------------------------------------------------------
# counts PTX: how often it multiplies, adds and does both at once, in floats
counts()
{
    grep -oE '[[:space:]](fma|mul|add)\.(rn\.)?f32' "$1" | sed 's/\..*//' |
        LC_ALL=C sort | uniq -c | awk '{ printf "%s %d;", $2, $1 }'
}
is "E14: with contraction there is one fma (recorded PTX)" \
    "$(counts $D/axpy_fma.ptx)" "fma 1;"
is "E14: without, a multiplication and an addition (recorded PTX)" \
    "$(counts $D/axpy_nofma.ptx)" "add 1;mul 1;"
if [ -n "$ONLY" ]; then :
elif have nvcc; then
    wait
    is "E14: nvcc -fmad=true contracts" "$(counts "$T/true.ptx")" "fma 1;"
    is "E14: nvcc -fmad=false does not" "$(counts "$T/false.ptx")" \
        "add 1;mul 1;"
else
    skip "E14: nvcc -fmad=true and false" "needs nvcc"
fi

# ---- fatls -------------------------------------------------------------------
F=$P/fatls
prints "fatls: the PTX of the recorded container" \
    '1  PTX    compute_75 .*version 9\.0 ' $F $D/axpy.fatbin
prints "fatls: the cubin" '2  cubin  sm_90 ' $F $D/axpy.fatbin
prints "fatls: the architecture-specific PTX" '3  PTX    compute_90a ' \
    $F $D/axpy.fatbin
prints "fatls: the family-specific cubin" '4  cubin  sm_100f ' $F $D/axpy.fatbin
# can CC N what: what a device can do with entry N
can()
{
    prints "E36: on $1, entry $2 of the recorded container: $3" \
        "^  $2 .*: $3\$" $F $D/axpy.fatbin --for "$1"
}
can 9.0 1 'fits, not taken'
can 12.0 1 'taken, compiled at start-up'
can 7.0 1 'not for this device'
can 9.0 2 'taken, runs as it is'
can 10.0 2 'not for this device'
can 9.0 3 'fits, not taken'
can 10.0 3 'not for this device'
can 12.0 3 'not for this device'
can 10.3 1 'fits, not taken'
can 10.3 4 'taken, runs as it is'
can 12.0 4 'not for this device'
prints "E36: PTX 9.0 is too new for a driver of 12.9, on any device" \
    '^  1 .*: PTX too new for this driver$' \
    $F $D/axpy.fatbin --for 12.0 --driver 12.9
prints "E36: and not for one of 13.0" '^  1 .*: taken, compiled at start-up$' \
    $F $D/axpy.fatbin --for 12.0 --driver 13.0
prints "fatls --help says how" '^usage: fatls FILE' $F --help
prints "a file without a container" 'no fat binary' $F $D/fake.c
: >"$T/empty"
prints "an empty file" 'no fat binary' $F "$T/empty"
fails_run "a file that is not there" 'nowhere' $F "$T/nowhere"
for bad in "" "--for" "--for 9" "--for 9.0x" "--for 9.0 --driver" \
    "--driver 12.4" "--fro 9.0"; do
    # shellcheck disable=SC2086
    fails_run "fatls refuses: FILE $bad" 'usage' $F ${bad:+$D/axpy.fatbin} $bad
done
head -c 5000 $D/axpy.fatbin >"$T/short"
fails_run "a container that was cut short" 'cut short' $F "$T/short"
# poke OFFSET BYTES(octal escapes): the recorded container with other bytes
poke()
{
    cp $D/axpy.fatbin "$T/poked"
    # shellcheck disable=SC2059
    printf "$2" | dd of="$T/poked" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
poke 24 '\377\377\377\377\377\377\377\377'
fails_run "an image of 2^64 - 1 bytes" 'longer than its container' $F "$T/poked"
poke 20 '\0\0\0\0'
fails_run "a header of 0 bytes" 'impossible size' $F "$T/poked"
poke 8 '\377\377\377\377\377\377\377\177'
fails_run "a container of 2^63 - 1 bytes" 'cut short' $F "$T/poked"
poke 8 '\40\0\0\0\0\0\0\0'
fails_run "a container that ends within a header" 'in the middle' $F "$T/poked"

# No damage makes the reader read or write where it must not. Leaks are
# not looked for: what a refused file held goes back to the system at the exit,
# and the leak checker cannot work in every container.
damage()
{
    $CC -std=c11 -g -fsanitize=address,undefined -I "$SRC" \
        -o "$T/$1.asan" "$SRC/stack/$1.c" || return 1
    size=$(wc -c <"$2")
    n=0
    while [ "$n" -lt "$size" ]; do
        head -c "$n" "$2" >"$T/cut"
        ASAN_OPTIONS=detect_leaks=0 "$T/$1.asan" "$T/cut" --for 9.0 \
            >"$T/cut.out" 2>&1
        if grep -q -e 'Sanitizer' -e 'runtime error' "$T/cut.out"; then
            cat "$T/cut.out"
            return 1
        fi
        n=$((n + $3))
    done
}
if [ -n "$ONLY" ]; then :
elif echo 'int main(void) { return 0; }' |
    $CC -fsanitize=address,undefined -x c -o "$T/san" - 2>/dev/null; then
    ok "fatls stays in bounds on a container cut anywhere" \
        damage fatls $D/axpy.fatbin 641
else
    skip "fatls stays in bounds on damaged files" "needs AddressSanitizer"
fi

# ---- with nvcc: real containers, real refusals ---------------------------------
if [ -n "$ONLY" ]; then :
elif have nvcc; then
    wait
    prints "E36: a real binary holds PTX for 7.5" 'PTX    compute_75 ' $F "$T/fat"
    prints "E36: and a cubin for 9.0" 'cubin  sm_90 ' $F "$T/fat"
    is "E35: -arch=sm_86 gives a cubin and PTX" \
        "$($F "$T/short.fatbin" | awk 'NR > 1 { print $2, $3 }' | sort |
            tr '\n' ' ')" "PTX compute_86 cubin sm_86 "
    is "E35: and so does the long form" "$($F "$T/short.fatbin")" \
        "$($F "$T/long.fatbin")"
    for m in none size; do
        if [ -s "$T/$m.fatbin" ]; then
            prints "fatls reads containers compressed for $m" 'compute_86' \
                $F "$T/$m.fatbin"
        else
            skip "containers compressed for $m" "needs nvcc 12.9"
        fi
    done
    if have cuobjdump; then
        is "fatls and cuobjdump list the same cubins" \
            "$($F "$T/fat" | grep -c cubin)" \
            "$(cuobjdump -lelf "$T/fat" | grep -c cubin)"
        is "fatls and cuobjdump list the same PTX" \
            "$($F "$T/fat" | grep -c PTX)" \
            "$(cuobjdump -lptx "$T/fat" | grep -c ptx)"
    else
        skip "fatls and cuobjdump list the same" "needs cuobjdump"
    fi
    sed -e 's/6\.3/8.0/' -e 's/sm_75/sm_90a/' tangled/stack/offset.ptx >"$T/a.ptx"
    if nvcc --list-gpu-code | grep -q sm_100; then
        fails_run "E36: PTX for sm_90a is refused for a later architecture" \
            'cannot be compiled to future' sh -c \
            "ptxas -arch=sm_100 -o '$T/a.cubin' '$T/a.ptx' || exit 1"
    else
        skip "E36: PTX for sm_90a on a later architecture" "needs nvcc 12.8"
    fi
    ok_run "E36: PTX for sm_90a is compiled for 9.0a" \
        ptxas -arch=sm_90a -o "$T/a.cubin" "$T/a.ptx"
    ok_run "E36: PTX for 7.5 is compiled for 9.0" \
        ptxas -arch=sm_90 -o "$T/offset.cubin" tangled/stack/offset.ptx
    sed -e /add.s64/d -e 's/%rd3+0/%rd2+2560/' tangled/stack/offset.ptx \
        >"$T/folded.ptx"
    ok_run "the folded form is compiled too" \
        ptxas -arch=sm_90 -o "$T/folded.cubin" "$T/folded.ptx"
    ok "E75: with or without the fold, the machine code is the same" \
        cmp "$T/offset.cubin" "$T/folded.cubin"
    # sass FILE: its instructions, as recorded
    sass() { nvdisasm -c "$1" | grep -E '^ +/\*[0-9a-f]{4}\*/' | grep -v NOP |
        sed 's/ *$//'; }
    if have nvdisasm; then
        is "E75: the recorded SASS is what ptxas makes" \
            "$(sass "$T/offset.cubin" | grep -o 'STG.*')" \
            "$(grep -o 'STG.*' $D/offset.sass)"
    else
        skip "E75: the recorded SASS is what ptxas makes" "needs nvdisasm"
    fi
    if nvcc --list-gpu-code | grep -q sm_70; then
        skip "CUDA 13 refuses Volta" "needs nvcc 13"
    else
        fails_run "CUDA 13 refuses Volta" "[Uu]nsupported.*compute_70|sm_70" \
            nvcc -arch=sm_70 -c -o "$T/volta.o" tangled/stack/fat.cu
    fi
    is "E52: C++ without CUDA's words has no function in its PTX" \
        "$(grep -cE '\.(entry|func)' "$T/plain.ptx")" 0
    prints "E52: and runs as it would without nvcc" '^plain$' "$T/plain"
    printf '#include <stdlib.h>\nint main() { float *p = malloc(4); free(p); }\n' \
        >"$T/c.cu"
    fails_run "E52: a .cu file is C++, not C" 'void \*' \
        nvcc -c -o "$T/c.o" "$T/c.cu"
    ok "E42: devquery compiles with this nvcc" \
        sh -c "test -s '$T/devquery.o' || { cat '$T/nvcc.out'; exit 1; }"
else
    for d in "E35: what -arch=sm_86 puts into the binary" \
        "E36: a real fat binary" "E52: C++ through nvcc" \
        "E75: the same machine code with and without the fold" \
        "E42: devquery compiles with this nvcc"; do
        skip "$d" "needs nvcc"
    done
fi
prints "E75: the recorded SASS stores with the offset" 'R2\.64\+0xa00' \
    cat $D/offset.sass

# ---- programs with kernels -------------------------------------------------------
for b in $BACKENDS; do
    P=$B/$b/stack
    prints "E42: devquery asks every question, on the $b" '^  warp +32 threads' \
        $P/devquery
    each fat 1 2 31 32 33 127 255 256 257 1000 4099
    fails_run "fat refuses 0 elements, on the $b" 'too small' $P/fat 0
    fails_run "CUDA_CHECK says where, which call and what, on the $b" \
        '[a-z]:[0-9]+: cudaSetDevice\(99\): cudaErrorInvalidDevice \(101\): .' \
        $P/wrong/no_such_device
done
case " $BACKENDS " in
*" gpu "*)
    prints "E36: PTX for 7.5 runs here as code for this device" \
        'made from PTX for compute_75' $B/gpu/stack/ptx_jit 1000
    prints "E36: PTX for a foreign a-target is refused" 'PTX for sm_[0-9]+a: CUDA_ERR' \
        $B/gpu/stack/ptx_jit 33
    ;;
*)
    skip "E36: load PTX for 7.5 on this device, twice" "needs a GPU"
    skip "E36: PTX for a foreign a-target is refused by the driver" "needs a GPU"
    ;;
esac

wrongs stack
solutions stack
checked stack
transcripts stack
small_agrees stack 3
done_testing
