#!/bin/sh
# Chapter 5, A SIMT machine in C: the stand-ins for cuBLAS and cuFFT.
. tests/tap.sh

for b in $BACKENDS inst; do
    P=$B/$b/machine
    case $b in
    inst)
        have inst && [ -x "$B/machine/machine/probe_libs" ] || continue
        $MAKE -s SRC="$SRC" B="$B" "$P/probe_libs" "$P/probe_fft" >/dev/null
        ;;
    machine)
        if [ ! -x "$P/probe_libs" ]; then
            skip "the machine serves cuBLAS" "needs OpenBLAS (make deps)"
            continue
        fi
        ;;
    esac
    ok_run "cuBLAS multiplies, adds and refuses, on the $b" "$P/probe_libs"
    ok_run "cuFFT transforms there and back, on the $b" "$P/probe_fft"
    [ "$b" != inst ] || continue
    for n in "1 1 1" "3 5 7" "64 33 129" "2 127 31"; do
        ok_run "matrices by rows, $n, on the $b" "$P/solutions/rows" $n
    done
done

# a program that needs a library which is not there is left out, and no other
rules()
{
    (cd "$SRC" && awk -v src=. -v absent="$1" -f "$TOOLS/rules.awk" \
        machine/probe_libs.cu machine/probe_fft.cu tour/hello.c machine/*.[ch] \
        tour/*.h stack/*.h) | sed -n 's/^PROGS_machine :=//p' | tr ' ' '\n' |
        grep -c 'probe_libs\|probe_fft'
}
TOOLS=$(cd "$TOOLS" && pwd)
is "with both libraries there are both programs" "$(rules '')" 2
is "without FFTW there is one" "$(rules cufft.h)" 1
is "without either there is none" "$(rules 'cufft.h cublas_v2.h')" 0
done_testing
