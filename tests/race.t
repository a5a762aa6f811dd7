#!/bin/sh
# Chapter 23, Racing PyTorch: the fast step, training by a recipe, the race.
. tests/tap.sh

T=${TMPDIR:-/tmp}/race.$$
mkdir -p "$T"
trap 'rm -rf "$T"' EXIT

# nearer BATCH STEPS PART: on another card another sum may round the other way, which
# spoils a seed; a mistake spoils all
nearer()
{
    near=0
    for seed in 1 2 3 4 5 6 7; do
        ! tap_limited $P/agree "$@" --seed $seed >/dev/null 2>&1 || near=$((near + 1))
    done
    [ $near -ge 3 ]
}

# --- the step: begin
for b in $BACKENDS; do
    P=$B/$b/race
    if [ $b = gpu ]; then
        each agree "1 6" "2 2" "3 2" "5 3" "64 1" "70 1" "133 2" "300 2"
        if [ -z "${SANITIZE-}" ]; then
            ok "under three or more of seven seeds it is far nearer, 3 pictures, on the $b" nearer 3 2 32
            ok "under three or more of seven seeds it is far nearer, 70 pictures, on the $b" nearer 70 1 4
        fi
    else # Loom has the same sums each time
        each agree "1 6 32" "2 2 32" "3 2 32" "5 3 32" "64 1 4" "70 1 4"
    fi
    prints "the step and its eight kernels are timed, on the $b" \
        '^  step_fc1 +[0-9.]+ us$' $P/phases
    few="--data synth --train 16 --test 4 --batch 8 --path fast"
    # a sanitizer looks at no shell's commands
    [ -z "${SANITIZE-}" ] || ok_run "a training by the fused step, on the $b" \
        $P/mnist train $few --precision bf16
    ok_run "the fused step, at the book's width: two epochs, or one and one more: the same bits, on the $b" \
        sh -c "rm -f $T/[ef] && $P/mnist train $few --precision bf16 --epochs 2 --save $T/e &&
            $P/mnist train $few --precision bf16 --save $T/f &&
            $P/mnist train $few --precision bf16 --epochs 2 --resume $T/f && cmp $T/e $T/f"
done
# --- the step: end

# --- the bench: begin
# rows 'awk condition over v[variant, size, metric]' FILE [PROGRAM]: in the results
# of a benchmark (that PROGRAM printed: it is looked at when only that is tested)
rows()
{
    awk -F, '!/^#/ { v[$2, $3, $4] = $5; n++ } /^#/ { said[$0] = 1 }
        function both(name, metric) { return v[name, 1, metric] + v[name, 2, metric] }
        function all_left_out(n) {
            return said["# the race at " n ": left out, no time"] &&
                said["# the race at " n ", loaded: left out, no time"] }
        function near(x, y) { return y > 0 && x > y / 3 && x < 3 * y }
        END { exit !('"$1"') }' "$2"
}

