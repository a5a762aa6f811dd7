#!/bin/sh
# Chapter 17, The Fourier transform by hand.
. tests/tap.sh

M=$B/loom/dft

# ---- by hand ------------------------------------------------------------------
hand()
{
    prints "$1 becomes $2" "^\[.*\] -> \[$2\]$" $M/hand --signal "$1"
}
hand "1 -1 1 -1" "0, 0, 4, 0"
hand "1 1 1 1" "4, 0, 0, 0"
hand "1 0 0 0" "1, 1, 1, 1"
hand "1 2 3 4" "10, -2\+2i, -2, -2-2i"
hand "1 0 -1 0" "0, 2, 0, 2"
hand "0 1 0 -1" "0, -2i, 0, 2i"
hand "1 1 0 0" "2, 1-1i, 0, 1\+1i"
hand "7" "7"
prints "and back, with 1/N" '^\[0, 0, 4, 0\] -> \[1, -1, 1, -1\]$' \
    $M/hand --back --signal "0 0 4 0"
# NumPy's opinion, as far as hand prints
numpy='import sys, numpy
for c in numpy.fft.fft([float(x) for x in sys.argv[1:]]):
    print("%.4f %.4f" % (round(c.real, 4) + 0.0, round(c.imag, 4) + 0.0))'
if python3 -c 'import numpy' 2>/dev/null; then
    for s in "1 2 3 4" "1 -1 1 -1" "3 1 4 1 5" "2 7 1 8 2 8 1"; do
        is "NumPy has the same bins of $s" \
            "$(python3 -c "$numpy" $s)" \
            "$($M/hand --signal "$s" | sed 's/.*-> \[//; s/\]$//' | tr ',' '\n' |
                awk '{ gsub(/ /, ""); im = 0
                    if (match($0, /[+-]?[0-9.]*i$/)) {
                        im = substr($0, RSTART); sub(/i$/, "", im)
                        $0 = substr($0, 1, RSTART - 1) }
                    printf "%.4f %.4f\n", $0 + 0, im + 0 }')"
    done
else
    skip "NumPy has the same bins" "needs NumPy"
fi
# nyquist: 1, -1, ... of every even length up to 64 is N in bin N / 2 alone
nyquist()
{
    for n in $(seq 2 2 64); do
        $M/hand --signal "$(seq $n | awk '{ print $1 % 2 ? 1 : -1 }' | tr '\n' ' ')" |
            awk -v n=$n '{
                sub(/.*-> \[/, ""); sub(/\].*/, ""); k = split($0, a, /, /)
                if (k != n) print n ": " k " bins"
                for (i = 0; i < n; i++)
                    if (a[i + 1] != (i == n / 2 ? n : 0)) print n ": bin " i " is " a[i + 1]
            }'
    done
}
is "E28: an alternating signal has its N in bin N/2, at every even length" \
    "$(nyquist)" ""
fails_run "a sample that is no number is refused" \
    "sample 1, 'x', is not a number" $M/hand --signal "1 x"
fails_run "a sample that is infinite is refused" "is not a number" \
    $M/hand --signal "1 inf"
fails_run "a signal of nothing is refused" 'has no samples' $M/hand --signal " "
fails_run "65 samples are refused" 'more than 64 samples' \
    $M/hand --signal "$(seq 65 | tr '\n' ' ')"

# ---- laws, keys, errors ---------------------------------------------------------
for s in 1 2; do
    prints "the five laws, seed $s" '^ok: five laws at 132 lengths' \
        $M/laws --seed $s
done
for s in 1 2 3 4; do
    prints "every key is heard through noise, seed $s" '^ok: 16 keys heard' \
        $M/key --seed $s
done
fails_run "a key that is on no keypad is refused" "no key 'z'" $M/key --keys 0z
for n in 1 2 3 17 64 257; do
    prints "roots by table keep the bound at $n" '^bound' $M/error $n
done
# grows variant: how many times larger the error is at 512 than at 32
grows()
{
    awk -v a="$($M/error 32 | sed -n "s/^$1 //p")" \
        -v b="$($M/error 512 | sed -n "s/^$1 //p")" 'BEGIN { print b / a }'
}
if [ -z "${PLANTED-}" ]; then
    ok "by table the error grows like the root of the length" \
        awk -v g="$(grows table)" 'BEGIN { exit !(g > 2.5 && g < 6.5) }'
    ok "by angle it grows like the length" \
        awk -v g="$(grows angle)" 'BEGIN { exit !(g > 10 && g < 26) }'
fi

parts()
{
    ${CC:-cc} -w -std=c11 -D_DEFAULT_SOURCE -g -O1 -fsanitize=address,undefined \
        -fno-sanitize-recover=undefined -I"$SRC" -o "$tap_tmp/parts" tests/data/dft/parts.c -lm &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts"
}
ok "bins in float, their errors and the sound of a key, beside sums in long double" parts

