#!/bin/sh
# hash.sh WHAT ...: for each, a line with twelve digits that stand for its code, and
# its name. WHAT is a program (memory/bench) or a folder of tangled/ (memory).
tools=$(dirname "$0")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
find tangled -type f | sed 's,^tangled/,,' | LC_ALL=C sort > "$tmp/known"
mkdir "$tmp/text"
LC_ALL=C awk -v tmp="$tmp" -f "$tools/closure.awk" -- "$@" > "$tmp/parts"
status=$?
(cd "$tmp/text" && sha256sum ./*) > "$tmp/sums" 2> /dev/null
for what in $(cut -d' ' -f1 "$tmp/parts" | uniq); do
    awk -v what="$what" 'FILENAME ~ /sums$/ { sub(/.*\//, "", $2); sum[$2] = $1; next }
        $1 == what { print sum[$2] }' "$tmp/sums" "$tmp/parts" | LC_ALL=C sort |
        sha256sum | sed "s,^\(............\).*,\1 $what,"
done
exit $status
