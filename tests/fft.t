#!/bin/sh
# Chapter 18, The FFT and fast convolution.
. tests/tap.sh

M=$B/loom/fft

# ---- on the host ----------------------------------------------------------------
for s in 1 2; do
    prints "recursion, in place, in order and any length, seed $s" \
        '^ok: every length to 130' $M/steps --seed $s
done

if grep -q "/loom/fft/host:" "$B/rules.mk"; then
    prints "FFTW's spectra are those of any length, and it is timed" \
        '^fft-host,fftw,64,us,[0-9.e+-]+,µs$' $M/host --small --threads 2
    also "by as many threads as are asked for" '^fft-host,rows_by_all,64,threads,2,$'
else
    skip "FFTW's spectra are those of any length, and it is timed" "needs FFTW"
fi

# ---- convolution and its traps ----------------------------------------------------
# way name wrong count: that many of the numbers are wrong
way()
{
    prints "E26: $1: $2 of $3 numbers are wrong" "^$2 of $3 numbers are wrong" \
        $M/convolve --way $1
}
way wrap 2 5
way flip 3 3
way scale 7 7
way odd 7 7
way right 0 7
way turned 0 3
ok_run "E26: random convolutions and correlations are right" $M/convolve --random
fails_run "a way that does not exist is refused" "no way 'foo'" \
    $M/convolve --way foo
# E29: operations of a filter of 128 x 128 on 2048 x 2048, over those of so many
# real transforms of a side and a product
ratio()
{
    awk -v side=$1 -v transforms=$2 'BEGIN {
        points = side * side
        fft = transforms * 2.5 * points * log(points) / log(2) + 3 * points
        printf "%.0f\n", 2 * (2048 - 127) ^ 2 * 128 ^ 2 / fft }'
}
is "E29: three transforms of 2048 save a factor of 172" "$(ratio 2048 3)" 172
is "E29: three of 4096 save 39" "$(ratio 4096 3)" 39
is "E29: two of 2048 save 255" "$(ratio 2048 2)" 255

# ---- plans --------------------------------------------------------------------
# What is planned, launched and refused, without a device: k<<<g, b>>>(x) as
# (launched(g, b), k)(x).
plans()
{
    {
        sed -n '/^\/\* describe a launch/,/^\/\* find a thread/p
            /^\/\* How many powers/,/^}/p
            /^\/\* tune a length/,/^\/\* Where v/p' "$SRC/fft/rows.cuh"
        sed -n '/^\/\* describe the levels/,/^\/\* divide by/p; /^\/\* The most threads/,/^}/p
            /^\/\* Rows of N = R/,/^};/p' "$SRC/fft/mixed.cuh"
        sed -n '/^enum {/p' "$SRC/fft/each.cuh"
        cat tests/data/fft/kernels.h "$SRC/fft/plan.cuh"
    } | sed -E -e '/^#(include|line)/d' \
        -e 's/([a-z>-]+)<<<([^;]*)>>>/(launched(\2), \1)/g' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -include tests/data/launch.h -include tests/data/refused.h \
        -o "$tap_tmp/plans" tests/data/fft/parts.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/plans" 2>/dev/null | diff - tests/data/fft/parts.txt
}
ok "factors, radices, gaps, the most that is planned, and each step's launch are as listed" plans

# ---- figures ------------------------------------------------------------------
for f in butterflies steps exchange relay overlap; do
    is "figures/fft_$f.svg is what the program draws" \
        "$($M/draw --figure $f 2>&1)" "$(cat figures/fft_$f.svg)"
done
fails_run "a figure that does not exist is refused" "no figure 'foo'" \
    $M/draw --figure foo

