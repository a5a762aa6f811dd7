#!/bin/sh
# Chapter 22, The MNIST trainer, its first page: the files, the digits.
. tests/tap.sh
N=$B/${BACKENDS%% *}/mnist
W=$tap_tmp/data

x=train-images-idx3-ubyte
y=train-labels-idx1-ubyte
put() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc; }
short() { head -c "$2" "$1" >cut && mv cut "$1"; }
long() { printf "$2" >>"$1"; }
pixels() { tail -c +17 "$1" | head -c 15680; }

! tap_wanted $N/mnist || tap_build $N/mnist
$N/mnist synth --data "$W.more" --train 10000 --test 20 --seed 18 >/dev/null 2>&1
$N/mnist synth --data "$W" --train 30 --test 20 --seed 18 >/dev/null 2>&1
is "digits are drawn into a new folder, the same everywhere" "$(cat "$W"/* | cksum)" "3151679171 39298"
# (a sum that starts at 1, not at 0, moves one picture in thousands; each of the three sums
# moves one of seed 18)
is "ten thousand are the same everywhere, too" "$(cat "$W.more"/* | cksum)" "3680798680 7865748"
pixels "$W/$x" >"$tap_tmp/train"
pixels "$W.more/$x" >"$tap_tmp/more"
pixels "$W/t10k-images-idx3-ubyte" >"$tap_tmp/test"
ok "twenty digits are the first of more" cmp "$tap_tmp/train" "$tap_tmp/more"
is "test digits are others" \
    "$(cmp -s "$tap_tmp/train" "$tap_tmp/test" && echo the same || echo others)" others

# broken "what" 'ERE' command...: a copy of the folder, changed by the command,
# is refused with such a sentence
broken()
{
    tap_what=$1
    tap_ere=$2
    shift 2
    rm -rf "$W.bad"
    cp -R "$W" "$W.bad"
    (cd "$W.bad" && "$@") >/dev/null 2>&1
    fails_run "refused: $tap_what" "$tap_ere" $N/mnist show --data "$W.bad"
}
# what chapter 1's reader says of a file, and this chapter of a pair
broken "no file" "$x: No such file.*make data" rm $x
broken "a folder for a file" "$x: ends inside its header" sh -c "rm $x && mkdir $x"
broken "an empty file" "$x: ends inside its header" short $x 0
broken "a header of 15 bytes" "$x: ends inside its header" short $x 15
broken "a header of 7 bytes" "$y: ends inside its header" short $y 7
broken "a zip archive" "begins with 0x504b0803; labels begin with 0x801, pictures" \
    put $x 0 PK
broken "numbers of another type" "begins with 0xd03; labels" put $x 2 '\r'
broken "labels for pictures" "has 30 pictures of 1 x 1; the trainer takes 28 x 28" \
    cp $y $x
broken "pictures for labels" "they are no pair" cp $x $y
broken "no pictures at all" "$x.* (goes on|has 0 pictures)" put $x 7 '\000'
broken "more items than an int counts" "4278190110 items.* more than" put $x 4 '\377'
broken "rows without pixels" "goes on after the 0 bytes" put $x 15 '\000'
broken "too many rows" "of 65564 x 28 bytes is more than" put $x 9 '\001'
broken "one byte too few" "$x: ends too early; its header promises 23520 bytes" \
    short $x 23535
broken "one byte too many" "goes on after the 23520 bytes" long $x a
broken "a header of more" "ends too early; its header promises 24304" put $x 7 '\037'
broken "pictures of 14 x 56" "of 14 x 56; the trainer takes 28 x 28" \
    put $x 11 '\016\000\000\000\070'
broken "a label of 10" "label 3 of $y, byte 11.*is 10; a label is 0 to 9" put $y 11 '\n'
broken "a label of 255" "label 29 of $y, byte 37.*is 255" put $y 37 '\377'
broken "labels of the other part" "30 pictures and .* 20 labels; they are no pair" \
    cp t10k-labels-idx1-ubyte $y
if [ "$(id -u)" != 0 ]; then
    broken "a file that may not be read" "Permission denied" chmod 000 $x
