#!/bin/sh
# weave.sh [--check]: all chapters -> one Markdown file a page in $OUT
# (build/weave). With --check only says what is wrong. From the environment:
# GPU, REPO, and DRAFT=1, which says what is wrong and goes on.
set -eu
tools=$(dirname "$0")
out=${OUT:-build/weave} gpu=${GPU:-h200} check=
[ "${1:-}" = --check ] && check=1
LC_ALL=C
export LC_ALL
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/out"

# hash the chapters that have results
tap=bench/results/$gpu/check.tap
{
    find bench/results -name '*.csv' 2> /dev/null | sed 's,.*/,,; s,\.csv$,,'
    [ ! -f "$tap" ] || sed -n 's/^# tangled \([a-z0-9]*\) .*/\1/p' "$tap"
} | sort -u | while read -r slug; do
    [ ! -d "tangled/$slug" ] || echo "$slug $("$tools/hash.sh" "$slug")"
done > "$tmp/hashes"

# ask which chapters are younger than their pages
due=all
if [ -f "$out/done" ]; then
    due=
    for file in $(find book/ tests/*.t bench/results/ "$tools/" "$out/choices" \
        -newer "$out/done" -type f 2> /dev/null); do
        case $file in
        book/page/*) ;;
        book/C-glossary.md | book/toc.txt | book/refs.bib) due=all; break ;;
        book/*.md) file=${file##*/}; due="$due ${file%.md}" ;;
        *) due=all; break ;;
        esac
    done
fi

# run the pipeline
chapters=$(ls book/[0-9][0-9]*-*.md book/[A-Z]-*.md 2> /dev/null || true)
# shellcheck disable=SC2086
awk -f "$tools/front.awk" -- $chapters |
    awk -f "$tools/defs.awk" |
    awk -v check="$check" -v draft="${DRAFT:-}" -v out="$tmp/out" \
        -v toc=book/toc.txt -v bib=book/refs.bib -v anchors_file=book/anchors.txt \
        -v results=bench/results -v tests=tests \
        -v hashes="$tmp/hashes" -v tap="$tap" \
        -v gpu="$gpu" -v repo="${REPO:-}" -v final="$out" -v due="$due" \
        -f "$tools/know.awk" -f "$tools/colour.awk" -f "$tools/inline.awk" \
        -f "$tools/weave.awk" -f "$tools/site.awk"
[ -z "$check" ] || exit 0

# move the pages that differ
mkdir -p "$out"
diff -rq "$tmp/out" "$out" | while read -r line; do
    case $line in
    "Files "*) f=${line#Files } f=${f%% and *} ;;
    "Only in $tmp/out: "*) f=$tmp/out/${line#*: } ;;
    *) f= ;;
    esac
    [ -z "$f" ] || mv "$f" "$out/"
done

# put the parts of the index and of the text together
parts() { sed "s,.*,$out/&.$1," "$out/pages" | xargs cat; }
{ echo 'bookSearch(['; parts search; echo '[]])'; } > "$tmp/search.js"
{
    echo 'Warp and Weft: GPU programming as a literate program'
    parts text
} > "$tmp/book.txt"
for f in search.js book.txt; do
    cmp -s "$tmp/$f" "$out/$f" || mv "$tmp/$f" "$out/$f"
done
touch "$out/done"
