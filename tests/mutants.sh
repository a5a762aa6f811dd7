#!/bin/sh
# tests/mutants.sh CHAPTER SEED [N]: do the chapter's tests notice N (10) random changes
# of one token of its code?  The changes are made by tests/mutants.awk and tried by
# tests/planted.sh, as a planted bug that any assertion may catch: one of a command
# that runs a program of the chapter which depends on the changed file, or an ok or is.
# Transcripts and code that is wrong on purpose are left out.  Each change is told in
# a line: caught (by what), not built, same (tests/planted/CHAPTER.same says why it
# changes nothing), or survived, with its record; the last line counts them.  Exit
# status 1 when one survived, 2 when none could be tried.

set -u
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS
: "${B:=build}" "${MAKE:=make}" "${JOBS:=$(nproc 2>/dev/null || echo 2)}"
die()
{
    echo "mutants: $*" >&2
    exit 2
}

# try CHAPTER FOLDER NAME: in the tests of the chapter, until one catches it
try()
{
    for t in $tests; do
        export BUGS="$dir/bugs" BUGS_DIR="$dir/$t"
        sh tests/planted.sh bug "$t" "$1" >"$BUGS_DIR/$1.said" 2>&1
        case $? in
        0) echo "caught by $t: $(tail -n 1 "$BUGS_DIR/$1.said")" ;;
        3) echo "not built" ;;
        4) echo "error: $(tail -n 1 "$BUGS_DIR/$1.said")" ;;
        *) continue ;;
        esac
        return
    done
    for s in "$dir"/same/*; do
        if cmp -s "$s" "$BUGS_DIR/$1/changed"; then
            echo "same: ${s##*/} of tests/planted/$slug.same says why"
            return
        fi
    done
    echo survived
}

slug=${1-} seed=${2-} n=${3-10}

[ "${1-}" != try ] || {
    slug=$2 dir=$3
    tests=$(cd tests && ls "$slug.t" "$slug"-*.t 2>/dev/null | sed 's/\.t$//')
    try "$4"
    exit
}
[ -n "$slug" ] || die "say which chapter: make mutants CHAPTER=kernels SEED=1"
tests=$(cd tests && ls "$slug.t" "$slug"-*.t 2>/dev/null | sed 's/\.t$//')
[ -d "tangled/$slug" ] && [ -n "$tests" ] || die "there is no chapter $slug that has tests"
for x in "SEED=$seed" "N=$n"; do
    case ${x#*=} in
    '' | *[!0-9]* | ??????????*) die "$x: say a whole number of at most nine digits" ;;
    esac
done

dir=$B/mutants/$slug-$seed
rm -rf "$dir"
mkdir -p "$dir/same"
[ -f "$B/rules.mk" ] || $MAKE -s "$B/rules.mk" || exit 2

# the chapter's programs, unchanged, and the files they are made of
sed -n "s,^\$(B)/loom/\($slug/[^:]*\): *\$(B).*,only: \1,p" "$B/rules.mk" |
    grep -v /wrong/ >"$dir/programs"
BUGS=$dir/programs sh tests/planted.sh base "${tests%%
*}" || die "the unchanged programs of $slug do not build"
objects() # program: what it is made of
{
    sed -n "s,^\$(B)/loom/$1: *\(\$(B).*\),\1,p" "$B/rules.mk" |
        tr ' ' '\n' | sed -n 's,^$(B)/\(.*\)\.o$,\1,p'
}
sed 's/^only: //' "$dir/programs" | while read -r p; do
    for o in $(objects "$p"); do
        grep -o "[^ ]*/$slug/[^ :]*\.[a-z]*" "$B/planted/base/$o.d"
    done | sed -n "s,^.*/\($slug/.*\.\([ch]\|cu\|cuh\)\)$,\1 $p,p"
done | LC_ALL=C sort -u >"$dir/uses"
# shellcheck disable=SC2046
awk -v seed="$seed" -v n="$n" -v root=tangled/ -f tests/mutants.awk \
    $(cut -d ' ' -f 1 "$dir/uses" | LC_ALL=C sort -u | sed 's,^,tangled/,') |
    awk -v uses="$dir/uses" '
        BEGIN {
            while ((getline <uses) > 0) only[$1] = only[$1] " " $2
        }
        { print }
        /^file: / && !old { print "only:" only[$2] "\nlimit: 60" }
        /^---/ { old = $0 != "---" }' >"$dir/bugs"
[ ! -f "tests/planted/$slug.same" ] || sh tests/planted.sh same "$slug" "$dir/same" ||
    die "tests/planted/$slug.same has a change that cannot be made"


for t in $tests; do
    export BUGS="$dir/bugs" BUGS_DIR="$dir/$t"
    mkdir -p "$BUGS_DIR"
    sh tests/planted.sh list "$t" | cut -f 2 | sort -u | xargs -P "$JOBS" -I@ \
        sh -c 'JOBS=1 sh tests/planted.sh control "$1" @ || echo "(control of @)"' sh "$t"
done
names=$(awk -f tests/planted.awk "$dir/bugs" | cut -f 1)
# shellcheck disable=SC2016
echo "$names" | xargs -P "$JOBS" -I@ \
    sh -c 'JOBS=1 sh tests/mutants.sh try "$1" "$2" @ >"$2/@.verdict"' sh "$slug" "$dir"
for m in $names; do
    awk -v want="$m" -v dir="$dir" -f tests/planted.awk "$dir/bugs"
    printf '%s %s: %s\n' "$m" "$(cat "$dir/why")" "$(cat "$dir/$m.verdict")"
    [ "$(cat "$dir/$m.verdict")" != survived ] || sed -n "/^name: $m\$/,/^---\$/p" "$dir/bugs"
done
cat "$dir"/*.verdict | sed 's/[ :].*//' | sort | uniq -c | awk -v slug="$slug" -v seed="$seed" '
    { n[$2] = $1; all += $1 }
    END {
        printf "mutants of %s, seed %s: %d caught, %d survived, %d same, %d not built, %d errors\n",
            slug, seed, n["caught"], n["survived"], n["same"], n["not"], n["error"]
        exit n["error"] || !all ? 2 : n["survived"] ? 1 : 0
    }'
