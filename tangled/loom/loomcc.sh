#!/bin/sh
# loomcc: compiles CUDA for Loom with nvcc's command line. loomcc --help says how.
set -u
LC_ALL=C
export LC_ALL
self=$(readlink -f "$0")
lib=${self%/bin/*}/lib/loom
CXX=${CXX:-g++}

# ---- say it
die()
{
    echo "loomcc: $*" >&2
    exit 1
}

# say how loomcc is called
usage()
{
    cat <<'END'
usage: loomcc [option...] file...
Compiles and links CUDA programs that run on the CPU. It takes nvcc's options:
  -o FILE  -c  -dc  -dlink  -lib  -shared  -E  -M  -MM  -run
  -x cu|c++|c  -std=c++17|20|23  -O0..-O3  -g  -G  -pg
  -I -isystem -iquote -include -D -U -l -L  -Xcompiler -Xlinker  -ccbin CXX
  -MD -MMD -MP -MF -MT  -fPIC  -w  -v  -rdc=true|false  --default-stream KIND
  -arch -code -gencode -lineinfo -maxrregcount -use_fast_math -ftz -prec-div
  -prec-sqrt -fmad -expt-relaxed-constexpr -extended-lambda -Xptxas -Xnvlink
  -res-usage -cudart -t -m64 -Werror -Wno-deprecated-gpu-targets
  -diag-suppress -diag-error -keep and the like are read and change nothing
and four of its own:
  --check  checks every access: races, bounds, use after free, unset memory
  --count  the same, and prints requests, sectors and bank passes by line
  --include-dir  prints the folder of the headers, for files that g++ compiles
  --calls  prints the calls of the runtime that there are, and those refused
In the environment: LOOM_CC=9.0 is the compute capability that code is compiled
for and the device reports; CXX is the C++ compiler (g++ or clang++), as -ccbin.
A checked program ends with 0, with 1 if it failed and 2 if a mistake was found.
man loomcc has the rest.
END
}

# list the calls of the runtime
calls()
{
    cd "$lib/include/loom" || exit
    sed -n 's/^LOOM_LACKS_CALL(\(cuda[A-Za-z0-9]*\))$/\1/p' cuda_runtime.h | sort >"${TMPDIR:-/tmp}/loomcc.$$"
    {
        nm -g --defined-only "$lib/libloom.a" 2>/dev/null | sed -n 's/.* T \(cuda[A-Z][A-Za-z0-9]*\)$/\1/p'
        grep -oh '\<cuda[A-Z][A-Za-z0-9]*[(,]' cuda_runtime.h host_calls.h texture.h | sed 's/[(,]$//'
    } | sort -u | grep -v '^cudaError\|^cudaMemcpy\(Device\|Host\)To\|Kind$' | comm -23 - "${TMPDIR:-/tmp}/loomcc.$$" |
        fmt -w 78
    echo "refused by name:"
    fmt -w 78 <"${TMPDIR:-/tmp}/loomcc.$$"
    rm -f "${TMPDIR:-/tmp}/loomcc.$$"
}

# know which compiler it is
# checker_flags: for this compiler, and what keeps it quiet; make asks for them, too
checker_flags()
{
    case $("$CXX" --version 2>/dev/null) in
    *clang*)
        checked="-fsanitize=array-bounds -mllvm -tsan-instrument-func-entry-exit=0
            -mllvm -tsan-distinguish-volatile=1 -mllvm -disable-block-placement
            -mllvm -tsan-instrument-read-before-write=1 -Wno-pass-failed
            -fsanitize-coverage=bb,no-prune,trace-pc -fno-vectorize -fno-slp-vectorize"
        quiet="-Wno-unknown-warning-option -Wno-unknown-pragmas -fno-addrsig"
        shared=thread_local
        ;;
    *)
        checked="-fsanitize=bounds --param tsan-instrument-func-entry-exit=0
            --param tsan-distinguish-volatile=1 -fno-reorder-blocks -fno-tree-sra
            -fno-elide-constructors -fsanitize-coverage=trace-pc -Wno-tsan"
        quiet="-Wno-unknown-pragmas -fno-gnu-unique"
        shared=__thread
        ;;
    esac
    checked="$checked -fsanitize=thread -fno-optimize-sibling-calls"
}
# ---- read the command line
# Lists that are handed on keep their words apart by newlines.
nl='
'
inputs= pass= include= link= depend= phony= hosts= out= odir= mode=link lang= std=gnu++17 cstd=
opt= debug=-g pic= check= count= verbose= rdc= run= depend_file= depend_target= value=

# add LIST WORD
add()
{
    eval "$1=\$$1\${$1:+\$nl}\$2"
}
while [ $# -gt 0 ]; do
    a=$1
    shift
    # read the value of an option
    # nvcc's options may have one dash or two, and a value behind = or a space
    case $a in
    --?*) o=-${a#--} ;;
    *) o=$a ;;
    esac
    case $o in
    -o | -I | -D | -U | -L | -l | -x | -std | -isystem | -iquote | -include | -Xcompiler | -Xlinker | -ccbin | \
        -MF | -MT | -MQ | -output-file | -include-path | -system-include | -pre-include | -define-macro | -undefine-macro | -library-path | \
        -library | -compiler-options | -linker-options | -compiler-bindir | -dependency-output | -output-directory | -odir | \
        -optimize | -O | -default-stream | -rdc | -relocatable-device-code | -arch | -gpu-architecture | -code | -gpu-code | \
        -gencode | -generate-code | -maxrregcount | -ftz | -prec-div | -prec-sqrt | -fmad | -Xptxas | -ptxas-options | \
        -Xnvlink | -nvlink-options | -cudart | -t | -threads | -diag-suppress | -diag-error | -diag-warn | -Xarchive | \
        -m | -machine | -Werror | -cudadevrt | -keep-dir | -split-compile | -options-file | -optf)
        case $o in
        -O | -Werror) value= ;;    # a joined value alone
        *)
            [ $# -gt 0 ] || die "$a needs a value behind it"
            value=$1
            shift
            ;;
        esac
        ;;
    -[IDULlx]?* | -Wl,*) ;;
    -*=*) value=${o#*=} o=${o%%=*} ;;
    esac
    case $o in
    -Wl,* | -lineinfo | -lib) ;;
    -[IDULlx]?*)
        value=${o#-?}
        o=${o%"$value"}
        ;;
    -t[0-9]*) o=-t ;;
    esac
    case $o in
    # read an option
    # read what is to be done
    -h | -help) usage; exit 0 ;;
    -V | -version)
        # by these words CMake knows nvcc; without them it looks for an installed one
        echo "loomcc, in the place of nvcc: NVIDIA (R) Cuda compiler driver"
        echo "Cuda compilation tools, release 13.0, V13.0.0, for Loom on the CPU"
        exit 0
        ;;
    -include-dir) echo "$lib/include"; exit 0 ;;
    -check-flags)
        checker_flags
        # shellcheck disable=SC2086
        echo $checked
        exit 0
        ;;
    -calls) calls; exit 0 ;;
    -check) check=1 ;;
    -count) check=1 count=1 ;;
    -o | -output-file) out=$value ;;
    -odir | -output-directory) odir=$value ;;
    -c | -compile | -dc | -device-c)
        mode=compile
        case $o in -d*) rdc=1 ;; esac
        ;;
    -dlink | -device-link) mode=dlink ;;
    -lib) mode=lib ;;
    -shared) mode=shared pic=-fPIC ;;
    -E | -preprocess) mode=preprocess ;;
    -M | -MM | -generate-dependencies | -generate-nonsystem-dependencies) mode=depend ;;
    -run) run=1 ;;
    -options-file | -optf)
        [ -f "$value" ] || die "there is no file $value"
        eval "set -- $(tr '\n' ' ' <"$value") \"\$@\""
        ;;
    -I | -include-path) add include "-I$value" ;;
    -isystem | -system-include) add include "-isystem$nl$value" ;;
    -iquote) add include "-iquote$nl$value" ;;
    -include | -pre-include) add pass "-include$nl$value" ;;
    -D | -define-macro) add pass "-D$value" ;;
    -U | -undefine-macro) add pass "-U$value" ;;
    -L | -library-path) add link "-L$value" ;;
    -l | -library) add inputs "-l$value" ;;
    -x) lang=$value ;;
    -std)
        case $value in
        c++03 | c++11 | c++14 | c++17) std=gnu++17 ;;
        c++2[0-9a] | gnu++[12][0-9a]) std=gnu++${value##*+} ;;
        c[0-9]* | gnu[0-9]*) cstd=-std=$value ;;
        *) die "-std=$value: say c++17, c++20 or c++23 (c++11 and c++14 are compiled as c++17)" ;;
        esac
        ;;
    -O0 | -O1 | -O2 | -O3 | -Os | -Ofast | -Og) opt=$o ;;
    -O | -optimize) opt=-O${value:-2} ;;
    -g | -debug) debug=-g ;;
    -g[0-3] | -ggdb*) debug=$o ;;
    -G | -device-debug) opt=${opt:--O0} ;;
    -pg | -profile) add hosts -pg && add link -pg ;;
    # read an option for the host compiler
    -Xcompiler | -compiler-options)
        # nvcc takes a list with commas, and what a shell would make of the quotes
        for w in $(printf '%s' "$value" | sed 's/\\,/\a/g; s/,/ /g; s/\a/,/g; s/["'\'']//g'); do
            case $w in
            -fPIC | -fpic | -fPIE) pic=-fPIC ;;
            -O[0-3s]) opt=${opt:-$w} ;;
            -std=*) ;;
            -D* | -U*) add pass "$w" ;;
            -I*) add include "$w" ;;
            *) add hosts "$w" ;;
            esac
        done
        ;;
    -Xlinker | -linker-options)
        for w in $(printf '%s' "$value" | tr ',' ' '); do add link "-Xlinker$nl$w"; done
        ;;
    -Wl,* | -pthread | -rdynamic | -fopenmp | -static-libstdc++ | -static-libgcc) add link "$o" && add hosts "$o" ;;
    -fPIC | -fpic) pic=-fPIC ;;
    -ccbin | -compiler-bindir)
        CXX=$value
        [ ! -d "$CXX" ] || CXX=$CXX/g++
        export CXX
        ;;
    -MD | -MMD | -generate-dependencies-with-compile | -generate-nonsystem-dependencies-with-compile) depend=1 ;;
    -MP | -generate-dependency-targets) phony=-MP ;;
    -MF | -dependency-output) depend_file=$value ;;
    -MT | -MQ) depend_target=$value ;;
    -w | -disable-warnings) add hosts -w ;;
    -Wall | -Wextra | -Wno-* | -W[a-z]*-*)
        case $o in
        -Wno-deprecated-gpu-targets | -Wext-lambda* | -Wdefault-stream-launch | -Wmissing-launch-bounds | -Wreorder) ;;
        *) add hosts "$o" ;;
        esac
        ;;
    -v | -verbose | -dryrun) verbose=1 ;;
    -rdc | -relocatable-device-code) case $value in true | yes | 1) rdc=1 ;; esac ;;
    -default-stream)
        case $value in
        legacy | null) ;;
        per-thread) add pass -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 ;;
        *) die "--default-stream $value: say legacy or per-thread" ;;
        esac
        ;;
    -m64) ;;
    -m32) die "-m32: Loom is for 64 bits" ;;
    -m | -machine) [ "$value" = 64 ] || die "-m $value: Loom is for 64 bits" ;;
    # read an option that changes nothing
    -extended-lambda | -expt-extended-lambda) add pass -D__CUDACC_EXTENDED_LAMBDA__=1 ;;
    -expt-relaxed-constexpr) add pass -D__CUDACC_RELAXED_CONSTEXPR__=1 ;;
    -arch | -gpu-architecture | -code | -gpu-code | -gencode | -generate-code | -maxrregcount | -ftz | -prec-div | \
        -prec-sqrt | -fmad | -Xptxas | -ptxas-options | -Xnvlink | -nvlink-options | -cudart | -cudadevrt | -t | -threads | \
        -diag-suppress | -diag-error | -diag-warn | -Xarchive | -Werror | -keep-dir | -split-compile | \
        -lineinfo | -generate-line-info | -use_fast_math | -expt-* | -res-usage | -resource-usage | -keep | -save-temps | \
        -forward-unknown-to-host-compiler | -forward-unknown-to-host-linker | -forward-unknown-opts | -restrict | \
        -extra-device-vectorization | -dlto | -dlink-time-opt | -no-align-double | -no-compress | -compress-mode | \
        -display-error-number | -no-display-error-number | -source-in-ptx | -Wno-deprecated-gpu-targets | -objdir-as-tempdir | -std-default) ;;
    -ptx | -cubin | -fatbin | -optix-ir | -ltoir | -cuda)
        die "$a: Loom has no code for a GPU; it compiles to objects and programs (-c, -o)"
        ;;
    -) die "-: loomcc reads files, not its standard input" ;;
    -*) die "unknown option $a: loomcc --help lists those there are; what is the C++ compiler's goes behind -Xcompiler" ;;
    *) add inputs "${lang:-.}:$a" ;;
    esac
done

# look whether all is there
# ---- what the words come to
work=$(mktemp -d "${TMPDIR:-/tmp}/loomcc.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
# CMake asks where the toolkit is by a file that there is not
[ -z "$verbose" ] || echo "#\$ TOP=$lib" >&2
[ -n "$inputs" ] || die "no input files: say at least one (loomcc --help)"
command -v "$CXX" >/dev/null || die "$CXX: there is no such C++ compiler (CXX, -ccbin)"
[ -f "$lib/libloom.a" ] || die "there is no $lib/libloom.a: make loomcc builds it, make install-loom installs it"
capability=${LOOM_CC:-9.0}
case $capability in
[0-9].[0-9] | 1[0-9].[0-9]) arch=${capability%.*}${capability#*.}0 ;;
*) die "LOOM_CC=$capability: say a compute capability such as 9.0" ;;
esac
feature=    # what only this one has, and Loom as well: wgmma
[ "$arch" != 900 ] || feature=-D__CUDA_ARCH_FEAT_SM90_ALL=1
[ "$arch" -ge 500 ] || die "LOOM_CC=$capability: CUDA 13 and Loom know 5.0 and newer"
IFS=$nl
set -f

# show a command
# show COMMAND...: run it, and show it with -v
show()
{
    [ -z "$verbose" ] || {
        IFS=' '
        echo "#\$ $*" >&2
        IFS=$nl
    }
    "$@"
}

# put Loom's headers first
# include_flags: Loom's headers first; a toolkit's never
include_flags()
{
    printf '%s\n' "-I$lib/include"
    skip=
    for w in $include; do
        d=${w#-I}
        case $w in
        -isystem | -iquote) skip=$w; continue ;;
        esac
        if [ -f "$d/cuda_runtime.h" ] && [ -f "$d/crt/host_config.h" ]; then
            :
        elif [ -n "$skip" ]; then
            printf '%s\n' "$skip" "$d"
        else
            printf '%s\n' "$w"
        fi
        skip=
    done
    [ -n "$cccl" ] || printf '%s\n' "-I$lib/libcu"
}

# write down the flags
cccl=
for w in $include; do
    [ ! -f "${w#-I}/cuda/std/version" ] || cccl=1
done
if [ -n "$cccl" ]; then
    for w in FP16 BF16 NVFP8 NVFP6 NVFP4; do add pass "-DCCCL_DISABLE_${w}_SUPPORT"; done
    add pass -DCCCL_DISABLE_NVTX
    "$CXX" --version | grep -q clang || add hosts -fpermissive
fi
flags=$(include_flags)
named=$(printf '%s' "$include" | sed 's/^-I//' | tr '\n' ':')
opt=${opt:--O2}
[ -z "$check" ] || opt=${INSTFLAGS:--O1}
split()
{
    printf '%s' "$*" | tr -s ' \n' '\n\n'
}
checker_flags
checked=$(split "$checked")
quiet=$(split "$quiet")
# ---- compile

# compile one half
# libraries: the folders in which the compiler looks by itself
libraries()
{
    "$CXX" -E -v -x c++ /dev/null 2>&1 >/dev/null |
        sed -n '/^#include <...>/,/^End/s/^ \(\/.*\)/\1/p' | tr '\n' ':'
}

# preprocess FILE TO FLAG...: the text with everything included
preprocess()
{
    from=$1 to=$2
    shift 2
    show "$CXX" -E -x c++ -std=$std $opt $pic $quiet -D__CUDACC__=1 -D__NVCC__=1 \
        -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=0 \
        ${rdc:+-D__CUDACC_RDC__=1} -DLOOM_WORDS=1 -DLOOM_ARCH="$arch" -D__CUDA_ARCH_LIST__="$arch" ${check:+-DLOOM_CHECKED=1} "$@" \
        $flags $pass -include cuda_runtime.h -o "$to" "$from"
}

# half TEXT OBJECT FLAG...: rewrite and compile one half of a source
half()
{
    text=$1 object=$2
    shift 2
    awk -v loom="$lib/include/" -v shared="$shared" -v libraries="$known" -v included="$named" "$@" -f "$lib/rewrite.awk" "$text" >"$text.cpp" &&
        show "$CXX" -x c++-cpp-output -std=$std $opt $debug -gdwarf-4 $pic $hosts $quiet \
            ${check:+$checked} -c -o "$object" "$text.cpp" || return
    # malloc and new in a kernel are not the host's; the checker sees what copies bytes
    set -- malloc=loom_heap_malloc free=loom_heap_free
    set -- "$@" _Znwm=loom_heap_new _Znam=loom_heap_news _ZdlPv=loom_heap_delete _ZdaPv=loom_heap_deletes \
        _ZdlPvm=loom_heap_delete_sized _ZdaPvm=loom_heap_deletes_sized
    [ -z "$check" ] || set -- "$@" memcpy=__tsan_memcpy memmove=__tsan_memmove memset=__tsan_memset
    objcopy $(printf -- '--redefine-sym\n%s\n' "$@") "$object"
}

# compile CUDA
# cuda FILE OBJECT: the host's half, and the device's if the text asks which it is
cuda()
{
    : "${known:=$(libraries)}"
    t=$work/$((n += 1))
    preprocess "$1" "$t.ii" $depends || return
    sed -n 's/^# [0-9]* "\([^<"]*\)".*/\1/p' "$t.ii" | sort -u | grep -v "^$lib/" >"$t.files"
    for f in $(sed 's,[^/]*$,crt/host_config.h,' "$t.files" | sort -u); do
        [ ! -f "$f" ] || die "$1: Loom has no $(grep -m 1 "^${f%crt/*}[^/]*$" "$t.files" | sed 's,.*/,,'), and the toolkit's does not work with it"
    done
    # a file that never names the macro or its kin is the same in both
    if xargs -d "$nl" grep -l __CUDA_ARCH_ <"$t.files" >/dev/null 2>&1; then
        unit=-DLOOM_UNIT="\"$(printf '%s' "$(pwd)/$1 $flags $pass" | cksum | tr ' ' .)\""
        preprocess "$1" "$t.ii" "$unit" $depends &&
            preprocess "$1" "$t.twin.ii" "$unit" -DLOOM_TWIN=1 -D__CUDA_ARCH__="$arch" $feature &&
            half "$t.ii" "$t.host.o" -v names="$t.names" &&
            half "$t.twin.ii" "$t.twin.o" -v names="$t.names" &&
            join "$t" "$2" || return
        set -- "$1" "$t.twin.o"    # a kernel's shared memory is the device half's
    else
        half "$t.ii" "$2" || return
    fi
    readelf -sWC "$2" | awk -v source="$1" -f "$lib/shared.awk"
}

# join the halves
# join TEXT OBJECT: both halves as one object. Of the device's half the kernels run, its
# functions that are no host's are called from other files, and its variables are the
# host half's; all else of it is for itself alone.
join()
{
    ld -r --force-group-allocation -o "$1.d.o" "$1.twin.o" &&
        nm -g --defined-only "$1.d.o" >"$1.nm" && nm -gC --defined-only "$1.d.o" >"$1.nmc" &&
        paste -d "$nl" "$1.nm" "$1.nmc" | awk -v names="$1.names" -v to="$1" -f "$lib/twin.awk" &&
        objcopy -R .init_array -R .ctors --localize-symbols="$1.local" --weaken-symbols="$1.shared" "$1.d.o" &&
        objcopy --weaken-symbols="$1.device" "$1.host.o" &&
        objcopy -w -W "__cuda_ptx_*_is_not_supported_*" "$1.host.o" &&
        ld -r -o "$2" "$1.host.o" "$1.d.o" &&
        objcopy --localize-symbols="$1.static" "$2"
}

# compile a file
# compile KIND:FILE OBJECT
compile()
{
    kind=${1%%:*} file=${1#*:}
    [ -f "$file" ] || die "there is no file $file"
    case $kind:$file in
    cu:* | .:*.cu) kind=cu ;;
    c:* | .:*.c) kind=c ;;
    c++:* | .:*.cc | .:*.cpp | .:*.cxx | .:*.C | .:*.c++) kind=c++ ;;
    .:*) die "$file: which language is this? say -x cu, -x c++ or -x c" ;;
    *) die "-x $kind: say cu, c++ or c" ;;
    esac
    depends=
    if [ -n "$depend" ]; then
        depends="-MD$nl-MF$nl${depend_file:-${2%.o}.d}$nl-MT$nl${depend_target:-$2}${phony:+$nl$phony}"
    fi
    # ld and objcopy make their file anew, and as root /dev/null would be one
    written=$2
    [ ! -e "$written" ] || [ -f "$written" ] || written=$work/made.o
    case $kind in
    cu) cuda "$file" "$written" ;;
    *) show "$CXX" -x $kind $([ $kind = c ] && echo "$cstd" || echo "-std=$std") $opt $debug -gdwarf-4 $pic \
        $hosts $depends $flags $pass -c -o "$written" "$file" ;;
    esac || {
        rm -f "$written"
        exit 1
    }
    [ "$written" = "$2" ] || cat "$written" >"$2"
}
# named FILE SUFFIX: beside the working folder, with another suffix
named()
{
    b=${1##*/}
    printf '%s' "${odir:+$odir/}${b%.*}$2"
}

# ---- do it

# end before linking
n=0
case $mode in
compile | preprocess | depend)
    k=0
    for i in $inputs; do k=$((k + 1)); done
    [ -z "$out" ] || [ $k = 1 ] || die "-o $out: several files cannot be one; leave -o out"
    for i in $inputs; do
        case $i in -l*) continue ;; esac
        file=${i#*:}
        case $mode:$file in
        compile:*) compile "$i" "${out:-$(named "$file" .o)}" ;;
        *)
            [ -f "$file" ] || die "there is no file $file"
            show "$CXX" $([ $mode = depend ] && echo "-M${depend_target:+$nl-MT$nl$depend_target}" || echo -E) -x c++ -std=$std -D__CUDACC__=1 \
                -D__NVCC__=1 $flags $pass -include cuda_runtime.h ${out:+-o "$out"} "$file" || exit 1
            ;;
        esac
    done
    exit 0
    ;;
