#!/bin/sh
# Chapter 7, Measuring (begun): the statistics and the order of the calls.
. tests/tap.sh

# check_stats is plain C: it is the same program on every back end.
for n in 1 2 3 4 5 31 32 100 101 4096; do
    prints "quantiles of a shuffled ramp of $n" "^ok: quantiles .* of $n values" \
        $B/machine/measure/check_stats $n --seed $n
done
fails_run "a sample of 0 values is refused" 'n: .0. is too small' \
    $B/machine/measure/check_stats 0

for b in $BACKENDS; do
    for sets in 2 3 5 31 64; do
        prints "bench_measure rotates $sets sets on the $b" \
            "^ok: [0-9]+ calls in turn over $sets sets" \
            $B/$b/measure/rotate $sets
    done
done

solutions measure
wrongs_of=tangled/measure/wrong
[ -d $wrongs_of ] && wrongs measure
transcripts measure
planted measure
done_testing
