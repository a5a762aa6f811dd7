#!/bin/sh
# Chapter 21, Layers.
. tests/tap.sh

vectors=tests/data/layers/torch.txt

for seed in 1 2 3; do
    ok_run "every gradient is within 1e-6 of finite differences, seed $seed" \
        $B/machine/layers/gradients --seed $seed
done
ok_run "a check tells every gradient of the gallery from the right ones" \
    $B/machine/layers/gallery
prints "E13: the variance in place of its root makes a wide channel narrow" \
    'by the root 1\.00, by the variance 0\.17' $B/machine/layers/fused
prints "E13: pooling before a negative scale takes other numbers" \
    'before a scale of -2: 2048 of 2048 differ' $B/machine/layers/fused

for b in $BACKENDS; do
    P=$B/$b/layers

    each linear "64 96 10" "1 784 1"
    each relu 4099 65540
    each batchnorm "7 5 36" "3 40 49" "65 2 4"
    each maxpool "6 28 28" "1 2 2"
    each xent "300 10" "1025 3"
    if [ -f "$vectors" ]; then
        ok_run "the layers give what PyTorch gives, on the $b" $P/torch
    fi
    [ -z "${SANITIZE-}" ] || continue
    prints "E46: log-softmax twice is log-softmax, in the loss and its gradient ($b)" \
        '^ok: log-softmax and cross-entropy' $P/xent 64 10
    fails_run "a size that cannot be is refused, on the $b" "'0' is too small" \
        $P/batchnorm 0 1 1
    prints "the benchmark prints rows for every layer, on the $b" \
        '^layers,norm_back2,[0-9]+,of_copy,[0-9.e+-]+,%$' $P/bench
done

for f in "case linear 1" "case linear 1 1 1 1
in x 3 1 2" "nonsense" "case none 1 1 1 1
out y 1 1 1" "case relu 2 1 1 1
in x 3 1 2 3
out y 2 1 2 1 2"; do
    [ -n "${PLANTED-}" ] && break
    printf '%s\n' "$f" >"$tap_tmp/vectors"
    fails_run "a file of vectors that is wrong is refused: $(
        printf '%s' "$f" | tr '\n' ' ')" 'case|nonsense|layer' \
        $B/machine/layers/torch --file "$tap_tmp/vectors"
done

# a planted bug is in a tree of its own, which has no instrumented machine
if have inst && [ -z "${PLANTED-}${SANITIZE-}" ]; then
    I=$B/inst/layers
    for p in "linear 33 20 9" "relu 1001" "batchnorm 3 4 20" "maxpool 2 7 6" \
        "xent 33 11"; do
        ok_run "no race and no bad access: $p" $I/$p
    done
else
    skip "no race and no bad access" "needs the instrumented machine"
fi

wrongs layers
solutions layers
transcripts layers
planted layers
done_testing