fi
fails_run "refused: no folder" "No such file" $N/mnist show --data "$W.none"
for f in none no/folder; do
    $N/mnist train --data "$W.$f" >"$tap_tmp/said" 2>&1
    is "in one line, with the exit code of other bad input: $f" \
        "$? $(wc -l <"$tap_tmp/said" | tr -d ' ')" "1 1"
done
fails_run "refused: a file for a folder" "Not a directory" $N/mnist show --data "$W/$x"

# packed files
n=$(gzip -c "$W/$x" | wc -c)
plain=$($N/mnist show --data "$W" --count 20)
gzip "$W"/*
is "packed and plain files are the same digits" "$($N/mnist show --data "$W" --count 20 2>&1)" \
    "$plain"
broken "a packed file that was cut off" "$x.gz: ends too early" short $x.gz 1000
broken "a packed file without its last byte" "cannot be read to its end" \
    short $x.gz $((n - 1))
broken "a damaged packed file" "$x.gz: (ends too early|goes on|cannot be read)" \
    put $x.gz 300 '\377\377\377'
broken "a wrong check sum" "cannot be read to its end" put $x.gz $((n - 6)) 'xyz'
broken "something behind what was packed" "cannot be read to its end" long $x.gz a
broken "half a header of gzip" "ends inside its header" short $x.gz 5
broken "no gzip behind its first bytes" "ends inside its header" put $x.gz 2 x
broken "a packed file with something else in it" "begins with 0x68656c6c" \
    sh -c "echo hello hello | gzip >$x.gz"
broken "a small packed file with too much in it" "goes on after the 23520 bytes" \
    sh -c "{ gzip -dc $x.gz; head -c 80000000 /dev/zero; } | gzip >a && mv a $x.gz"
gzip -d "$W"/*

# another file byte that a checkpoint notices
some="--train 30 --batch 10 --width 1"
$N/mnist train --data "$W" $some --save "$tap_tmp/marked" >/dev/null 2>&1
if have python3; then
    $N/mnist predict --data "$W" --load "$tap_tmp/marked" --count 20 >"$tap_tmp/said" 2>&1
    is "the digits that predict calls wrong are those that eval does not count" \
        "$(python3 tests/data/mnist/misread.py "$W" <"$tap_tmp/said" | grep -c '^[0-9]')" \
        "$($N/mnist eval --data "$W" --load "$tap_tmp/marked" |
            awk '/right/ { print $3 - $1 }')"
else
    skip "the digits that predict calls wrong" "needs python3"
fi
for what in "$x 20000 a" "$y 37 \\007"; do
    rm -rf "$W.bad"
    cp -R "$W" "$W.bad"
    put "$W.bad/${what%% *}" $(echo "$what" | cut -d' ' -f2) "${what##* }" 2>/dev/null
    fails_run "a checkpoint notices a byte of ${what%% *}" "made from other digits" \
        $N/mnist train --data "$W.bad" $some --epochs 2 --resume "$tap_tmp/marked"
done

if [ -z "$ONLY${PLANTED-}" ]; then
    fails_run "more digits than there are" "part train has 30 digits; 31 were" \
        $N/mnist train --data "$W" --train 31 --batch 10
    fails_run "digits are not drawn into a folder that is there" "File exists; name a new folder" \
        $N/mnist synth --data "$W" --train 1 --test 1
    fails_run "digits beyond the last are not shown" "there are 20 digits in part t10k" \
        $N/mnist show --data "$W" --first 15 --count 6
    ok_run "those before it are" $N/mnist show --data "$W" --first 15 --count 5
fi

# what digits of our own are worth, where there are written ones
if [ -n "$ONLY${PLANTED-}" ]; then
    :
elif [ -n "${MNIST_DIR-}" ]; then
    ok_run "a network learns from the book's own digits" $N/mnist train --data synth \
        --width 8 --epochs 2 --save "$tap_tmp/own"
    prints "and reads more than three quarters of MNIST" \
        ' (7[5-9]|[89][0-9])\.[0-9]* %$' $N/mnist eval --load "$tap_tmp/own"
else
    skip "a network that learned from the book's own digits reads MNIST" \
        "needs MNIST_DIR"
fi

done_testing
