#!/bin/sh
# Chapter 22, its last page: checkpoints, and what a run says.
. tests/tap.sh
M=$B/machine/mnist
W=$tap_tmp/keep
mkdir -p "$W"

ok_run "checkpoints come back, and what is none is refused" $M/keep_try \
    --file "$W/try.st"
ok_run "40 kills while a file is saved" $M/crash 40 --file "$W/crash.bin"
ok_run "the rows of a killed run come again" $M/solutions/order --file "$W/o.csv"

# train [option...]: a small training; its checkpoint and its CSV are named last
settings="--data synth --train 600 --test 100 --width 2 --batch 20 --lr 0.1"
train() { $M/mnist train $settings "$@"; }

if tap_wanted $M/mnist; then
    tap_build $M/mnist
    ok_run "a training of four epochs" $M/mnist train $settings --epochs 4 \
        --save "$W/whole.st" --csv "$W/whole.csv"

    # killed again and again, and resumed, until it comes to its end
    i=0
    while [ $i -lt 60 ]; do
        i=$((i + 1))
        again=
        if [ -f "$W/killed.st" ]; then again="--resume $W/killed.st"; fi
        timeout -s KILL 0.$((5 + i * 37 % 23 + i)) $M/mnist train $settings \
            --epochs 4 --save "$W/killed.st" --csv "$W/killed.csv" $again \
            >"$W/said" 2>&1 && break
    done
    diag "killed $((i - 1)) times"
    ok "a training that is killed and resumed comes to its end" test $i -lt 60
    ok "its weights are those of one that was left alone, to the bit" \
        cmp "$W/whole.st" "$W/killed.st"
    ok "and so are its losses" cmp "$W/whole.csv" "$W/killed.csv"
    is "the CSV has a row for each step and each epoch" \
        "$(awk -F, 'NR > 1 { n[NF " " ($5 == "" ? "step" : "epoch")]++ }
            END { for (k in n) print k, n[k] }' "$W/whole.csv" | sort)" \
        "5 epoch 4
5 step 120"

    ok_run "one epoch, then resumed" $M/mnist train $settings --epochs 1 \
        --save "$W/part.st"
    ok_run "for the other three" $M/mnist train $settings --epochs 4 \
        --resume "$W/part.st" --save "$W/part.st"
    ok "is the same again" cmp "$W/whole.st" "$W/part.st"

    # what cannot be resumed is refused, and left alone
    cp "$W/part.st" "$W/bad.st"
    refused()
    {
        tap_x=$1
        shift
        cp "$W/bad.st" "$W/before"
        fails_run "refused: $tap_x" "$1" $M/mnist train $settings --epochs 5 \
            --resume "$W/bad.st" --save "$W/bad.st" $2
        ok "and left alone: $tap_x" cmp "$W/bad.st" "$W/before"
    }
    refused "other digits" "other digits" "--train 500"
    refused "another width" "width" "--width 3"
    refused "another rate" "lr" "--lr 0.2"
    refused "another seed" "seed" "--seed 2"
    head -c 5000 "$W/whole.st" >"$W/bad.st"
    refused "a checkpoint that was cut off" "was cut off"
    printf 'PK\003\004 a pickle of PyTorch, say' >"$W/bad.st"
    refused "a foreign file" "no safetensors file"
    sed 's/"width":"2"/"width":"3"/' "$W/whole.st" >"$W/bad.st"
    refused "a checkpoint that lies about its width" "is \[2,1,3,3\]" "--width 3"
    : >"$W/bad.st"
    refused "an empty file" "is empty"
    fails_run "refused: no file" "none.st: No such file" $M/mnist train $settings \
        --resume "$W/none.st"

    # too little of something
    cp "$W/whole.st" "$W/full.st"
    fails_run "a full disk: it says so" \
        "full.st.new: cannot be written: File too large; .*full.st stays" \
        sh -c "ulimit -f 8; exec $M/mnist train $settings --save $W/full.st"
    ok "and the old checkpoint stays" cmp "$W/whole.st" "$W/full.st"
    ok "and nothing is left behind" test ! -e "$W/full.st.new"
    fails_run "a device is not replaced" "/dev/full: is there and is no regular" \
        $M/mnist train $settings --save /dev/full
    ok "/dev/full is still a device" test -c /dev/full
    fails_run "a folder that is not there" "nowhere/w.st.new: .*No such file" \
        $M/mnist train $settings --save "$W/nowhere/w.st"
    if unshare -rm true 2>/dev/null; then
        mkdir -p "$W/small"
        fails_run "a disk of 4 kB is full: it says so" "No space left on device" \
            unshare -rm sh -c "mount -t tmpfs -o size=4k none $W/small &&
                exec $M/mnist train $settings --save $W/small/w.st"
    else
        skip "a disk of 4 kB is full" "needs a file system of its own"
    fi

    # what it says: to a pipe and to a terminal
    train --epochs 2 >"$W/said" 2>&1
    ok "a pipe gets plain lines" sh -c "! grep -q '[[:cntrl:]]' $W/said"
    ok "one for each epoch" test "$(grep -c '^epoch [12] of 2  loss' "$W/said")" = 2
    if have script && script -qec true /dev/null >/dev/null 2>&1; then
        script -qec "$M/mnist train $settings --epochs 2" /dev/null >"$W/said" 2>&1
        ok "a terminal gets a line that is written over" \
            grep -q "$(printf '\r\033\\[Kepoch 1 of 2  step [0-9]* of 30  loss')" "$W/said"
    else
        skip "a terminal gets a line that is written over" "needs script"
    fi

    # another reader
    if have python3; then
        prints "a reader in Python finds the tensors" \
            '^fc1.weight +F32 \[8, 196\] sum' python3 tests/data/mnist/read.py "$W/whole.st"
        if python3 -c 'import safetensors.numpy' 2>/dev/null; then
            prints "the safetensors package does" '^14 tensors, \(8, 196\) float32 4$' \
                python3 -c '
import sys
from safetensors import safe_open
from safetensors.numpy import load_file
t = load_file(sys.argv[1])
with safe_open(sys.argv[1], framework="numpy") as f:
    print(len(t), "tensors,", t["fc1.weight"].shape, t["fc1.weight"].dtype,
          f.metadata()["epoch"])
' "$W/whole.st"
            python3 -c '
import sys
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
with safe_open(sys.argv[1], framework="numpy") as f:
    save_file(load_file(sys.argv[1]), sys.argv[2], f.metadata())
' "$W/whole.st" "$W/theirs.st"
            is "and what it writes is read here" \
                "$($M/mnist eval --data synth --train 600 --test 100 --load "$W/theirs.st" 2>&1)" \
                "$($M/mnist eval --data synth --train 600 --test 100 --load "$W/whole.st" 2>&1)"
        else
            skip "the safetensors package does" "needs Python's safetensors"
        fi
    else
        skip "a reader in Python finds the tensors" "needs python3"
    fi
fi

planted mnist-keep
done_testing
