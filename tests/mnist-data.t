#!/bin/sh
# Chapter 22, The MNIST trainer, its first page: the files, the digits.
. tests/tap.sh
M=$B/loom/mnist
N=$B/${BACKENDS%% *}/mnist
W=$tap_tmp/data

for seed in 1 2 3; do
    rm -rf "$W"
    ok_run "digits are drawn, saved, loaded and made floats, seed $seed" \
        $M/data_try --new "$W" --seed $seed
done
rm -rf "$W"
$M/data_try --new "$W" --seed 7 >/dev/null 2>&1

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
    fails_run "refused: $tap_what" "^data_try: .*$tap_ere" \
        $M/data_try --data "$W.bad"
}
x=train-images-idx3-ubyte
y=train-labels-idx1-ubyte
put() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc; }
short() { head -c "$2" "$1" >cut && mv cut "$1"; }
long() { printf "$2" >>"$1"; }
packed() { gzip "$1" && "${@:-:}"; }

ok_run "a folder of files is read" $M/data_try --data "$W"
broken "no file" "has neither $x nor $x.gz.*make data" rm $x
broken "a folder for a file" "$x: is a folder" sh -c "rm $x && mkdir $x"
broken "a pipe for a file" "$x: is no regular file" sh -c "rm $x && mkfifo $x"
broken "an empty file" "$x: is empty" short $x 0
broken "a header of 3 bytes" "ends after 3 bytes, inside its header" short $x 3
broken "a header of 15 bytes" "ends after 15 bytes, inside its header" short $x 15
broken "a header of 7 bytes" "$y: ends after 7 bytes, inside its header" short $y 7
broken "a zip archive" "begins with 50 4b 08 03.*begin with 00 00 08 03" put $x 0 PK
broken "numbers of another type" "byte 2.* type 0x0d; bytes, type 0x08" put $x 2 '\r'
broken "labels for pictures" "byte 3 says 1 dimensions; pictures have 3" cp $y $x
broken "pictures for labels" "byte 3 says 3 dimensions; labels have 1" cp $x $y
broken "no pictures at all" "says 0 items" put $x 7 '\000'
broken "more items than an int counts" "says 4278190110 items" put $x 4 '\377'
broken "rows without pixels" "of 28 x 0 bytes" put $x 15 '\000'
broken "too many rows" "of 65564 x 28 bytes" put $x 9 '\001'
broken "one byte too few" "was cut off: it has 23535 bytes.*makes them 23536" \
    short $x 23535
broken "one byte too many" "goes on too long: it has 23537 bytes.*23536" long $x a
broken "a header of more" "was cut off: .*31 items of 28 x 28" put $x 7 '\037'
broken "pictures of 14 x 56" "are 14 x 56; the trainer takes 28 x 28" \
    put $x 11 '\016\000\000\000\070'
broken "a label of 10" "label 3 of $y, byte 11.*is 10; a label is 0 to 9" put $y 11 '\n'
broken "a label of 255" "label 29 of $y, byte 37.*is 255" put $y 37 '\377'
broken "labels of the other part" "30 pictures and .* 20 labels" \
    cp t10k-labels-idx1-ubyte $y
if [ "$(id -u)" != 0 ]; then
    broken "a file that may not be read" "Permission denied" chmod 000 $x
fi
fails_run "refused: no folder" "no such folder" $M/data_try --data "$W.none"
fails_run "refused: a file for a folder" "no such folder" $M/data_try --data "$W/$x"

# a million pictures that are all holes take no disk, and memory only when read
rm -rf "$W.bad"
cp -R "$W" "$W.bad"
printf '\000\017\102\100' | dd of="$W.bad/$x" bs=1 seek=4 conv=notrunc 2>/dev/null
truncate -s 784000016 "$W.bad/$x" 2>/dev/null || :
# (a planted bug is built with sanitizers, which take an address space of their own)
[ -n "${PLANTED-}" ] || fails_run "too little memory" "$x: no memory for its 784000016 bytes" \
    sh -c "ulimit -v 400000; exec $M/data_try --data $W.bad"
