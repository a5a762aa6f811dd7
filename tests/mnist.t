#!/bin/sh
# Chapter 22, The MNIST trainer: the model, its step, the paths, the program.
. tests/tap.sh

M=$B/loom/mnist
N=$B/${BACKENDS%% *}/mnist
T=${TMPDIR:-/tmp}/mnist.$$
mkdir -p "$T"
trap 'rm -rf "$T"' EXIT

for s in "3 5" "1 2" "4 8" "5 17"; do
    ok_run "gradients in double are right: width and batch $s" \
        $M/check_gradient $s --seed 3
done

prints "E47: the same weights, other statistics: other answers to digits" \
    ' ([7-9]|1[0-9]|2[0-4]) answered otherwise by running averages$' $N/check_paths 3 6 4

# rows 'awk condition over v[variant, size, metric]' FILE [PROGRAM]: in the results
# of a benchmark (that PROGRAM printed: it is looked at when only that is tested)
rows()
{
    awk -F, '!/^#/ { v[$2, $3, $4] = $5 }
        function share(p, b) { return v[p, b, "mib_weights"] / v[p, b, "mib_ours"] }
        # bytes of activations that each picture of a batch adds
        function each(p, a, b) {
            return (v[p, b, "mib_activations"] - v[p, a, "mib_activations"]) * \
                1048576 / (b - a)
        }
        function near(x, y) { return x > 0.999 * y && x < 1.001 * y }
        END { exit !('"$1"') }' "$2"
}

for b in $BACKENDS; do
    P=$B/$b/mnist
    each check_paths "1 2 2" "3 6 4" "4 16 2" "5 9 1"
    [ $b != gpu ] || each check_paths "32 64 5" "32 100 3"

    prints "a step has nine ranges, on the $b" '^update +[0-9.]+ +[0-9.]+$' \
        $P/trace 5
    ok_run "the benchmark runs all it measures, on the $b" \
        sh -c "$P/bench --small >$T/rows"
    if tap_wanted mnist/bench; then
        ok "both kinds of statistics are compared, on the $b" \
            grep -Eq '^mnist,running,21,accuracy,[0-9.e+-]+,%$' "$T/rows"
        # a model of width 2: 3743 floats and 588 bytes a picture
        ok_run "E67: weights stay, activations grow with the batch, on the $b" \
            rows 'near(each("kernels", 4, 16), 4 * 3743 + 588) &&
                v["kernels", 4, "mib_weights"] > 0 &&
                v["kernels", 4, "mib_weights"] == v["kernels", 16, "mib_weights"]' \
            "$T/rows" $P/bench
    fi
done

# what the H200 recorded
R=bench/results/h200/mnist.csv
if grep -q '^mnist,one_pass,' $R 2>/dev/null; then
    ok "E47: recorded: after an epoch the statistics decide on a digit in 200" \
        rows 'v["one_pass", 11, "accuracy"] - v["running", 11, "accuracy"] > 0.5' $R
    ok "E67: recorded: 201,260 bytes a picture; of 1024 the weights are 1 %" \
        rows 'near(each("kernels", 64, 1024), 201260) &&
            share("kernels", 1024) < 0.01 && share("library", 1024) < 0.01' $R
else
    skip "E47: recorded: after an epoch the statistics decide on a digit in 200" \
        "needs results of the H200"
    skip "E67: recorded: 201,260 bytes a picture; of 1024 the weights are 1 %" \
        "needs results of the H200"
fi

# the program: a narrow model learns the book's own digits
own="--data synth --train 4000 --test 1000"
narrow="$own --width 4"
ok_run "a narrow model trains on the book's own digits" \
    $N/mnist train $narrow --epochs 2 --save "$T/a" --csv "$T/a.csv"
prints "it answers 9 of 10 rightly" \
    '^(9[0-9][0-9]|1000) of 1000 test digits are right' \
    $N/mnist eval $own --load "$T/a"
prints "the kernels answer as rightly" \
    '^(9[0-9]|100) of 100 test digits are right' \
    $N/mnist eval --data synth --train 1 --test 100 --load "$T/a" \
    --path kernels
prints "they answer for a single digit" '^[01] of 1 test digits are right' \
    $N/mnist eval --data synth --train 1 --test 1 --load "$T/a" --path kernels
