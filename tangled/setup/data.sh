#!/bin/sh
# data.sh: fetch MNIST into DIR, or check the four files that are there.
# Usage: sh tangled/setup/data.sh [DIR]   (default: data/mnist)
# MIRRORS: where to fetch from; each is tried in turn.
: "${MIRRORS:=https://ossci-datasets.s3.amazonaws.com/mnist
 https://storage.googleapis.com/cvdf-datasets/mnist}"
own=data/mnist
dir=${1:-$own}

# verify one file
# sum: the check sum of standard input; right NAME SUM: is the file there right?
sum() { sha256sum | cut -d' ' -f1; }
right()
{
    if [ -f "$dir/$1" ]; then
        [ "$(sum <"$dir/$1")" = "$2" ]
    else
        [ -f "$dir/$1.gz" ] && [ "$(gzip -dc "$dir/$1.gz" 2>/dev/null | sum)" = "$2" ]
    fi
}

# fetch one file
# fetch NAME SUM: from the first mirror that has the right one
fetch()
{
    part=$dir/$1.gz.part
    for mirror in $MIRRORS $MIRRORS; do
        echo "data: fetching $mirror/$1.gz"
        if command -v curl >/dev/null 2>&1; then
            curl -fL --silent --show-error -C - -o "$part" "$mirror/$1.gz"
        elif command -v wget >/dev/null 2>&1; then
            wget -q -c -O "$part" "$mirror/$1.gz"
        else
            echo "data: fetching needs curl or wget" >&2
            return 1
        fi
        if [ "$(gzip -dc "$part" 2>/dev/null | sum)" = "$2" ]; then
            mv "$part" "$dir/$1.gz"
            return 0
        fi
        echo "data: not the right file; starting over" >&2
        rm -f "$part"
    done
    return 1
}

# verify or fetch each of the four files
mkdir -p "$dir" || exit 1
while read -r name want; do
    if right "$name" "$want"; then
        echo "data: $dir/$name is right"
    elif [ "$dir" != $own ]; then
        echo "data: $dir has no $name (or .gz) with SHA-256 $want" >&2
        exit 1
    elif ! fetch "$name" "$want"; then
        echo "data: no mirror gave $name; put it into $dir by hand" >&2
        exit 1
    fi
done <<END
train-images-idx3-ubyte ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db
train-labels-idx1-ubyte 65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5
t10k-images-idx3-ubyte 0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7
t10k-labels-idx1-ubyte ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2
END