# ---- on the device ------------------------------------------------------------
for b in $BACKENDS; do
    P=$B/$b/fft

    each levels "1 1 2" "64 3 2" "64 3 4" "64 5 8" "256 2 16" "64 0 2" "4096 1 16" "512 9 8" \
        "2 257 2"
    fails_run "levels of a length that is no power of the radix, on the $b" \
        '12 is no power of 4' $P/levels 12 1 4
    fails_run "levels of radix 5, on the $b" 'radix 5 is not' $P/levels 25 1 5
    ok_run "every length below 301, on the $b" $P/transforms --below 301
    each few "512 3" "128 3" "128 37" "16384 9" "16384 2 --way four" "17 5" \
        "64 2 --height 64" "60 3 --step 4" "1009 1" "1000 3" "900 3" "5040 2" "289 4" \
        "8192 20" "8192 2 --step 2" "16384 2 --step 2" "16384 2 --way cluster" \
        "16384 2 --way cluster --step 2" \
        "16384 9 --lag 1 --way relay"
    ok_run "a prime number of points by a cluster that filters, on the $b" $P/few 4099 3 --step 2
    fails_run "a way that does not exist is refused, on the $b" "no way 'foo'" \
        $P/few 64 1 --way foo
    each transforms "512 3" "1000 2" "1009 2" "1024 3" "2048 3" "4096 1" \
        "5040 1" "8192 1" "16384 2" "32768 1" "131072 1" "3 0" "961 2" \
        "6860 1" "8190 1" "4620 2" "4093 1" "262144 1" "16384 9" "1048576 1"
    each transforms "16384 2 --way four" "65536 1" "65536 1 --way four" \
        "65536 1 --way cluster" "32768 1 --way cluster" "131072 1 --way cluster" \
        "20000 1" "60 3 --step 4" "256 3 --step 3" "16384 2 --step 2"
    each transforms "64 1000" "128 37" "256 37" "1024 7" "2048 5" "65536 40" \
        "16384 2 --way relay"
    each transforms "60 2 --height 33" "64 2 --height 64" "17 3 --height 29" \
        "8 1 --height 1024" "6 1 --height 2048"
    for r in "length:1 to 16777216 points, not 0" "limit:not 33554432" \
        "negative:a batch of -1" "many:more than 2.31 numbers" \
        "kind:kind 7 is none" "tall:columns of 20000 points" \
        "overlap:input and output overlap" "null:an array is NULL" \
        "size:for 8 points, not for 9" "direction:direction 2 is neither" \
        "real:for fft_c2c, not for fft_r2c" "freed:freed or never made"; do
        fails_run "refused, ${r%%:*}, on the $b" "${r#*:}" \
            $P/few --refuse "${r%%:*}"
    done
    each convolution "1000 17 64 64 48 5 4" "64 64 64 128 100 9 7" \
        "5000 33 512 512 20 31 3" "100 1 128 64 6 1 1"
    if [ $b = gpu ]; then
        each convolution "2000 33 256 256 6 31 3" "5000 33 1024 1024 6 31 3" \
            "5000 33 2048 2048 6 31 3" "9000 33 4096 4096 6 31 3" \
            "100 17 64 8192 6 31 3"
    fi
    is "the programs that are linked to the kernels have none of their own, on the $b" \
        "$(nm $P/accuracy.o $P/convolution.o $P/few.o $P/transforms.o |
            grep ' [TtVWw] _Z[0-9]*fft_[a-z_]*I' | grep -v fft_length_of)" ""
    fails_run "pieces of 8192 points are too long, on the $b" \
        'no kernel for pieces of 8192' $P/convolution 20000 100 8192
    fails_run "a filter longer than its pieces, on the $b" \
        '65 taps in pieces of 64' $P/convolution 100 65 64
    fails_run "an image of 60 rows cannot be filtered, on the $b" \
        'have 64, 128, ... 8192 rows, not 60' $P/convolution 100 5 64 60
    if grep -q "/$b/fft/accuracy:" "$B/rules.mk"; then
        prints "no error above 1.5 times the library's and 2^-24, to 300, on the $b" \
            '^ok: at [0-9]+ points' $P/accuracy --below 301
        also "E25: forward and back by one plan is n times the input" \
            '^forward and back is n times the input'
        each accuracy 512 1000 1009 1024 2048 4096 5040 8192 10007 16384 32768 \
            65536 131072 1048576
        prints "the benchmark checks what it measures, on the $b" \
            '^fft,c2c,64,of_cufft,[0-9.e+-]+,%$' $P/bench --small
        also "prints shares of the copy" '^fft,c2c,1009,of_copy,'
        also "and measures filters" '^fft,image_direct,3,of_fft,'
    else
        skip "no error above 1.5 times the library's, on the $b" "needs FFTW"
    fi
done

solutions fft
checked fft transforms accuracy
if have inst; then
    for a in "16384 3 --way relay" "64 3 --height 16" "512 2" "17 2" "1000 3" \
        "8192 20" "16384 9" "128 37" "16384 1 --way cluster"; do
        ok_run "no race and no bad access: few $a" $B/inst/fft/few $a
    done
    # cheap PASSES PROGRAM N ...: no request costs over a fifth more sectors of global
    # memory than at best, or that many times as many passes of shared memory
    cheap()
    {
        cheap_most=$1
        shift
        tap_limited env LOOM_COUNT=1 "$@" >"$tap_tmp/counted" 2>&1 || {
            cheap_status=$?
            cat "$tap_tmp/counted"
            return $cheap_status
        }
        awk -v most="$cheap_most" '
            $8 == "sectors" && $2 == "global" { n++; if ($7 > 1.2 * $9) { print; bad = 1 } }
            $8 == "passes" && $2 == "shared" { n++; if ($7 > most * $9) { print; bad = 1 } }
            END { exit bad || !n }' "$tap_tmp/counted"
    }
    ok_run "few sectors and few passes: a relay" cheap 1.5 $B/inst/fft/few 16384 1 --way relay
    ok_run "few sectors and no more passes than at best: a cluster" cheap 1 \
        $B/inst/fft/few 16384 1 --way cluster
fi
transcripts fft
done_testing
