#!/bin/sh
# Chapter 10, Reduction, scan and floating point.
. tests/tap.sh

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
    prints "a sum in a fixed order has one result in a hundred runs ($b)" \
        '^reduce,same_once,[0-9]+,results,1,$' $P/bench
    prints "E64: chains of double are exact, and their rate is measured ($b)" \
        '^reduce,rate_double,0,per_cycle,[0-9.e+-]+,$' $P/bench
    prints "E65: chains of int are exact, and their rate is measured ($b)" \
        '^reduce,rate_int,0,per_cycle,[0-9.e+-]+,$' $P/bench
done

# a planted bug is in a tree of its own, which has no instrumented Loom
if have inst && [ -z "${PLANTED-}" ]; then
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
transcripts reduce
planted reduce
done_testing
