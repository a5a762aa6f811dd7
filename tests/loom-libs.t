#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: the stand-ins for cuBLAS and cuFFT.
. tests/tap.sh

# includes HEADER: the compiler finds it
includes()
{
    printf '#if !__has_include(<%s>) && !__has_include(<openblas/%s>)\n#error\n#endif\n' \
        "$1" "$1" | ${CC:-cc} -E - >/dev/null 2>&1
}

# try HEADER WHAT PROGRAM...: on every back end, and under the checker
try()
{
    t_header=$1 t_what=$2
    shift 2
    for b in $BACKENDS inst; do
        if [ $b != gpu ] && ! includes "$t_header"; then
            skip "$t_what, on the $b" "needs $t_header (make deps)"
            continue
        elif [ $b = inst ]; then
            have inst && [ -z "$ONLY" ] || continue
            $MAKE -s SRC="$SRC" B="$B" "$B/inst/$1" >/dev/null || diag "make failed"
        fi
        ok_run "$t_what, on the $b" "$B/$b/$@"
    done
}
try openblas_config.h "cuBLAS multiplies, adds and refuses" loom/probe_libs
try fftw3.h "cuFFT transforms there and back" loom/probe_fft
for n in "1 1 1" "3 5 7" "64 33 129" "2 127 31"; do
    try openblas_config.h "matrices by rows, $n" loom/probe_rows $n
done

# a program that needs a library which is not there is left out, and no other
rules()
{
    (cd "$SRC" && awk -v src=. -v absent="$1" -f "$TOOLS/rules.awk" \
        loom/probe_libs.cu loom/probe_fft.cu tour/hello.c loom/*.[ch] \
        tour/*.h stack/*.h) | sed -n 's/^PROGS_loom :=//p' | tr ' ' '\n' |
        grep -c 'probe_libs\|probe_fft'
}
TOOLS=$(cd "$TOOLS" && pwd)
is "with both libraries there are both programs" "$(rules '')" 2
is "without FFTW there is one" "$(rules cufft.h)" 1
is "without either there is none" "$(rules 'cufft.h cublas_v2.h')" 0
done_testing
