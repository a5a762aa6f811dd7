#!/bin/sh
# Chapter 22, its last page: checkpoints, and what a run says.
. tests/tap.sh
few="--data synth --train 600 --test 100"
settings="$few --width 2 --batch 20 --lr 0.1234567"

# killed: a training that is killed again and again, and resumed, until it comes
# to its end by itself. Half of the kills come at any time, even before it has
# begun; the others soon after a save, which replaces the file by another one.
killed()
{
    i=0 kills=0
    while [ $i -lt 80 ]; do
        i=$((i + 1))
        again=
        if [ -f "$W/killed.st" ]; then again="--resume $W/killed.st"; fi
        old=$(stat -c %i "$W/killed.st" 2>/dev/null)
        $train --epochs 8 --save "$W/killed.st" --csv "$W/killed.csv" $again \
            >"$W/said" 2>&1 &
        pid=$!
        if [ $((i % 2)) = 0 ]; then
            while kill -0 $pid 2>/dev/null &&
                [ "$(stat -c %i "$W/killed.st" 2>/dev/null)" = "$old" ]; do
                sleep 0.01
            done
            sleep 0.0$((i * 7 % 4))
        else
            sleep 0.$((5 + i * 37 % 23 + i))
        fi
        kill -9 $pid 2>/dev/null
        wait $pid && break
        kills=$((kills + 1))
        echo "$kills" >"$W/kills"
    done 2>/dev/null
    test $i -lt 80
}

# A checkpoint of 7 MB, of a training whose epoch is one step. When the line of an
# epoch is there, the checkpoint is being written; then comes the kill. There must
# be a whole one under the name, and it must not be too old.
halves()
{
    wide="--data synth --train 2 --test 2 --batch 2"
    broken=0
    $P/mnist train $wide --width 64 --lr 0.001 --save "$W/wide.st" >/dev/null
    for i in $(seq 10); do
        : >"$W/said"
        $P/mnist train $wide --epochs 9999 --resume "$W/wide.st" >"$W/said" 2>&1 &
        pid=$!
        while kill -0 $pid && ! grep -q '^epoch' "$W/said"; do :; done
        sleep 0.00$((i * 7 % 9))
        kill -9 $pid
        wait $pid
        $P/mnist eval $wide --load "$W/wide.st" >"$W/eval" 2>&1 || broken=$((broken + 1))
        said=$(sed -n 's/^epoch \([0-9]*\) .*/\1/p' "$W/said" | tail -n 1)
        kept=$(head -c 60 "$W/wide.st" | tr -dc '0-9a-z"' | sed 's/.*"epoch""\([0-9]*\)".*/\1/')
        [ "$kept" -ge "$((${said:-1} - 1))" ] || broken=$((broken + 1))
    done 2>/dev/null
    is "10 kills while a file is saved: whole, and never too old ($b)" $broken 0
}

# refused "what" 'ERE' [option...]: bad.st is refused, and left alone
refused()
{
    tap_x=$1
    tap_ere=$2
    shift 2
    cp "$W/bad.st" "$W/before"
    fails_run "refused: $tap_x ($b)" "$tap_ere" $train --epochs 9 \
        --resume "$W/bad.st" "$@"
    ok "and left alone: $tap_x ($b)" cmp "$W/bad.st" "$W/before"
}

again()
{
    $train --epochs 1 --save "$W/part.st" >"$W/said" &&
        $train --epochs 8 --resume "$W/part.st" >"$W/said" &&
        cmp "$W/whole.st" "$W/part.st"
}

# killed when the CSV had two epochs and the checkpoint one
rows_again()
{
    $train --epochs 2 --csv "$W/rows.csv" >"$W/said" &&
        $train --epochs 1 --save "$W/one.st" >"$W/said" &&
        $train --epochs 3 --resume "$W/one.st" --csv "$W/rows.csv" >"$W/said" &&
        [ "$(wc -l <"$W/rows.csv")" = 94 ]
}

