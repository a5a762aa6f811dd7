#!/bin/sh
# Chapter 10, Reduction, scan and floating point.
. tests/tap.sh
. tests/small.sh

# What is launched, how much room is made, and how high the trees are: the chapter's headers
# without a device, k<<<g, b>>>(x) as (launched(g, b), k)(x).
parts()
{
    r=$SRC/reduce
    {
        grep -h '^enum { \(TREE_THREADS\|BACK_ROWS\|SCAN_RING\|SCAN_SLOTS\)' $r/reduce.cuh $r/scan.cuh
        sed -n '/^typedef .* scan_word;/p; /^struct scan_\(job\|board\|talk\) {/,/^};/p
            /^static .* word_\(make\|tag\|value\|wait\)(/,/^}/p; /^enum { WORD_TOTAL/p; /^enum { SCAN_HEAR/p
            /^static .*[ *]\(slot_of\|look_back\|scan_work\|scan_talks\)(/,/^}/p; /^static .* publish(/,/^template/{/^template/!p}' $r/scan.cuh
        sed -n '/^enum { SUM_LOADS/p; /^static __device__ inline void add_vector/,/^}/p
            /^static __device__ inline void share_vectors/,/^}/p
            /^\/\* make room for partial sums/,$p' $r/reduce.cuh
        sed -n '/^\/\* make room for a scan/,$p' $r/scan.cuh
        sed -n '/^\/\* launch the moments/,$p' $r/welford.cuh
        sed -n '/^enum { CHAINS/p; /^static double rate_of(/,/^}/{s/^static double rate_of/template <class T> &/;p;}' $r/rate.cuh
        sed -n '/^enum { SOFT_ITEMS/p; /^\/\* launch a softmax/,$p' $r/softmax.cuh
        sed -n '/^static const struct rates {/,/^};/p; /^enum { ROWS/p
            /^static void judge/,/^}/{s/rate_of</rated</;p;}' $r/rates.cu
    } | sed -E -e '/^#(include|ifndef|endif|define|line)/d' \
        -e 's/([a-z_]+(<[A-Z]+>)?)<<<(.*)>>>/(launched(\3), \1)/' >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -ffp-contract=off -fsanitize=address,undefined \
        -fno-sanitize-recover=undefined -I"$tap_tmp" -I"$SRC" -o "$tap_tmp/parts" \
        -include tests/data/refused.h \
        tests/data/reduce/parts.cc &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" | diff - tests/data/reduce/parts.txt
}
ok "orders to the bit; what is launched, its room and its heights are as listed" parts

for n in 1 2; do
    ok_run "no sum leaves its bound, seed $n" \
        $B/loom/reduce/check_bound 3000 --seed $n
done
for n in 1 2 31 1024 1025 65537 1000003; do
    ok_run "ten orders of $n stay within their bounds" \
        $B/loom/reduce/sums $n --seed $n
done

for b in $BACKENDS; do
    P=$B/$b/reduce

    each sum $small 255 256 257 1021 4099 65537 1048583 "100003 1" "100003 7" \
        "1000003 31"
    each scan $small 511 512 513 1021 4099 16384 16385 65537 "513 32 1" \
        "10007 32 2" "65537 32 5" "300007 96 12" "100003 64 7"
    each rows "0 5" "1 1" "2 1" "1 31" "4 32" "2 33" "7 129" "38 1000" \
        "4 4099" "2 16384" "2 20011" "6 129 10000" "8 257 0"
    each same "1 3" "1000 20" "20000 20" "100003 9"
    for s in 1 2 3; do # whose blocks end in another order in each of the runs
        [ $b = loom ] || continue
        ok_run "same 100003 20 under seed $s on the $b" \
            env LOOM_SEED=$s $P/same 100003 20
    done
    ok_run "quotients and roots are rounded to nearest on the $b" $P/flags

    ok_run "sum 0 to 129 on the $b" runs $P/sum "$(sizes 0 129)"
    ok_run "scan 0 to 129 on the $b" runs $P/scan "$(sizes 0 129)"
    fails_run "scan refuses blocks of 33 threads, on the $b" 'multiple of 32' \
        $P/scan 100 33
    prints "the benchmark prints rows for sums, on the $b" \
        '^reduce,sum_once,[0-9]+,of_read,[0-9.e+-]+,%$' $P/bench
    also "a sum in a fixed order has one result in a hundred runs ($b)" \
        '^reduce,same_once,[0-9]+,results,1,$'
    for t in float double int; do
        also "chains of $t are exact, and their rate is measured ($b)" \
            "^reduce,rate_$t,0,per_cycle,[0-9.e+-]+,$"
    done
    prints "products of 32 and of 24 bits are what they should be ($b)" \
        '^ok: products' $P/rates
done

# ---- which type costs how much ----------------------------------------------
# The measured rates of float to those of the other two, as recorded on the H200
recorded()
{
    awk -F, '$2 ~ /^rate_/ { r[$2] = $5 }
        END { exit !(r["rate_float"] > 0 && '"$1"') }' bench/results/h200/reduce.csv
}
if grep -qs '^reduce,rate_' bench/results/h200/reduce.csv; then
    ok "E64: recorded: double runs at half the rate of float, not a quarter" \
        recorded 'r["rate_float"] / r["rate_double"] < 2.1'
    ok "E65: recorded: an int costs twice a float, as the table has it for 9.0" \
        recorded 'r["rate_float"] / r["rate_int"] > 1.6 &&
            r["rate_float"] / r["rate_int"] < 2.1'
else
    skip "E64: recorded: double runs at half the rate of float, not a quarter" \
        "needs results of the H200"
    skip "E65: recorded: an int costs twice a float, as the table has it for 9.0" \
        "needs results of the H200"
fi
prints "E65: at 7.0 the table has as many products of ints as of floats" \
    '^7\.0 +64 +32 +64 +2 +1$' $B/loom/reduce/rates
# Loom's verdict is the host's, one or the other; but it must follow from what is printed
judged()
{
    tap_limited "$@" >"$tap_tmp/judged" 2>&1
    judged_status=$?
    awk -v status=$judged_status '
        /^float:(double|int) is [0-9.]+ here, 2 in the manual$/ {
            off = $3 - 2; said = said " " $1; bad = off <= -0.5 || off >= 0.5
            edge = off * off > 0.48 ^ 2 && off * off < 0.52 ^ 2 }
        /float:(double|int) is off/ { refused++ }
        { print }
        END { exit !(said == " float:double" && refused && status == 1 && (bad || edge) ||
            said == " float:double float:int" && (refused + (status == 0) == 1) &&
                (edge || bad == (refused == 1))) }' "$tap_tmp/judged"
}
ok_run "E64: rates are judged by the row of 9.0 on the loom" judged $B/loom/reduce/rates --judge
if have speed; then
    prints "E64: on this GPU float:double is the table's, or the table has no row" \
        '^float:double is [0-9.]+ here' $B/gpu/reduce/rates --judge
    also "E65: on this GPU float:int is the table's, or the table has no row" \
        'float:int (is )?[0-9.]+'
else
    skip "E64: on this GPU float:double is the table's, or the table has no row" \
        "needs a GPU, and its own speed"
    skip "E65: on this GPU float:int is the table's, or the table has no row" \
        "needs a GPU"
fi

# operations PTX: what a kernel makes its two products of
operations()
{
    sed -n '/entry.*products/,/^}/p' "$1" |
        grep -oE '[[:space:]](mul|mul24|mad|mad24|shl|shr)\.' | tr -d '.\t ' |
        LC_ALL=C sort | uniq -c | awk '{ printf "%s %d;", $2, $1 }'
}
is "E65: a product of 24 bits is four shifts and one of 32 (recorded PTX)" \
    "$(operations tests/data/reduce/products.ptx)" "mul 2;shl 2;shr 2;"
if have nvcc; then
    ok_run "nvcc makes PTX of the products" "${NVCC:-nvcc}" -arch=compute_90 -I"$SRC" \
        -ptx -o "$tap_tmp/products.ptx" "$SRC/reduce/rates.cu"
    is "E65: and so nvcc makes it" "$(operations "$tap_tmp/products.ptx")" \
        "mul 2;shl 2;shr 2;"
else
    skip "E65: and so nvcc makes it" "needs nvcc"
fi

if have inst; then
    I=$B/inst/reduce
    for p in "sum 5003" "scan 700 64" "scan 5003 32 2" "rows 5 100"; do
        ok_run "no race and no bad access: $p" $I/$p
    done
else
    skip "no race and no bad access" "needs the instrumented Loom"
fi

wrongs reduce
solutions reduce
checked reduce
tallied tests/data/reduce/counts.txt
transcripts reduce
small_agrees reduce 4
done_testing