# What is launched and refused, without a device: k<<<g, b>>>(x) as (launched(g, b), k)(x).
launches()
{
    {
        sed -n '/^\/\* start and end a plan/,/^\/\* write the matrix/p
            /^static inline void dft_plan_free/,/^\/\* transform by angles/p
            /^static __device__ inline float2 root_by_angle/,/^}/p
            /^\/\* launch a thread for each bin/,$p' "$SRC/dft/dft.cuh"
        sed -n '/^\/\* launch a thread for each tone/,$p' "$SRC/dft/listen.cuh"
        sed -n '/^\/\* CUFFT_CHECK/,$p' "$SRC/dft/library.cuh"
    } | sed -E -e '/^#(include|ifndef|endif|line)/d' |
        sed -E -e ':a' -e 'N' -e '$!ba' -e 's/\n *<<</<<</g' \
            -e 's/([a-z_]+)<<<([^;]*)>>>/(launched(\2), \1)/g' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -include tests/data/refused.h -o "$tap_tmp/launch" tests/data/dft/launch.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/launch" 2>/dev/null | diff - tests/data/dft/launch.txt
}
ok "so many blocks and bytes as are listed; no output overlaps its input; roots by near angles" launches

# ---- figures ------------------------------------------------------------------
for f in roots alias key draw; do
    is "figures/dft_$f.svg is what the program draws" \
        "$($M/draw --figure $f 2>&1)" "$(cat figures/dft_$f.svg)"
done
fails_run "a figure that does not exist is refused" "no figure 'foo'" \
    $M/draw --figure foo
# the script's product, with the table of the figure, against the C
if have node; then
    scripted()
    {
        $M/hand --signal "$1" | node tests/data/dft/spectrum.js \
            book/page/book.js figures/dft_draw.svg
    }
    zeros=$(seq 31 | sed 's/.*/0/' | tr '\n' ' ')
    is "the script of the page multiplies a click right" "$(scripted "1 $zeros")" ok
    is "a ramp" "$(scripted "$(seq 32 | tr '\n' ' ')")" ok
    for s in 1 2 3; do
        is "random signal $s" "$(scripted "$(awk -v s=$s 'BEGIN {
            srand(s); for (j = 0; j < 32; j++) printf "%.3f ", 2 * rand() - 1 }')")" ok
    done
    is "and the test would see a wrong one" "$($M/hand --signal "$(seq 32 | tr '\n' ' ')" |
        sed 's/, -16+/, -17+/' | node tests/data/dft/spectrum.js \
        book/page/book.js figures/dft_draw.svg | head -1)" \
        "bin 1 is -16.00 162.45, not -17.00 162.45"
else
    skip "the script of the page multiplies right" "needs node"
fi

# ---- on the device ------------------------------------------------------------
for b in $BACKENDS; do
    P=$B/$b/dft

    each transforms "1 1" "2 3" "3 0" "31 5" "32 33" "33 2" "64 1" "97 5" \
        "127 4" "128 3" "129 2" "257 1" "500 2"
    ok_run "every length below 130, on the $b" $P/transforms --below 130 --seed 3
    fails_run "a transform of 16385 points is refused, on the $b" \
        '1 to 16384 points' $P/transforms --refuse length
    fails_run "overlapping arrays are refused, on the $b" \
        'input and output overlap' $P/transforms --refuse overlap
    fails_run "a null pointer is refused, on the $b" 'an array is NULL' \
        $P/transforms --refuse null
    fails_run "a negative batch is refused, on the $b" 'a batch of -1 rows' \
        $P/transforms --refuse negative
    fails_run "a plan that was freed is refused, on the $b" 'was freed' \
        $P/transforms --refuse freed
    fails_run "no transform of nothing, on the $b" 'too small' $P/transforms 0
    each listen "0 3 2" "1 1 1" "205 0 8" "205 33 8" "7 129 3" "1000 5 31"
    if grep -q "/$b/dft/library:" "$B/rules.mk"; then
        each library "1 1" "2 5" "3 3" "64 2" "97 4" "100 3" "509 1" "1024 1"
    else
        skip "the library's transform, on the $b" "needs FFTW"
    fi
    if grep -q "/$b/dft/bench:" "$B/rules.mk"; then
        prints "the benchmark checks what it measures, on the $b" \
            '^dft,real,64,of_library,[0-9.e+-]+,%$' $P/bench --small
        also "and prints the errors of the roots, on the $b" \
            '^dft,roots_angle,64,error,[0-9.e+-]+,u$'
    else
        skip "the benchmark checks what it measures, on the $b" \
            "needs FFTW and OpenBLAS"
    fi
    each solutions/two 0 1 2 45 128
    each solutions/delay "1 0" "2 1" "120 37" "127 126"
    each solutions/image "1 1" "1 7" "8 1" "12 9" "33 31"
done

solutions dft
checked dft
tallied dft
transcripts dft
done_testing
