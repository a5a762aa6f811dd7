#!/bin/sh
# Chapter 3, First kernels.
# depends: tests/data/once.h
. tests/tap.sh
. tests/small.sh

primes="257 509 1021 4099 65537"

# sizes at their edges, and what is launched: the chapter's headers without a device,
# k<<<g, b>>>(x) as (launched(g, b), k)(x)
parts()
{
    {
        cat "$SRC/kernels/vecadd.cuh" "$SRC/kernels/batch.cuh" "$SRC/kernels/fill.cuh"
        sed -n '/^static const size_t eighth/,/^}/p; /^static void run_eighth/,/^}/p' "$SRC/kernels/bench.cu"
        sed -n '/^__global__ void by_/,/^}/p' "$SRC/kernels/solutions/pieces.cu"
    } | sed -E -e '/^#(include|ifndef|endif|define|line)/d' \
        -e 's/([a-z_]+)<<<(.*)>>>/(launched(\2), \1)/' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -o "$tap_tmp/parts" tests/data/kernels/parts.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" 2>&1 |
        sed 's,^[^ ]*:[0-9]*: ,,; /^    not true/d' | diff - tests/data/kernels/parts.txt
}
ok "sizes do at their edges, and launches take as many threads, as is listed" parts

for b in $BACKENDS; do
    P=$B/$b/kernels

    fails_run "hello with no block is refused on the $b" \
        'cudaErrorInvalid(Configuration|Value)' $P/hello 0 5
    fails_run "hello with no thread is refused on the $b" \
        'cudaErrorInvalid(Configuration|Value)' $P/hello 1 0
    fails_run "hello with 1025 threads is refused on the $b" \
        'cudaErrorInvalid(Configuration|Value)' $P/hello 1 1025
    diag "refused, on the $b: $($P/hello 1 1025 2>&1 | tail -1)"
    is "quiet greets once from every thread, on the $b" \
        "$($P/quiet 3 5 | sort -u | wc -l | tr -d ' ')" 15
    is "quiet says nothing of a launch that is refused, on the $b" \
        "$($P/quiet 1 1025 2>/dev/null)" ""
    prints "quiet says how it is used, on the $b" '^usage: quiet' $P/quiet --help
    ok_run "hello runs on the $b" $P/hello
    is "hello greets once from every thread, on the $b" \
        "$($P/hello 3 5 | sort -u | wc -l | tr -d ' ')" 15
    ok_run "launch errors surface as the chapter says, on the $b" $P/errors

    each index "1" "2" "31 33" "129" "1000" "1 129" "33 17" "1 1 65" "5 3 2" \
        "67 9 3" "128 4 4" "3 130 2"
    prints "E34: a __host__ __device__ function gives the same on both sides ($b)" \
        '^ok: 13 x 11 x 7 elements' $P/index 13 11 7

    each vecadd $small $primes
    ok_run "vecadd 0 to 129 on the $b" runs $P/vecadd "$(sizes 0 129)"
    ok_run "vecadd 2^20 + 7 on the $b" $P/vecadd 1048583 --seed 3
    fails_run "vecadd refuses more than its int can count, on the $b" \
        'too large' $P/vecadd 2147483647
    fails_run "vecadd refuses a size that is no number, on the $b" \
        'not a whole number' $P/vecadd many

    each square "1 1 0" "1 129 0" "129 1 5" "31 33 1" "8 32 0" "9 31 1" \
        "17 45 3" "127 97 7" "64 64 64" "1021 3 2"
    each batch "1 1" "1 100000" "100000 1" "8 1000" "7 33" "129 31" "65 257" \
        "600000 2"
    prints "E51: both layouts agree; by row 8 blocks leave 124 SMs idle ($b)" \
        '^ok: 8 x 1000 both ways; by row, 124 of 132 SMs get no block' \
        $P/batch 8 1000
    prints "E51: with 132 rows no SM is without a block ($b)" \
        'by row, 0 of 132 SMs' $P/batch 132 10

    prints "E73: an image of 3 x 150 x 225 flattens to 101250 elements ($b)" \
        'flattens to 101250 elements' $P/solutions/flatten 3 150 225
    each "flatten @ on the $b" solutions/flatten "1 1 1" "3 1 129" "4 31 33" "64 7 5"
    each "batched matmul @ on the $b" solutions/matmul "1 1 1 1" "3 17 33 9" \
        "2 31 129 64" "5 129 1 33" "65 3 5 7"
    each "mask @ on the $b" solutions/mask 1 2 31 32 33 129
    # every launch of up to 5 blocks of 8 threads, for 0 to 40 elements
    is "the figure that can be moved is what the threads wrote, on the $b" \
        "$($P/whose 2>&1)" "$(cat figures/kernels_whose.svg)"
    ok_run "managed memory adds on the $b" $P/managed 4099
    # Loom's cuBLAS needs OpenBLAS
    if grep -q "/$b/kernels/bench:" "$B/rules.mk"; then
        prints "the benchmark prints rows for every variant, on the $b" \
            '^kernels,stride,1024,gbps,[0-9.e+]+,GB/s$' $P/bench 10
        also "the benchmark runs beside cuBLAS, on the $b" \
            '^kernels,saxpy,1024,of_copy,[0-9.e+]+,%$'
    else
        skip "the benchmark prints rows for every variant, on the $b" \
            "needs OpenBLAS"
    fi
