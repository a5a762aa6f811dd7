#!/bin/sh
# Chapter 1, This book is a program: its programs, its table, its refusals.
. tests/tap.sh
. tests/small.sh

T=$B/loom/tour
tmp=$(mktemp -d "${TMPDIR:-/tmp}/tour.XXXXXX") || exit 2
trap 'rm -rf "$tap_tmp" "$tmp"' EXIT

# --- the headers compile as C and as C++ ------------------------------------
compiles() # language standard compiler header...
{
    lang=$1 std=$2 cc=$3
    shift 3
    for h; do
        printf '#include "tour/%s"\n#include "tour/%s"\n' "$h" "$h"
    done >"$tmp/headers.c"
    "$cc" -x "$lang" -std="$std" -Wall -Wextra -Werror -I"$SRC" \
        -fsyntax-only "$tmp/headers.c"
}
headers="check.h args.h rng.h tensor.h idx.h net.h drawings.h"
for c in gcc clang; do
    if have $c; then
        # shellcheck disable=SC2086
        ok "headers compile as C11 with $c" compiles c c11 $c $headers
    else
        skip "headers compile as C11 with $c" "needs $c"
    fi
done
for c in g++ clang++; do
    if command -v $c >/dev/null; then
        # shellcheck disable=SC2086
        ok "headers compile as C++17 with $c" compiles c++ c++17 $c $headers
    else
        skip "headers compile as C++17 with $c" "needs $c"
    fi
done