esac

# collect what is linked
objects= extra=
for i in $inputs; do
    case $i in
    -lcudart | -lcudart_static | -lcudadevrt | -lcurand | -lnvToolsExt | -lcuda_runtime) ;;
    -lcublas) extra="$extra$nl-lopenblas" ;;
    -lcufft) extra="$extra$nl-lfftw3f$nl-lfftw3" ;;
    -lcuda | -lnvrtc | -lcu* | -lnpp* | -lnccl | -lnv*)
        die "$i: Loom has cudart, cublas, cufft and curand; this library it has not"
        ;;
    -l*) add objects "$i" ;;
    *.o | *.a | *.so | *.so.* | *.lo | *.obj)
        [ -f "${i#*:}" ] || die "there is no file ${i#*:}"
        case ${i##*/} in
        libcudart*.so* | libcudart_static.a | libcudadevrt.a | libcurand*.so*) ;;
        libcublas.so*) extra="$extra$nl-lopenblas" ;;
        libcufft.so*) extra="$extra$nl-lfftw3f$nl-lfftw3" ;;
        *) add objects "${i#*:}" ;;
        esac
        ;;
    *.ptx | *.cubin | *.fatbin) die "${i#*:}: Loom cannot run a GPU's code; give it the source" ;;
    *)
        case $mode in dlink | lib) die "${i#*:}: with $mode, name objects (-c makes them)" ;; esac
        o=$work/$((n += 1)).$(named "${i#*:}" .o)
        odir=
        compile "$i" "$o"
        add objects "$o"
        ;;
    esac