rm -rf "$W.bad"

# packed files, where the program has zlib
gzip -c "$W/$x" >"$tap_tmp/x.gz"
rm -rf "$W.gz"
cp -R "$W" "$W.gz"
gzip "$W.gz"/*
if $M/data_try --data "$W.gz" 2>&1 | grep -q 'built without'; then
    skip "packed files" "needs zlib"
else
    is "packed and plain files are the same digits" \
        "$($M/data_try --data "$W.gz" 2>&1)" "$($M/data_try --data "$W" 2>&1)"
    n=$(wc -c <"$tap_tmp/x.gz")
    W=$W.gz
    broken "a packed file that was cut off" "was cut off: it ends after 1000 packed" \
        short $x.gz 1000
    broken "a packed file without its last byte" "was cut off" short $x.gz $((n - 1))
    broken "a damaged packed file" "is damaged near byte" put $x.gz 300 '\377\377\377'
    broken "a wrong check sum" "is damaged near byte" put $x.gz $((n - 6)) 'xyz'
    broken "something behind what was packed" "goes on after byte $n" long $x.gz a
    broken "half a header of gzip" "was cut off" short $x.gz 5
    broken "no gzip behind its first bytes" "is damaged near byte" put $x.gz 2 x
    broken "a packed file with something else in it" "begins with 68 65 6c 6c" \
        sh -c "echo hello hello | gzip >$x.gz"
    # 80 MB of zeros in 80 kB
    rm -rf "$W.bad"
    cp -R "$W" "$W.bad"
    head -c 80000000 /dev/zero | gzip >"$W.bad/$x.gz"
    [ -n "${PLANTED-}" ] || fails_run "refused: a small packed file with too much in it" \
        "$x.gz: no memory for the [0-9]* bytes in it" \
        sh -c "ulimit -v 100000; exec $M/data_try --data $W.bad"
    W=${W%.gz}
fi

# the fuzzer, as it is and with the sanitizers; without zlib
ok_run "20000 damaged files of each kind" $M/fuzz 20000 --seed 2
modules="$SRC/mnist/idx.c $SRC/mnist/file.c $SRC/mnist/safetensors.c $SRC/tour/idx.c"
build="-std=c11 -Wall -Wextra -Werror -D_DEFAULT_SOURCE -I$SRC"
if [ -z "$ONLY${PLANTED-}" ]; then
    lib=$(echo '__has_include(<zlib.h>)' | ${CC:-cc} -E -P - 2>/dev/null | grep -q 1 && echo -lz)
    ok "the fuzzer builds with sanitizers" ${CC:-cc} $build -O1 -g \
        -fsanitize=address,undefined -fno-sanitize-recover=all $SRC/mnist/fuzz.c \
        $modules $lib -lm -o "$tap_tmp/fuzz"
    ok_run "20000 damaged files touch nothing that is not theirs" "$tap_tmp/fuzz" \
        20000 --seed 3
    ok "the modules build without zlib" ${CC:-cc} $build -O1 \
        -DIDX_ZLIB=0 $SRC/mnist/fuzz.c $modules -lm -o "$tap_tmp/bare"
    prints "without zlib a packed file is refused" 'packed pictures: 100 of 100' \
        "$tap_tmp/bare" 100
fi

if [ -z "$ONLY${PLANTED-}" ]; then
    fails_run "more digits than there are" "part train has 30 digits; 31 were" \
        $N/mnist train --data "$W" --train 31 --batch 10
    fails_run "digits are not drawn into a folder that is there" "is there already" \
        $N/mnist synth --data "$W" --train 1 --test 1
    ok_run "digits are drawn into a new one" $N/mnist synth --data "$W.new" \
        --train 30 --test 20 --seed 7
    ok "and are the ones of their seed" cmp "$W.new/$x" "$W/$x"
    fails_run "digits beyond the last are not shown" "there are 20 in part t10k" \
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