for part in "train 10000" "t10k 2000"; do
    fails_run "the book's own digits: $part" "there are ${part#* } digits in part ${part% *}: 0 to" \
        $N/mnist show --data synth --part ${part% *} --first ${part#* } --count 1
done
is "a picture has no empty line, and one after it" \
    "$($N/mnist show --data synth --count 2 | awk '/^$/ { print NR == last + 1; n++ } /#/ { last = NR } END { print n }' | tr '\n' ' ')" "1 1 "
ok_run "one epoch with one thread, and one more with eight: the same bits" \
    sh -c "$N/mnist train $narrow --save $T/b --threads 1 &&
        $N/mnist train $narrow --epochs 2 --save $T/b --threads 8 \
            --resume $T/b && cmp $T/a $T/b"
few="--data synth --width 3 --train 64 --test 16 --batch 16"
ok_run "any number of threads: the same bits" \
    sh -c "for k in 1 2 3 4 5 6 7 8; do
        $N/mnist train $few --threads \$k --save $T/threads.\$k &&
            cmp $T/threads.1 $T/threads.\$k || exit 1
    done"
prints "the answers are shown with the pictures" '^#0: [0-9] \([0-9]+ %\)' \
    $N/mnist predict --data synth --load "$T/a" --count 3 --test 10
for p in kernels library; do
    few="--data synth --width 2 --train 32 --test 16 --batch 8 --path $p"
    ok_run "$p: two epochs, or one and one more: the same bits" \
        sh -c "$N/mnist train $few --epochs 2 --save $T/c &&
            $N/mnist train $few --save $T/d &&
            $N/mnist train $few --epochs 2 --save $T/d --resume $T/d &&
            cmp $T/c $T/d"
done
x="--data synth --width 2 --train 40 --test 16 --batch 16 --epochs 2"
ok_run "digits that stay on the host are learned alike" \
    sh -c "$N/mnist train $x --path fed --csv $T/fed.csv &&
        $N/mnist train $x --path kernels --csv $T/kernels.csv &&
        cmp $T/fed.csv $T/kernels.csv"
prints "nothing is left to do, and it says so" '^[^ ]*/d: epoch 2 is done' \
    $N/mnist train $few --epochs 2 --resume "$T/d"

# what is refused
refuse()
{
    tap_what=$1
    tap_ere=$2
    shift 2
    fails_run "refused: $tap_what" "$tap_ere" $N/mnist "$@"
}
few="--data synth --width 2 --train 32 --test 16 --batch 8"
refuse "no command" 'usage: mnist'
refuse "an unknown command" 'no command fly' fly
refuse "an unknown path" "no path 'tpu'" train $few --path tpu
refuse "a learning rate in words" 'no learning rate' train $few --lr fast
refuse "a negative learning rate" 'no learning rate' train $few --lr -1
refuse "one file for two things" 'name the same file' \
    train $few --save "$T/e" --csv "$T/e"
refuse "a batch of one" 'too small' train --batch 1
refuse "more in a batch than there are" 'do not fill a batch' \
    train $few --batch 64
refuse "a table in no folder, before anything is trained" \
    '^mnist: /nowhere' train $few --csv /nowhere/a.csv
refuse "eval without a network" 'which network' eval --data synth
refuse "a learning rate that explodes" 'try a smaller --lr' \
    train $few --lr 1e30 --epochs 2
refuse "digits that are not there" 'there are 16 digits in part t10k' \
    predict --data synth --load "$T/a" --test 16 --first 15
refuse "another batch than the checkpoint's" '--batch 4 contradicts' \
    train $few --batch 4 --resume "$T/c"
refuse "another seed than the checkpoint's" '--seed 9 contradicts' \
    train $few --seed 9 --resume "$T/c"
$N/mnist train $few --seed 18446744073709551614 --epochs 1 --save "$T/large" \
    >"$T/large.log"
refuse "a seed that is the checkpoint's only as a double" \
    '--seed 18446744073709551615 contradicts .* 18446744073709551614;' \
    train $few --seed 18446744073709551615 --resume "$T/large"
refuse "other digits than the checkpoint's" 'made from other digits' \
    train $few --train 40 --resume "$T/c" --path library

# no_room MEBIBYTES BATCH ERE
no_room()
{
    fails_run "no room for a batch of $2 in $1 MiB, and what is taken is told" "$3" \
        env LOOM_MEMORY=$1 $B/loom/mnist/mnist train --data synth --train 64 --test 4 \
        --batch $2 --path kernels
}
no_room 12 64 '6 MiB more for the gradients; 9 MiB .* [123] of 12 MiB .*--batch smaller than 64$'
no_room 4 2 ' 3 MiB are taken and [01] of 4 MiB are free; try a --width smaller than 32$'

if have inst; then
    ok_run "no race and no bad access in the network" \
        $B/inst/mnist/check_paths 1 2 1
else
    skip "no race and no bad access" "needs the instrumented Loom"
fi

solutions mnist
checked mnist mnist
transcripts mnist
done_testing
