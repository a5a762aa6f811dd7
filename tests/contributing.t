#!/bin/sh
# The steps of CONTRIBUTING.md, followed to the letter in a copy of the tree.
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
mkdir -p "$tree"
{ git ls-files -co --exclude-standard 2>/dev/null ||
    find . -path ./build -prune -o -path ./.git -prune -o -type f -print; } |
    while IFS= read -r f; do [ ! -e "$f" ] || printf '%s\n' "$f"; done |
    tar -cf - -T - | tar -xpf - -C "$tree"

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
    unset B SRC TOOLS BACKEND BACKENDS ONLY TAP_DIR OUT TWIN CHAPTER GPU_NAME
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

# The two commands of everybody who changes something, on one line and as they
# stand, in a book that has this chapter and what it stands on, and no other.
keep=' tour stack kernels loom measure example setup glossary weave solutions '
(
    cd "$tree" || exit 1
    for md in book/*-*.md; do
        s=${md#*-}
        s=${s%.md}
        case $keep in *" ${s%%-*} "*) ;; *) rm "$md" ;; esac
    done
    for d in tangled/*/; do
        case $keep in *" $(basename "$d") "*) ;; *) rm -r "$d" ;; esac
    done
    awk -v keep="$keep" '{ s = $2; sub(/-.*/, "", s) }
        !index(keep, " " s " ") { sub(/ (written|begun) /, " planned ") }
        { print }' book/toc.txt >toc && mv toc book/toc.txt
    rm -rf build
    find tests -name '*.t' ! -name example.t -exec rm {} +
    unset B SRC TOOLS BACKEND BACKENDS ONLY TAP_DIR OUT TWIN CHAPTER GPU_NAME
    NO_NVCC=1 sh -c 'make tangle && make check' </dev/null
) >"$tap_tmp/both" 2>&1
if [ $? = 0 ] && grep -q '^Result: PASS' "$tap_tmp/both"; then
    pass "make tangle && make check"
else
    fail "make tangle && make check" "$(tail -n 30 "$tap_tmp/both")"
fi
done_testing