all_compile() # compiler
{
    for f in "$SRC"/tour/*.c "$SRC"/tour/solutions/*.c; do
        "$1" -std=c11 -Wall -Wextra -Werror -D_DEFAULT_SOURCE -I"$SRC" \
            -fsyntax-only "$f" || return 1
    done
}
for c in gcc clang; do
    if have $c; then
        ok "every C file compiles with $c" all_compile $c
    else
        skip "every C file compiles with $c" "needs $c"
    fi
done

# --- each C file at its edges, against a list --------------------------------
parts() # files are named without their folder and line, the longest path without its dots
{
    mkdir -p "$tmp/parts"
    ${CC:-cc} -w -std=c11 -D_DEFAULT_SOURCE -g -fsanitize=address,undefined \
        -fno-sanitize-recover=undefined -I"$SRC" -o "$tmp/parts/run" tests/data/tour/parts.c -lm &&
        (cd "$tmp/parts" && ASAN_OPTIONS=detect_leaks=0 ./run 2>&1) |
        sed -e 's,^[^ ]*:[0-9]*: ,,; s,\(\./\)\{9\}[./]*,...,' -e '/^    not true/d' \
            -e '/^gzip: /d; /^$/d' | diff - tests/data/tour/parts.txt
}
ok "arguments, checks, tensors, nets, drawings and files do at their edges what is listed" parts

# --- checks, random numbers -------------------------------------------------
for seed in 1 2 18446744073709551615; do
    ok_run "foundations, seed $seed" "$T/foundations" --seed $seed
done
fails_run "CHECK_ARRAY sees poison in the last element" \
    'y\[99\] = -?nan, want' \
    "$T/foundations" --poison
fails_run "CHECK_NEAR sees a difference and says the reason" \
    'off by 1, tolerance 0 \(an integer is exact\)' "$T/foundations" --off 1
fails_run "CHECK_NEAR lets no NaN pass" 'one = -?nan, want 1' \
    "$T/foundations" --nan
fails_run "CHECK prints the condition" 'not true: \|got - want\| <= tolerance' \
    "$T/foundations" --off 1

# --- arguments --------------------------------------------------------------
refuses() # what it says, then the arguments
{
    re=$1
    shift
    fails_run "sum refuses: $*" "^sum: $re.*\(see sum --help\)$" "$T/sum" "$@"
}
refuses "n: 'twelve' is not a whole number" twelve
refuses "n: '12x' is not a whole number" 12x
refuses "n: '1e3' is not a whole number" 1e3
refuses "n: '1.5' is not a whole number" 1.5
refuses "n: '' is empty" ''
refuses "n: ' 1' is not a whole number" ' 1'
refuses "n: '-5' is negative" -5
refuses "n: '4194305' is too large; give one from 0 to 4194304" 4194305
refuses "n: '99999999999999999999' does not fit in 64 bits" \
    99999999999999999999
refuses "'20' is one argument too many" 10 20
refuses "there is no option --sede" --sede 7
refuses "there is no option -n" -n
refuses "--seed wants a value" --seed
refuses "--seed: '18446744073709551616' does not fit" \
    --seed 18446744073709551616
refuses "--seed: '-1' is negative" --seed -1
fails_run "tensor_try refuses a size below its least" \
    "m: '0' is too small; give one from 1 to 1000" "$T/tensor_try" 0
fails_run "tensor_try refuses an option out of range" \
    "--row: '10' is too large; give one from 0 to 9" "$T/tensor_try" --row 10
for n in 0 1 2 3 64 129 1000 4194304; do
    ok_run "sum $n" "$T/sum" $n --seed 7
done
prints "--help says what there is" 'usage: sum \[n\] \[--seed N\] \[--help\]' \
    "$T/sum" --help
prints "--help says the range and the default" \
    '^  n +0 to 4194304, else 1000000$' "$T/sum" --help

# --- the tensor -------------------------------------------------------------
for shape in "1 1" "1 7" "7 1" "2 2" "3 5" "31 17" "64 65" "129 127"; do
    # shellcheck disable=SC2086
    ok_run "tensor $shape" "$T/tensor_try" $shape --seed 3
done
fails_run "tensor_get refuses a row outside" \
    'there is no element \(2, 0\) in a 2 x 3 tensor' "$T/tensor_try" --row 2
# --- the digits -------------------------------------------------------------
prints "digits reads its drawings" '^all 10 drawings are classified correctly$' \
    "$T/digits"
prints "digits reads a drawing from a file" '^7 +915 #+ <- the answer$' \
    "$T/digits" --drawing tangled/tour/seven.txt
fails_run "digits refuses a drawing that is not there" \
    'nowhere.txt: No such file' "$T/digits" --drawing nowhere.txt
echo '..o..' >"$tmp/o.txt"
fails_run "digits refuses an o in a drawing" "'o' in a drawing" \
    "$T/digits" --drawing "$tmp/o.txt"
printf '#\n' >"$tmp/short.txt"
ok_run "digits takes a short drawing" "$T/digits" --drawing "$tmp/short.txt"

# --- the first kernel -------------------------------------------------------
mirrored()
{
    "$1" | diff - tests/data/tour/mirrored.txt
}
for b in $BACKENDS; do
    ok_run "mirror on the $b" mirrored $B/$b/tour/mirror
done

# The reader's edit lives where nothing was tangled yet, and make tangles first.
edited()
{
    e=$tmp/01-tour/edited
    mkdir -p "$e"
    echo 'rm -r build/tangle' >"$e/cmd.1"
    echo "sed 's/<<<1, 100>>>/<<<1, 64>>>/' tangled/tour/mirror.cu >mirror.cu" \
        >"$e/cmd.2"
    echo "make -s run FILE=mirror.cu | tail -1; test -e build/tangle" >"$e/cmd.3"
    : >"$e/want.1" >"$e/want.2"
    echo '??????????' >"$e/want.3"
    sh tests/transcripts.sh "$e" copy
}
if have notangle; then
    ok "an edit of the first kernel outlives the first tangling" edited
else
    skip "an edit of the first kernel outlives the first tangling" \
        "needs noweb: nothing is tangled without it"
fi

drawn()
{
    "$T/shades" | diff - figures/tour_letters.svg
}
ok "the figure of the letters is what shades draws" drawn

# --- files in and out -------------------------------------------------------
mkdir "$tmp/ten" "$tmp/gz" "$tmp/bad"
ok_run "export writes the drawings" "$T/export" --to "$tmp/ten"
fails_run "export says where it cannot write" '/nowhere/.*No such file' \
    "$T/export" --to /nowhere
is "a picture file has 16 + 10 x 14 x 14 bytes" \
    "$(wc -c <"$tmp/ten/t10k-images-idx3-ubyte" 2>/dev/null | tr -d ' ')" 1976
is "its header is big-endian" \
    "$(od -An -tx1 -N16 "$tmp/ten/t10k-images-idx3-ubyte" 2>/dev/null |
        tr -d ' \n')" 000008030000000a0000000e0000000e
prints "digits reads them back" '^10 of 10 pictures are classified correctly$' \
    "$T/digits" 10 --data "$tmp/ten"
if [ -f "$tmp/ten/t10k-images-idx3-ubyte" ]; then
    for f in t10k-images-idx3-ubyte t10k-labels-idx1-ubyte; do
        gzip -c "$tmp/ten/$f" >"$tmp/gz/$f.gz"
        cp "$tmp/ten/$f" "$tmp/bad/$f"
    done
fi
prints "digits reads them compressed" '^10 of 10 pictures' \
    "$T/digits" 10 --data "$tmp/gz"
prints "freeze learns from ten pictures" \
    '^    "\.\.fbka\.  \.b\.\.\.a\.  \.bidja\.  \.bghla\.  \.df\.j\.\.",$' \
    "$T/freeze" --data "$tmp/ten" --rounds 1
fails_run "freeze wants to know where" 'say where .*--data DIR' "$T/freeze"
"$T/freeze" --data "$tmp/ten" --rounds 50 >"$tmp/letters.h" 2>/dev/null
relearned() # the letters learned from the ten drawings read the ten drawings
{
    mkdir -p "$tmp/src/tour" &&
        cp "$SRC"/tour/*.[ch] "$tmp/src/tour" &&
        cp "$tmp/letters.h" "$tmp/src/tour/letters.h" &&
        (cd "$tmp/src/tour" && ${CC:-cc} -std=c11 -I.. -o "$tmp/again" \
            digits.c net.c tensor.c idx.c drawings.c -lm) &&
        "$tmp/again"
}
ok "what freeze learns from the drawings reads the drawings" relearned

broken() # what it says, then a command that breaks a file in $tmp/bad
{
    re=$1
    shift
    cp "$tmp/ten"/t10k-* "$tmp/bad" 2>/dev/null
    (cd "$tmp/bad" && eval "$1")
    fails_run "digits refuses: $1" "$re" "$T/digits" 10 --data "$tmp/bad"
}
x=t10k-images-idx3-ubyte y=t10k-labels-idx1-ubyte
broken "$x: ends inside its header" "head -c 7 $y >$x"
broken "$x: begins with 0x1f8b0808; labels begin" \
    "printf '\\037\\213\\010\\010' >$x"
broken "$x: ends too early; its header promises 1960 bytes" \
    "head -c 1975 ../ten/$x >$x"
broken "$x: goes on after the 1960 bytes it promises" "echo >>$x"
broken "$x: 4294967295 items of 14 x 14 bytes is more than" \
    "{ printf '\\0\\0\\010\\003\\377\\377\\377\\377'; tail -c +9 ../ten/$x; } >$x"
broken "10 pictures of 14 x 14 and 4 labels do not go together" \
    "printf '\\0\\0\\010\\001\\0\\0\\0\\004\\0\\001\\002\\003' >$y"
broken "$y: No such file .*make data" "rm $y"
broken "$y.gz: (ends inside|cannot be read)" "rm $y; echo no >$y.gz"
mkdir "$tmp/odd"
cp "$tmp/ten"/train-* "$tmp/odd" 2>/dev/null
printf '\0\0\010\001\0\0\0\012\0\001\002\003\004\005\006\007\010\013' \
    >"$tmp/odd/train-labels-idx1-ubyte"
fails_run "freeze refuses a label of 11" 'label 9 is 11, want 0 to 9' \
    "$T/freeze" --data "$tmp/odd"

# --- with MNIST -------------------------------------------------------------
mnist=${MNIST_DIR:-data/mnist}
csv=bench/results/loom/tour.csv
if [ -e "$mnist/$x" ] || [ -e "$mnist/$x.gz" ]; then
    frozen_again()
    {
        "$T/freeze" --data "$mnist" | diff - tangled/tour/letters.h
    }
    ok "the letters in the book are what freeze finds in MNIST" frozen_again
    right=$(awk -F, '$2 == "digits" && $4 == "errors" { print 10000 - $5 }' \
        $csv 2>/dev/null)
    prints "digits reads as many of MNIST's tests as $csv says" \
        "^${right:-nothing recorded} of 10000 pictures" \
        "$T/digits" --data "$mnist"
    prints "the benchmark counts those that it does not, and has their share" \
        "^tour,digits,10000,accuracy,$(awk -v n="${right:-0}" 'BEGIN { print n / 100 }'),%\$" \
        env MNIST_DIR="$mnist" "$T/bench"
    also "and prints it beside the share" "^tour,digits,10000,errors,$((10000 - ${right:-0})),\$"
else
    skip "the letters in the book are what freeze finds in MNIST" \
        "needs MNIST (make data, or MNIST_DIR=)"
    skip "digits reads as many of MNIST's tests as $csv says" \
        "needs MNIST (make data, or MNIST_DIR=)"
    skip "the benchmark counts those that it does not" "needs MNIST (make data, or MNIST_DIR=)"
fi
fails_run "the benchmark wants to know where MNIST is" 'set MNIST_DIR to the folder' \
    env MNIST_DIR= "$T/bench"

# --- under the sanitizers ---------------------------------------------------
clean() # program and arguments: no report from address and undefined
{
    p=$1
    shift
    (cd "$SRC/tour" && ${CC:-cc} -std=c11 -D_DEFAULT_SOURCE -g -I.. \
        -fsanitize=address,undefined -fno-sanitize-recover=all \
        -o "$tmp/$p" "$p.c" net.c tensor.c idx.c drawings.c -lm) &&
        "$tmp/$p" "$@"
}
ok "digits is clean under the sanitizers" clean digits
ok "digits from files is clean under the sanitizers" \
    clean digits 10 --data "$tmp/ten"
ok "tensor_try is clean under the sanitizers" clean tensor_try 5 9
ok "freeze is clean under the sanitizers" clean freeze --data "$tmp/ten"

solutions
transcripts tour
small_agrees tour 2
done_testing