for b in $BACKENDS; do
    P=$B/$b/race
    for n in 9 23; do # with 23 the slots of the losses come round
        ok_run "trainings on $n digits have the bits of the same done step by step, on the $b" \
            $P/check_learn $n --seed 3
    done
    few="--data synth --width 2 --train 40 --test 16 --batch 8 --path fast"
    for p in fp32 tf32 bf16; do
        ok_run "fast, $p: two epochs, or one and one more: the same bits, on the $b" \
            sh -c "rm -f $T/[cd] && $P/mnist train $few --precision $p --epochs 2 --save $T/c &&
                $P/mnist train $few --precision $p --save $T/d &&
                $P/mnist train $few --epochs 2 --resume $T/d --precision $p &&
                cmp $T/c $T/d"
    done
    prints "a checkpoint of the fast path is read by another, on the $b" \
        '^[0-9]+ of 16 test digits are right' \
        $P/mnist eval --data synth --train 1 --test 16 --load "$T/c" --path kernels
    fails_run "refused: a precision that there is not, on the $b" \
        "no path 'fast_fp8'; there are .*fast_tf32" \
        $P/mnist train $few --precision fp8
    fails_run "refused: another precision than the checkpoint's, on the $b" \
        '--precision tf32 contradicts' \
        $P/mnist train $few --precision tf32 --epochs 3 --resume "$T/c"

    ok_run "the race with a peer, on the $b" sh -c \
        "RACE_PEERS='eager_fp32 bad_fp32 best_bf16' $P/bench --small --race \
            --batch 8 --peer 'sh tests/data/race/peer.sh' >$T/race"
    ok_run "the race with a peer that dies, on the $b" sh -c \
        "PEER_DIES=6 RACE_PEERS='eager_fp32 best_bf16' $P/bench --small --race \
            --batch 8 --peer 'sh tests/data/race/peer.sh' >$T/dies"
    ok_run "the race without the tuned way, on the $b" sh -c \
        "RACE_PEERS=eager_fp32 RACE_LOADED= $P/bench --small --race --batch 8 \
            --peer 'sh tests/data/race/peer.sh' >$T/untuned"
    ok_run "the race with a time limit, on the $b" sh -c \
        "RACE_SECONDS=42 RACE_PEERS='best_bf16 compiled_bf16' $P/bench --small --race \
            --batch 8 --peer 'sh tests/data/race/peer.sh' >$T/hurry &&
            RACE_SECONDS=2 $P/bench --small --race --peer '' >>$T/hurry"
    ok_run "the race without a peer, on the $b" sh -c \
        "$P/bench --small --race --batch 8 --peer '' >$T/alone"
    ok_run "what is learned, on the $b" sh -c "$P/bench --small --plain --to99 >$T/learn"
    ok_run "a search, on the $b" sh -c \
        "printf '# one\n\n8 2 0.05 0.25 1\n16 1 0.1 -1 0\n' |
            $P/bench --small --search >$T/search"
    if tap_wanted race/bench; then
        ok "the ratio is the best peer's time by ours, resident and loaded, on the $b" \
            rows 'v["torch_best_bf16", 8, "us"] == 1000 &&
                v["torch_eager_fp32", 8, "us"] == 3000 &&
                said["# best peer at 8: torch_best_bf16"] &&
                near(1000 / v["fast_bf16", 8, "us"],
                    v["fast_bf16", 8, "of_best_torch"]) &&
                near(1000 / v["fast_bf16_loaded", 8, "us"],
                    v["fast_bf16_loaded", 8, "of_best_torch"])' \
            "$T/race" $P/bench
        ok "a peer that cannot be opened has no row, and its reason is kept, on the $b" \
            rows '!v["torch_bad_fp32", 8, "us"] &&
                said["# torch_bad_fp32 at 8: failed to open bad_fp32"]' \
            "$T/race" $P/bench
        ok "one that dies has none, and ours have theirs, on the $b" \
            rows 'v["fast_bf16", 8, "us"] > 0 && !v["torch_best_bf16", 8, "us"] &&
                said["# torch_eager_fp32 at 8: the peer is gone"]' \
            "$T/dies" $P/bench
        ok "without the tuned way there is no ratio to the best, on the $b" \
            rows 'v["fast_bf16", 8, "of_other_torch"] > 0 &&
                !v["fast_bf16", 8, "of_best_torch"]' "$T/untuned" $P/bench
        ok "what there is no time for is left out and said, on the $b" \
            rows 'v["fast_bf16", 8, "of_best_torch"] > 0 &&
                said["# torch_compiled_bf16 at 8: left out, no time"] &&
                all_left_out(4) && all_left_out(8) && all_left_out(16) &&
                all_left_out(32) &&
                !v["torch_compiled_bf16", 8, "us"] && !v["fast_bf16", 32, "us"]' \
            "$T/hurry" $P/bench
        ok "without a peer there is no ratio, on the $b" \
            rows 'v["fast_bf16", 8, "us"] > 0 &&
                !v["fast_bf16", 8, "of_best_torch"]' "$T/alone" $P/bench
        ok "a training that is loaded reaches the same loss, on the $b" \
            rows 'v["fast_fp32", 8, "loss"] > 0 &&
                v["fast_fp32", 8, "loss"] == v["fast_fp32_loaded", 8, "loss"]' \
            "$T/alone" $P/bench
        ok "each seed has its time and accuracy, and their mean is theirs, on the $b" \
            rows 'v["to99", 1, "s"] > 0 && v["to99", 2, "s"] > 0 &&
                2 * v["to99_all", 2, "mean_accuracy"] == both("to99", "accuracy")' \
            "$T/learn" $P/bench
        ok "a curve has its middle between its ends, on the $b" \
            rows 'v["curve_bf16", 2, "loss_least"] <= v["curve_bf16", 2, "loss"] &&
                v["curve_bf16", 2, "loss"] <= v["curve_bf16", 2, "loss_most"] &&
                v["curve_bf16", 22, "loss"] > 0' "$T/learn" $P/bench
        ok "what is held out is not learned from, on the $b" \
            rows 'said["# 80 digits to learn from, 16 held out"] &&
                v["b8_e2_r0.05_u0.25_s1", 2, "held_out"] > 0 &&
                v["b16_e1_r0.1_u-1_s0", 2, "held_out"] > 0' "$T/search" $P/bench
    fi
    for bad in "8 2 0.05 0.25" "8 2 0.05 0.25 1 1" "1 2 0.05 0.25 1" \
        "8 2 0 0.25 1" "8 2 0.05 1 1" "8 2 0.05 0.25 15" "81 1 0.05 0 0"; do
        fails_run "refused: the recipe $bad, on the $b" 'not a recipe' \
            sh -c "echo '$bad' | $P/bench --small --search"
    done
    fails_run "refused: a precision that there is not, by the bench, on the $b" \
        'there is no fp8' $P/bench --small --race --precision fp8