resumed()
{
    ok_run "a training of eight epochs ($b)" $train --epochs 8 \
        --save "$W/whole.st" --csv "$W/whole.csv"
    ok "one that is killed and resumed comes to its end ($b)" killed
    diag "killed $(cat "$W/kills") times ($b)"
    ok "its weights are those of one that was left alone, to the bit ($b)" \
        cmp "$W/whole.st" "$W/killed.st"
    ok "and so are its losses ($b)" cmp "$W/whole.csv" "$W/killed.csv"
    is "the CSV has a row for each step and each epoch ($b)" \
        "$(awk -F, 'NR > 1 { n[NF " " ($4 == "" ? "step" : "epoch")]++ }
            END { for (k in n) print k, n[k] }' "$W/whole.csv" | sort)" \
        "4 epoch 8
4 step 240"
    ok "one epoch, then seven more, into the same file: the same bits ($b)" again
    ok "the rows of a killed run come again ($b)" rows_again
}

refusals()
{
    cp "$W/part.st" "$W/bad.st"
    refused "other digits" "other digits" --train 500
    refused "another width" "width" --width 3
    refused "another rate" "lr" --lr 0.2
    refused "another seed" "seed" --seed 2
    head -c 5000 "$W/whole.st" >"$W/bad.st"
    refused "a checkpoint that was cut off" "was cut off"
    printf 'PK\003\004 a pickle of PyTorch, say' >"$W/bad.st"
    refused "a foreign file" "no safetensors file"
    sed 's/"width":"2"/"width":"3"/' "$W/whole.st" >"$W/bad.st"
    refused "a checkpoint that lies about its width" "is \[2,1,3,3\]" --width 3
    : >"$W/bad.st"
    refused "an empty file" "has 0 bytes; 1 to"
    # lie what 'new': the setting becomes another text of the same length
    lie()
    {
        sed "s/\"$1\":\"[^\"]*\"/\"$1\":\"$2\"/" "$W/whole.st" >"$W/bad.st"
        refused "$1 is '$2'" "\"$1\" is \"$2\""
    }
    lie epoch -
    lie batch '2 '
    lie lr 'nan456789'
    lie width ' '
    printf 'PK' | dd of="$W/bad.st" conv=notrunc bs=1 seek=5 2>/dev/null
    refused "a header of terabytes" "no safetensors file, or was cut off"
    fails_run "refused: no file ($b)" "none.st: No such file" $train \
        --resume "$W/none.st"
}

# stranger "what" 'sed script' 'ERE': whole.st with its header changed so is
# refused with such a sentence; without one it is taken
stranger()
{
    n=$(od -An -tu4 -N4 "$W/whole.st" | tr -d ' ')
    tail -c +9 "$W/whole.st" | head -c "$n" | sed "$2" >"$W/header"
    new=$(wc -c <"$W/header")
    {
        printf "$(printf '\\%03o\\%03o\\0\\0\\0\\0\\0\\0' $((new % 256)) $((new / 256)))"
        cat "$W/header"
        tail -c +$((n + 9)) "$W/whole.st"
    } >"$W/bad.st"
    if [ -n "${3-}" ]; then
        fails_run "refused: $1 ($b)" "$3" $P/mnist eval $few --load "$W/bad.st"
    else
        is "taken: $1 ($b)" "$($P/mnist eval $few --load "$W/bad.st" 2>&1)" \
            "$($P/mnist eval $few --load "$W/whole.st" 2>&1)"
    fi
}

