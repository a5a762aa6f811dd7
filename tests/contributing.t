#!/bin/sh
# The steps of CONTRIBUTING.md, followed to the letter in a copy of the tree, whose book
# has what the new chapter stands on and no more.
# depends: nvcc CONTRIBUTING.md tests/contributing.awk tests/verdict.sh tests/keys.awk
# depends: book/toc.txt book/refs.bib book/page tangled/weave tangled/tour tangled/stack
# depends: tangled/kernels tangled/loom tangled/measure tangled/setup book/*-tour*.md
# depends: book/*-stack*.md book/*-kernels.md book/*-kernels-*.md book/*-loom*.md
# depends: book/*-measure*.md book/*-setup*.md book/*-weave*.md book/*-glossary.md
. tests/tap.sh

[ -z "$ONLY" ] || done_testing
needs=
for tool in notangle pandoc ${CXX:-g++}; do
    have "$tool" || needs="$needs $tool"
done
if [ -n "$needs" ]; then
    skip "a chapter in ten minutes" "needs$needs"
    done_testing
fi

tree=$tap_tmp/tree
keep='tour stack kernels loom measure setup glossary weave solutions'
mkdir -p "$tree"
{ git ls-files -co --exclude-standard 2>/dev/null ||
    find . -path ./build -prune -o -path ./.git -prune -o -type f -print; } |
    awk -F '[-/.]+' -v keep=" $keep " '
        { sub(/^\.\//, "") }
        /^book\/[0-9A-Z]+[a-z]?-/ && !index(keep, " " $3 " ") { next }
        $0 == "book/errors.txt" { next }    # of chapters that are not here
        /^tangled\// && !index(keep, " " $2 " ") { next }
        !/^tests\/.*\.t$/ { print }' |
    while IFS= read -r f; do [ ! -e "$f" ] || printf '%s\n' "$f"; done |
    tar -cf - -T - | tar -xpf - -C "$tree"
awk -v keep=" $keep " '{ s = $2; sub(/-.*/, "", s) }
    !index(keep, " " s " ") { sub(/ (written|begun) /, " planned ") }
    { print }' book/toc.txt >"$tree/book/toc.txt"
# with what is built of these chapters
if [ "$SRC" = "$B/src" ]; then
    mkdir "$tree/build"
    (cd "$B" && for s in $keep head include; do
        for f in tangle/*-"$s".stamp src/"$s" loom/src/"$s" loom/"$s" inst/"$s"; do
            [ ! -e "$f" ] || echo "$f"
        done
    done | tar -cf - -T -) | tar -xpf - -C "$tree/build"
fi

cat >"$tap_tmp/run" <<'END'
save() { mkdir -p "$(dirname "$1")" && cat >"$1" && echo "ok saved $1"; }
step()
{
    if sh -c "$2" >.said 2>&1 </dev/null; then echo "ok $2"
    else
        echo "not ok $2 (line $1 of CONTRIBUTING.md; exit status $?)"
        tail -n 30 .said | sed 's/^/# /'
    fi
    at=0
}
printed()
{
    line=$(awk -v at="$at" -v want="$2" '
        NR > at && $0 == want { print NR; exit }' .said)
    if [ -n "$line" ]; then at=$line
    else echo "not ok it prints: $2 (line $1 of CONTRIBUTING.md)"; fi
}
END
awk -f tests/contributing.awk CONTRIBUTING.md >>"$tap_tmp/run"
(
    unset B SRC TOOLS BACKEND BACKENDS ONLY OUT TWIN CHAPTER GPU_NAME TAP
    cd "$tree" && exec sh "$tap_tmp/run"
) >"$tap_tmp/said" 2>&1 </dev/null

while IFS= read -r line <&3; do
    case $line in
    'ok '*) pass "${line#ok }" ;;
    'not ok '*) fail "${line#not ok }" ;;
    *) diag "${line#\# }" ;;
    esac
done 3<"$tap_tmp/said"
is "the steps save four files" "$(grep -c '^ok saved ' "$tap_tmp/said")" 4
is "and run four commands" "$(grep -c "^step " "$tap_tmp/run")" 4

# The two commands of everybody who changes something, on one line and as they stand.
(
    cd "$tree" || exit 1
    unset B SRC TOOLS BACKEND BACKENDS ONLY OUT TWIN CHAPTER GPU_NAME TAP
    NO_NVCC=1 sh -c 'make tangle && make check' </dev/null
) >"$tap_tmp/both" 2>&1
if [ $? = 0 ] && grep -q '^Result: PASS' "$tap_tmp/both"; then
    pass "make tangle && make check"
else
    fail "make tangle && make check" "$(tail -n 30 "$tap_tmp/both")"
fi
done_testing