done

# the peer's script, as far as it can be seen without a GPU
if python3 -c 'import torch' 2>/dev/null; then
    printf 'open eager_bf16 60\nsample 0 2\nopen channels_fp32_loaded 60\n' >"$T/ask"
    printf 'sample 1 2\nloss 1\nopen no_fp32 60\nclose 0\nsample 0 1\n' >>"$T/ask"
    ok_run "the peer's script runs" sh -c \
        "python3 bench/peers/race.py $T --dry <$T/ask >$T/said"
    is "and answers each line with a line" \
        "$(sed 's/ .*//' "$T/said" | tr '\n' ' ')" \
        "open us open us loss failed closed failed "
else
    skip "the peer's script runs" "needs PyTorch"
    skip "and answers each line with a line" "needs PyTorch"
fi

# what the H200 recorded
R=bench/results/h200/race.csv
if grep -q '^race,to99_all,10,mean_accuracy,' $R 2>/dev/null; then
    ok "no-opponent: recorded: the kernels are far ahead of eager PyTorch, and behind its best" \
        rows 'v["torch_eager_fp32", 64, "us"] > 4 * v["kernels_fp32", 64, "us"] &&
            v["torch_best_bf16", 1024, "us"] < v["kernels_fp32", 1024, "us"]' $R
    ok "recorded: a mean of 99.0 % in the time of to99" \
        rows 'v["to99_all", 10, "mean_accuracy"] >= 99 &&
            v["to99_all", 10, "mean_s"] <= 0.3' $R
    ok "recorded: plain training has a median of 98.9 % within five epochs" \
        rows 'v["plain_fp32_all", 10, "accuracy"] >= 98.9 &&
            v["plain_bf16_all", 10, "accuracy"] >= 98.9' $R
else
    skip "no-opponent: recorded: the kernels are far ahead of eager PyTorch, and behind its best" \
        "needs results of the H200"
    skip "recorded: a mean of 99.0 % in the time of to99" "needs results of the H200"
    skip "recorded: plain training has a median of 98.9 % within five epochs" \
        "needs results of the H200"
fi
# --- the bench: end

solutions race
checked race mnist check_learn
have inst && ok_run "race/check_learn is clean" $B/inst/race/check_learn 8 --most 2
transcripts race
done_testing