done

# link
case $mode in
lib)
    show ar rcs "${out:-a.a}" $objects || exit 1
    exit 0
    ;;
dlink)  # nothing is left to do: the linker knows all
    : >"$work/empty.c"
    show "$CXX" -x c $pic -c -o "${out:-a_dlink.o}" "$work/empty.c" || exit 1
    exit 0
    ;;
esac
# what was compiled to be checked is linked to be checked
[ -n "$check" ] || ! nm -u $(printf '%s\n' $objects | grep '\.\(o\|a\|lo\)$') 2>/dev/null | grep -q __tsan_read || check=1
if [ -n "$count" ]; then
    printf '#include <stdlib.h>\n__attribute__((constructor)) static void count(void) { setenv("LOOM_COUNT", "1", 0); }\n' >"$work/count.c"
    "$CXX" -x c -c -o "$work/count.o" "$work/count.c" || exit 1
    add objects "$work/count.o"
fi
[ -z "$extra" ] || [ -f "$lib/with${extra##*-l}" ] || die "$(echo $extra): Loom was built without this library: install it, and make loomcc once more"
[ -n "$out" ] || case $mode in shared) out=a.so ;; *) out=a.out ;; esac
libraries="-L$lib$nl${check:+-lloom-check$nl}-lloom$extra$nl-lpthread$nl-lm$nl-ldl"
# CMake reads these lines as it does nvcc's
[ -z "$verbose" ] || printf '#$ %s\n' "cicc -arch compute_${arch%0}" "INCLUDES=\"-I$lib/include\"" \
    "LIBRARIES= $(printf '%s' "$libraries" | tr '\n' ' ')" >&2
show "$CXX" $([ $mode = shared ] && echo "-shared$nl-Wl,--defsym=__executable_start=0") $hosts -o "$out" $link $objects $libraries || exit 1
if [ -n "$run" ]; then
    case $out in */*) ;; *) out=./$out ;; esac
    "$out"
fi