strangers()
{
    last=',"bn2.running_var":{[^}]*}'
    stranger "a header in a blank" 's/^/ /' 'byte 8: metadata in . . are wanted here'
    stranger "more behind the header" 's/$/ x/' 'does not end here'
    stranger "one brace too many" 's/}} *$/}}}/' 'does not end here'
    stranger "one brace too few" 's/}} *$/}/' 'does not end here'
    stranger "another key" 's/"epoch"/"Epoch"/' 'its metadata lack "epoch"'
    stranger "a key that comes twice" 's/"seed"/"epoch"/' 'this key was there before'
    stranger "a number for a text" 's/"epoch":"8"/"epoch":8/' 'a pair of texts is wanted here'
    stranger "metadata without an end" 's/},"conv1/,"conv1/' 'a pair of texts is wanted here'
    stranger "metadata that come twice" 's/"conv1/"__metadata__":{},&/' 'a tensor with dtype F32'
    stranger "a gap before the first" 's/\[0,72\]/[4,76]/' '4 to 76; 0 to 72 are next'
    stranger "an overlap" 's/\[72,80\]/[68,76]/' '68 to 76; 72 to 80 are next'
    stranger "a gap between two" 's/\[72,80\]/[76,84]/' '76 to 84; 72 to 80 are next'
    stranger "too few bytes" 's/\[72,80\]/[72,76]/' '72 to 76; 72 to 80 are next'
    stranger "an end before its beginning" 's/\[72,80\]/[72,64]/' '72 to 64; 72 to 80 are next'
    stranger "an offset of 21 digits" 's/,80\]/,999999999999999999999]/' 'a tensor with dtype'
    stranger "three offsets" 's/\[72,80\]/[72,80,0]/' 'a tensor with dtype'
    stranger "an offset below 0" 's/\[72,80\]/[-72,80]/' 'a tensor with dtype'
    stranger "a fraction in a shape" 's/\[2,1,3,3\]/[2.0,1,3,3]/' 'a tensor with dtype'
    stranger "nine dimensions" 's/\[2,1,3,3\]/[1,1,1,1,1,1,1,1,1]/' 'is \[1,1,1,1,1,1,1,1,1\]'
    stranger "a shape beyond 64 bits" 's/\[2,1,3,3\]/[4294967296,4294967296]/' \
        'is \[4294967296,4294967296\]'
    stranger "a shape of as many numbers" 's/\[2,1,3,3\]/[3,1,3,2]/' 'is .3,1,3,2.; .* .2,1,3,3.'
    stranger "one dimension more" 's/\[2,1,3,3\]/[2,1,3,3,1]/' 'is \[2,1,3,3,1\]'
    stranger "halves for floats" 's/F32/F16/' 'a tensor with dtype F32'
    stranger "no shape" 's/"shape"/"form"/' 'a tensor with dtype F32, shape'
    stranger "no offsets" 's/,"data_offsets":\[0,72\]//' 'a tensor with dtype F32, shape'
    stranger "a tensor that comes twice" 's/bn1.bias/bn1.weight/' \
        'bn1.weight: a tensor of this name was there before'
    stranger "an unknown tensor" 's/bn1.bias/bn3.bias/' 'bn3.bias: a tensor that the model has not'
    stranger "no last tensor" "s/$last//" 'has no tensor bn2.running_var'
    stranger "other blanks" 's/"epoch":/"epoch"	:  /'
    stranger "blanks at the end" 's/$/     /'
    stranger "no change"
}

# too little of something
little()
{
    cp "$W/whole.st" "$W/full.st"
    fails_run "a full disk: it says so ($b)" \
        "full.st.new: cannot be written: File too large; .*full.st stays" \
        sh -c "ulimit -f 8; exec $train --save $W/full.st"
    ok "and the old checkpoint stays ($b)" cmp "$W/whole.st" "$W/full.st"
    ok "and nothing is left behind ($b)" test ! -e "$W/full.st.new"
    fails_run "a device is not replaced ($b)" "/dev/full: is there and is no" \
        $train --save /dev/full
    ok "/dev/full is still a device ($b)" test -c /dev/full
    fails_run "a folder that is not there ($b)" "nowhere/w.st.new: .*No such file" \
        $train --save "$W/nowhere/w.st"
    fails_run "a name of no letters ($b)" "no name for a file" $train --save ""
    fails_run "a CSV file that cannot be written ($b)" "nowhere/l.csv.new: .*No such" \
        $train --csv "$W/nowhere/l.csv"
    ok "that is said before the training ($b)" sh -c \
        "! $train --csv $W/nowhere/l.csv 2>&1 | grep -q '^epoch'"
    echo "my diary" >"$W/diary"
    fails_run "a CSV file of somebody else ($b)" "is no CSV file of this trainer" \
        $train --csv "$W/diary"
    is "and left alone ($b)" "$(cat "$W/diary")" "my diary"
    if unshare -rm sh -c "mount -t tmpfs none $W" 2>/dev/null; then
        mkdir -p "$W/small"
        fails_run "a disk of 4 kB is full: it says so ($b)" "No space left on" \
            unshare -rm sh -c "mount -t tmpfs -o size=4k none $W/small &&
                exec $train --save $W/small/w.st"
    else
        skip "a disk of 4 kB is full ($b)" "needs a file system of its own"
    fi
}

