#!/bin/sh
# Chapter 21, Layers.
. tests/tap.sh
. tests/small.sh

ok_run "a check tells every gradient of the gallery from the right ones" \
    $B/loom/layers/gallery
prints "E13: the variance in place of its root makes a wide channel narrow" \
    'by the variance: a spread of 0\.17' $B/loom/layers/fused
also "E13: pooling before a negative scale takes other numbers" \
    'before a scale of -2: 2048 of 2048 differ'
also "E13: pooling with raw neighbors takes other numbers" \
    'raw neighbors: 1687 of 2048 differ'
prints "P13: of the published gradients of the last layer none is right" \
    '^ *10 x 4096 +0 of +40960 right' $B/loom/layers/gallery
ok_run "a first batch at a kink is drawn anew" \
    $B/loom/layers/gallery --seed 7

# What each layer launches, without a device: k<<<g, b>>>(x) as (launched(g, b), k)(x).
parts()
{
    l=$SRC/layers
    {
        sed -n '/^struct moments/,/^};/p' "$SRC/reduce/welford.cuh"
        sed -n '/by_four(size_t/,/^}/p' $l/vectors.cuh
        sed -n '/^enum { NORM_THREADS/,/^\/\* take the moments/p
            /^\/\* launch a batch norm/,$p' $l/batchnorm.cuh
        sed -n '/^\/\* launch a max-pool/,$p' $l/maxpool.cuh
        sed -n '/^\/\* launch a ReLU/,$p' $l/relu.cuh
        sed -n '/^\/\* launch a linear layer/,$p' $l/linear.cuh
        sed -n '/^\/\* Queues w/,$p' $l/sgd.cuh
        sed -n '/^enum { XENT/p; /^\/\* launch a loss/,$p' $l/xent.cuh
    } | sed -E -e '/^#/d' -e 's/([a-z_]+(<[01]>)?)<<<(.*)>>>/(launched(\3), \1)/' >"$tap_tmp/parts.h"
    ${CC:-cc} -c -o "$tap_tmp/ends.o" tests/data/ends.c &&
        ${CC:-cc} -c -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -I"$SRC" \
            -include layers/reference_d.c -o "$tap_tmp/reference.o" "$SRC/matmul/reference_d.c" &&
        ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
            -fsanitize-coverage=trace-pc -I"$tap_tmp" -I"$SRC" -include tests/data/refused.h \
            -o "$tap_tmp/parts" tests/data/layers/parts.cc "$tap_tmp/ends.o" "$tap_tmp/reference.o" &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" 2>/dev/null | diff - tests/data/layers/parts.txt
}
ok "layers launch what is listed for a shape, batch norm meets each number once, log-softmax has its slopes" parts

# the recorded losses of logits and of their log-probabilities
same_loss()
{
    awk '$1 == "case" { name = $2 }
        $1 == "out" && $2 == "loss" { getline; loss[name] = $1 }
        END {
            off = loss["xent"] - loss["xent_twice"]
            print loss["xent"], loss["xent_twice"], loss["xent_far"]
            exit !(loss["xent"] > 0 && off * off < 1e-28)
        }' tests/data/layers/torch.txt
}
ok "E46: PyTorch's loss is the same for logits and for log-probabilities" \
    same_loss

for b in $BACKENDS; do
    P=$B/$b/layers

    each linear "64 96 10" "1 784 1"
    each relu 4099 65540
    each batchnorm "7 5 36" "3 40 49" "65 2 4"
    each maxpool "6 28 28" "1 2 2"
    each xent "300 10" "1025 3"
    ok_run "PyTorch's results, and differences within 1e-6, on the $b" $P/torch
    prints "E46: the book's loss and gradient of log-probabilities are PyTorch's ($b)" \
        '^xent_twice +loss ' $P/torch
    fails_run "a size that cannot be is refused, on the $b" \
        "'0' is too small" $P/batchnorm 0 1 1
    fails_run "sizes that are too much together are refused, on the $b" \
        'too much to try' $P/linear 4096 4096 4096
    prints "the benchmark prints rows for every layer, on the $b" \
        '^layers,norm_back2,[0-9]+,of_copy,[0-9.e+-]+,%$' $P/bench
done

# files of vectors that are wrong
while IFS='|' read -r text says; do
    printf '%b' "$text" >"$tap_tmp/vectors"
    fails_run "a file of vectors is refused: $text" "$says" \
        $B/loom/layers/torch --file "$tap_tmp/vectors"
done <<'EOT'
# a head|there is no case in it
case linear 1|no name and four sizes
nonsense|is no case, in or out
case none 1 1 1 1\nout y 1 1 1|there is no layer none
case linear 1 1 1 1\nin x 3 1 2|has 2 numbers, 3 are wanted
case relu 2 1 1 1\nin x 3 1 2 3|x has 3 numbers, not 2
case relu 2 1 1 1\nin x 2 1 2|has no dy
EOT

if have inst; then
    I=$B/inst/layers
    for p in "linear 33 20 9" "relu 1001" "batchnorm 3 4 20" "maxpool 2 7 6" \
        "xent 33 11"; do
        ok_run "no race and no bad access: $p" $I/$p
    done
else
    skip "no race and no bad access" "needs the instrumented Loom"
fi

wrongs layers
solutions layers
checked layers
tallied layers
transcripts layers
small_agrees layers 1
done_testing
