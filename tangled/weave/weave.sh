#!/bin/sh
# weave.sh [--check|--claims]: all chapters -> one Markdown file a page in $OUT
# (build/weave). With --check only says what is wrong, with --claims only what the
# sentences claim of results. From the environment: GPU, REPO; LATEX=1, which
# weaves code as LaTeX; and DRAFT=1, which says what is wrong and goes on.
set -eu
tools=$(dirname "$0")
own=h200                        # the GPU whose results the sentences speak of
out=${OUT:-build/weave} gpu=${GPU:-$own} check=${1:-}
LC_ALL=C
export LC_ALL
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tap=bench/results/$gpu/check.tap
mkdir -p "$tmp/out"

# run the pipeline
pages=$("$tools/pages.sh")
# shellcheck disable=SC2086
{
    # hash the chapters that have results
    # shellcheck disable=SC2046
    "$tools/hash.sh" $(find bench/results \( -name '*.csv' -o -path "$tap" \) \
        -exec sed -n 's/^# tangled: [^ ]* //p' {} + 2> /dev/null | sort -u) \
        > "$tmp/hashes" 2> /dev/null &
    awk -f "$tools/stage.awk" -- $pages > "$tmp/out/stage" &
    awk -f "$tools/front.awk" -- $pages
    wait
} |
    awk -f "$tools/defs.awk" |
    awk -v check="$check" -v draft="${DRAFT:-}" -v latex="${LATEX:-}" \
        -v tmp="$tmp" -v out="$tmp/out" -v refs="${REFS:-$out/refs.json}" \
        -v toc=book/toc.txt -v pages="$pages" -v stage="$tmp/out/stage" \
        -v bib=book/refs.bib -v anchors_file=book/anchors.txt \
        -v results=bench/results -v tests=tests \
        -v hashes="$tmp/hashes" -v tap="$tap" \
        -v gpu="$gpu" -v own="$own" -v repo="${REPO:-}" \
        -f "$tools/know.awk" -f "$tools/color.awk" -f "$tools/claim.awk" \
        -f "$tools/inline.awk" -f "$tools/weave.awk" -f "$tools/site.awk"
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
