#!/bin/sh
# tests/mutants.sh CHAPTER SEED [N]: do the chapter's tests notice N (10) random changes
# of one token of its code, the test programs' own host code apart?  tests/mutants.awk
# makes them, as planted bugs that any assertion may catch; tests/planted.sh tries each in the chapter's tests: all commands
# that run a program of the chapter which depends on the changed file, every ok and is,
# and then the same programs under Loom's checker.  (Transcripts, and code that is
# wrong on purpose, are left out.)  A line tells of each: caught (by what), not built,
# same (tests/planted/CHAPTER.same says why it changes nothing), or survived, with its
# record; the last line counts them.  The exit status is 1 when one survived, 2 when
# something is wrong.

set -u
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS
: "${B:=build}" "${MAKE:=make}" "${JOBS:=$(nproc 2>/dev/null || echo 2)}"

die()
{
    echo "mutants: $*" >&2
    exit 2
}

# objects PROGRAM: what it is made of
objects()
{
    sed -n "s,^\$(B)/loom/$1: *\(\$(B).*\),\1,p" "$B/rules.mk" | tr ' ' '\n' |
        sed -n 's,^$(B)/\(.*\)\.o$,\1,p'
}

# uses: the chapter's files that its programs are made of, each with a program
uses()
{
    for p in $programs; do
        for o in $(objects "$p"); do
            tr ' :' '\n\n' <"$B/planted/base/$o.d"
        done | sed -n "s,^.*/\($slug/.*\.[ch][uh]*\)$,\1 $p,p"
    done | LC_ALL=C sort -u
}

# make_bugs: $dir/plain, and $dir/inst for the programs that the checker can run
make_bugs()
{
    # shellcheck disable=SC2046
    awk -v seed="$seed" -v n="$n" -v root=tangled/ -f tests/mutants.awk \
        $(sed 's,^\([^ ]*\) .*,tangled/\1,' "$dir/uses" | uniq) >"$dir/changes"
    for how in plain inst; do
        awk -v how=$how -v list="$(sed -n 's/^PROGS_inst :=//p' "$B/rules.mk") " '
            FILENAME ~ /uses$/ {
                if (how == "plain") only[$1] = only[$1] " " $2
                else if (index(list, "/inst/" $2 " ")) only[$1] = only[$1] " inst/" $2
                next
            }
            { record = record $0 "\n" }
            /^file: / { use = only[$2]; record = record "only:" use "\nlimit: 60\n" }
            $0 == "---" { if (use != "") printf "%s", record; record = use = "" }
            ' "$dir/uses" "$dir/changes" >"$dir/$how"
    done
}

# try NAME: in all tests, as it is and under the checker, until one catches it
try()
{
    for how in plain inst; do
        for t in $tests; do
            grep -q "^name: $1\$" "$dir/$how" || continue
            export BUGS="$dir/$how" BUGS_DIR="$dir/$t-$how"
            sh tests/planted.sh bug "$t" "$1" >"$BUGS_DIR/$1.said" 2>&1
            case $? in
            0) echo "caught by $t: $(tail -n 1 "$BUGS_DIR/$1.said")" ;;
            3) echo "not built" ;;
            4) echo "error: $(tail -n 1 "$BUGS_DIR/$1.said")" ;;
            *) continue ;;
            esac
            return
        done
    done
    for s in "$dir"/same/*; do
        if cmp -s "$s" "$dir/$t-plain/$1/changed"; then
            echo "same: ${s##*/} of tests/planted/$slug.same says why"
            return
        fi
    done
    echo survived
}

part=all
case ${1-} in --try=*) part=${1#--try=} && shift ;; esac
slug=${1-} seed=${2-} n=${3:-10}
[ -n "$slug" ] || die "say which chapter: make mutants CHAPTER=kernels SEED=1"
tests=$(cd tests && ls "$slug.t" "$slug"-*.t 2>/dev/null | sed 's/\.t$//')
[ -d "tangled/$slug" ] && [ -n "$tests" ] || die "there is no chapter $slug with tests"
for x in "SEED=$seed" "N=$n"; do
    case ${x#*=} in
    '' | *[!0-9]* | ??????????*) die "$x: say a whole number of at most nine digits" ;;
    esac
done
dir=$B/mutants/$slug-$seed
[ "$part" = all ] || {
    try "$part"
    exit
}

rm -rf "$dir"
mkdir -p "$dir/same"
[ -f "$B/rules.mk" ] || $MAKE -s "$B/rules.mk" || exit 2
programs=$(sed -n "s,^\$(B)/loom/\($slug/[^:]*\): *\$(B).*,\1,p" "$B/rules.mk" |
    grep -v /wrong/)
BUGS="$dir/programs" && export BUGS
echo "only: " $programs >"$BUGS"
sh tests/planted.sh base "${tests%%[!a-z-]*}" || die "the programs of $slug do not build"
uses >"$dir/uses"
make_bugs
if [ -f "tests/planted/$slug.same" ]; then
    sh tests/planted.sh same "$slug" "$dir/same" || exit 2
fi
for how in plain inst; do
    for t in $tests; do
        export BUGS="$dir/$how" BUGS_DIR="$dir/$t-$how"
        mkdir -p "$BUGS_DIR"
        sh tests/planted.sh list "$t" | cut -f 2 | sort -u | xargs -P "$JOBS" -I@ \
            env JOBS=1 sh tests/planted.sh control "$t" @ >"$BUGS_DIR/controls" 2>&1
    done
done
names=$(sed -n 's/^name: //p' "$dir/changes")
echo "$names" | xargs -P "$JOBS" -I@ sh -c \
    'JOBS=1 sh tests/mutants.sh --try=@ "$1" "$2" >"$3/@.verdict"' sh "$slug" "$seed" "$dir"
for m in $names; do
    sed -n "/^name: $m\$/,/^---\$/p" "$dir/changes" >"$dir/record"
    printf '%s, %s: %s\n' "$m" "$(sed -n 's/^why: //p' "$dir/record")" \
        "$(cat "$dir/$m.verdict")"
    ! grep -q '^survived' "$dir/$m.verdict" || cat "$dir/record"
done
cat "$dir"/*.verdict | awk -v what="mutants of $slug, seed $seed" '
    { n[$1]++ }
    END {
        printf "%s: %d caught, %d survived, %d same, %d not built, %d errors\n", what,
            n["caught"], n["survived"], n["same:"], n["not"], n["error:"]
        exit n["error:"] || !NR ? 2 : n["survived"] ? 1 : 0
    }'