# A GPU that is not there, or is of another architecture. (Filling a GPU's memory
# would make other tests fail: on Loom a transcript does it.)
gpus()
{
    x="train $settings --path kernels"
    if have nvcc; then
        fails_run "no GPU: it says so, and what to do" \
            "no GPU to use: .*--path reference needs none" \
            env CUDA_VISIBLE_DEVICES= $B/gpu/mnist/mnist $x
    else
        skip "no GPU: it says so, and what to do" "needs nvcc"
    fi
    if ! have gpu || ! have nvcc; then
        skip "code for another GPU: it says so, and what to do" "needs a GPU"
        return 0
    fi
    cc=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 |
        tr -d .)
    other=80                    # runs on 8.x alone
    case $cc in 8*) other=90 ;; esac
    ok "mnist is compiled for sm_$other alone" $MAKE -s SRC="$SRC" \
        B="$W/other" ARCH=sm_$other \
        "$W/other/gpu/mnist/mnist"
    fails_run "code for another GPU: it says so, and what to do" \
        "no GPU to use: .*make -B build/gpu/mnist/mnist ARCH=sm_$cc;" \
        "$W/other/gpu/mnist/mnist" $x
}

# what it says: to a pipe and to a terminal
says()
{
    $train --epochs 2 >"$W/said" 2>&1
    ok "a pipe gets plain lines ($b)" sh -c "! grep -q '[[:cntrl:]]' $W/said"
    ok "one for each epoch ($b)" \
        test "$(grep -c '^epoch [12] of 2  loss' "$W/said")" = 2
    if have script && script -qec true /dev/null >/dev/null 2>&1; then
        script -qec "$train --epochs 2" /dev/null >"$W/said" 2>&1
        ok "a terminal gets a line that is written over ($b)" grep -q \
            "$(printf '\r\033\\[Kepoch 1 of 2  step [0-9]* of 30  loss')" "$W/said"
    else
        skip "a terminal gets a line that is written over ($b)" "needs script"
    fi
}

# another reader and writer of the format
others()
{
    if ! have python3; then
        skip "a reader in Python finds the tensors ($b)" "needs python3"
        return 0
    fi
    prints "a reader in Python finds the tensors ($b)" \
        '^fc1.weight +F32 \[8, 196\] sum' python3 tests/data/mnist/read.py "$W/whole.st"
    if ! python3 -c 'import safetensors.numpy' 2>/dev/null; then
        skip "the safetensors package does ($b)" "needs Python's safetensors"
        return 0
    fi
    prints "the safetensors package does ($b)" '^14 tensors, .8, 196. float32 8$' \
        python3 -c '
import sys
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
t = load_file(sys.argv[1])
with safe_open(sys.argv[1], framework="numpy") as f:
    print(len(t), "tensors,", t["fc1.weight"].shape, t["fc1.weight"].dtype,
          f.metadata()["epoch"])
    save_file(t, sys.argv[2], f.metadata())
' "$W/whole.st" "$W/theirs.st"
    is "and what it writes is read here ($b)" \
        "$($P/mnist eval $few --load "$W/theirs.st" 2>&1)" \
        "$($P/mnist eval $few --load "$W/whole.st" 2>&1)"
}

for b in $BACKENDS; do
    P=$B/$b/mnist
    W=$tap_tmp/keep.$b
    mkdir -p "$W"
    ok_run "20000 damaged files are refused or still right ($b)" $P/fuzz 20000 --seed 2 \
        --file "$W/fuzz.st"
    if tap_wanted $P/mnist; then
        tap_build $P/mnist
        train="$P/mnist train $settings"
        if [ $b = gpu ]; then train="$train --path kernels"; fi
        halves
        resumed
        refusals
        strangers
        little
        says
        others
    fi
done
W=$tap_tmp
gpus
if [ -z "$ONLY${PLANTED-}" ]; then
    ok "the fuzzer builds with sanitizers" ${CC:-cc} -std=c11 -Wall -Wextra -Werror \
        -D_DEFAULT_SOURCE -I"$SRC" -O1 -g -fsanitize=address,undefined \
        -fno-sanitize-recover=all "$SRC/mnist/fuzz.c" "$SRC/mnist/safetensors.c" \
        "$SRC/mnist/file.c" -lm -o "$W/fuzz"
    ok_run "20000 damaged checkpoints touch nothing that is not theirs" "$W/fuzz" \
        20000 --seed 3 --file "$W/fuzz.st"
fi
done_testing