done

if have speed; then
    ok_run "managed memory adds 2^25 elements" $B/gpu/kernels/managed 33554432
    if $B/gpu/kernels/managed 33554432 2>&1 | grep -q 'no pages move'; then
        skip "E45: the first touch of managed memory pays for its migration" \
            "needs a driver that moves pages on demand"
    else
        prints "E45: the first touch of managed memory pays for its migration" \
            '^ok: first touch' $B/gpu/kernels/managed 33554432
    fi
else
    skip "E45: the first touch of managed memory pays for its migration" \
        "needs a GPU, and its own speed"
fi

# what the profiler says of the loads of a lone thread, and of one block (in units of
# 1024: once, beside other tests, 2 hits of 114688 were missing)
hits="of a lone thread's loads 7 in 8 are hits, of the block's none"
m=l1tex__t_sectors_pipe_lsu_mem_global_op_ld
if have gpu && have ncu && ncu --metrics ${m}.sum,${m}_lookup_hit.sum -k regex:one_ -c 7 \
    $B/gpu/kernels/vecadd 65536 >"$tap_tmp/ncu" 2>&1; then
    is "ncu: $hits" \
        "$(awk '/add_one_/ { k = /thread/ ? "thread" : "block" }
            /op_ld/ { gsub(",", ""); printf "%s %.0f\n", k, $NF / 1024 }' "$tap_tmp/ncu" | awk '!said[$0]++' |
            tr '\n' ',')" "thread 128,thread 112,block 16,block 0,"
    tap_diag <"$tap_tmp/ncu"
else
    skip "ncu: $hits" "needs ncu, and permission to use counters"
fi

# the page prints the macro of chapter 2's header, as text
macro() { sed -n '/^#define CUDA_CHECK(call)/,/while (0)/p' "$1"; }
is "CUDA_CHECK on the page is the header's" "$(macro book/03-kernels.md)" \
    "$(macro tangled/stack/cuda_check.h)"

# Index arithmetic needs neither a GPU nor an array of that size.
Z=$B/loom/kernels/sizes
for n in 0 1 31 32 33 1000 262144 262145; do
    prints "64-bit indices visit each of $n elements once" \
        "^64 bits: each of $n elements once" $Z $n
done
# above 2^32 - 1 the 32-bit walk, which takes seconds, is left out
for n in 4294967296 4294967297 1099511627776; do
    prints "64-bit indices visit each of $n elements once" \
        "^64 bits: each of $n elements once" $Z $n 1000
done
prints "E79: 2^31 + 1 as an int: nothing is added, one write falls outside" \
    '^32 bits: n is -2147483647; 0 elements are added, 1 writes' $Z 2147483649
also "E79: the same size in 64 bits: each element once" \
    '^64 bits: each of 2147483649 elements once'
prints "E79: 2^31 - 1 in blocks of 1000: 352 threads wrap around the guard" \
    '2147483647 elements are added, 352 writes' $Z 2147483647 1000

if have nvcc; then
    fails_run "E34: nvcc refuses a kernel that returns a value" \
        'must have a void return type' \
        ${NVCC:-nvcc} -I$SRC -c $SRC/kernels/wrong/returns.cu -o /dev/null
else
    skip "E34: nvcc refuses a kernel that returns a value" "needs nvcc"
fi

# The chapter prints the macro, which the header of chapter 2 defines.
is "CUDA_CHECK is printed as it is defined" \
    "$(awk '/^#define CUDA_CHECK/, !/\\$/' book/03-kernels.md)" \
    "$(awk '/^#define CUDA_CHECK/, !/\\$/' $SRC/stack/cuda_check.h)"

wrongs kernels
solutions kernels
checked kernels
tallied tests/data/kernels/counts.txt
transcripts kernels
small_agrees kernels 13
done_testing
