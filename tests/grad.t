#!/bin/sh
# Chapter 20, Backpropagation.
. tests/tap.sh
. tests/small.sh

Q=$B/loom/grad

# each C file at its edges, against a list
parts()
{
    ${CC:-cc} -w -std=c11 -D_DEFAULT_SOURCE -g -O1 -ffp-contract=off -fsanitize=address,undefined \
        -fno-sanitize-recover=undefined -I"$SRC" -o "$tap_tmp/parts" tests/data/grad/parts.c -lm &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" 2>&1 |
        sed 's,^[^ ]*:[0-9]*: ,,; /^    not true/d' | diff - tests/data/grad/parts.txt
}
ok "the tape, networks, gradients and differences do at their edges what is listed" parts

# the tape
prints "E48: a larger error makes the gradients before it larger, no value" \
    '^ok: 1000 times the error, the same values, 1000 times the grads' $Q/example
fails_run "a node that is not there is refused" 'node 0 of a tape of 0' $Q/refuse
ok_run "the tape forgets each point" $Q/train 10 1
ok_run "two moons are learned on the tape" $Q/train 100 20 --seed 5
is "more than 95 of 100 unseen points are right after 64 epochs" \
    "$($Q/train | awk '$1 == 64 { print ($4 + 0 > 95) }')" 1
is "16 points are learned by heart, and the unseen are not" \
    "$($Q/train 16 400 | awk '$1 == 400 { print $3, ($4 + 0 < 92) }')" \
    "100.0% 1"
for p in example cost check_steps kink; do
    fails_run "$p refuses an argument" 'one argument too many' $Q/$p 1
done
fails_run "train refuses a single point" 'too small' $Q/train 1

# matrices
for n in 1 2 37 200; do
    ok_run "both gradients agree on $n points" $Q/agree $n --seed $n
done
prints "the way back costs less than twice a run" \
    'reverse mode +24995328 operations, +2\.95 runs' $Q/cost

# Jacobians, differences, the check
for n in "1 1" "1 7" "9 1" "23 37" "100 100"; do
    ok_run "the Jacobian of a layer, $n" $Q/jacobian $n --seed 3
done
ok_run "the best steps are where they were derived" $Q/check_steps
ok_run "the check checked, and 200 networks" $Q/check_gradcheck 200 --seed 9
ok_run "at a kink" $Q/kink
ok_run "every wrong gradient trains and is found out" $Q/wrong_gradients

for n in 2 3; do
    ok_run "the gradients of 100 convolutions, seed $n" $Q/check_conv --seed $n
done

for b in $BACKENDS; do
    P=$B/$b/grad

    each bias_tanh "0 5" "5 0" "1 1" "1 129" "129 1" "31 33" "33 31" "64 64" \
        "1000 65"
    prints "the benchmark prints its rows on the $b" \
        '^grad,partial,0,right,[0-9.]+,%$' $P/bench 25
    also "and an error for each step to 2^-56, on the $b" '^grad,central_double,56,error,'
done

# the tape's array moves when it grows: nobody may hold on to the old one
if [ -z "${PLANTED-}" ]; then
    sanitized()
    {
        ${CC:-cc} -std=c11 -O1 -g -fsanitize=address,undefined \
            -D_DEFAULT_SOURCE -I"$SRC" -o "$tap_tmp/train" \
            "$SRC/grad/train.c" "$SRC/grad/tape.c" \
            "$SRC/matmul/reference_d.c" -lm && "$tap_tmp/train" 20 2
    }
    ok "training touches no memory that is not its own" sanitized
fi

if have inst; then
    for n in "33 31" "129 65"; do
        ok_run "no race and no bad access: bias_tanh $n" \
            $B/inst/grad/bias_tanh $n
    done
else
    skip "no race and no bad access" "needs the instrumented Loom"
fi

solutions grad
checked grad
transcripts grad
small_agrees grad 1
done_testing
