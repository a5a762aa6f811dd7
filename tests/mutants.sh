#!/bin/sh
# tests/mutants.sh CHAPTER SEED [N]: do the chapter's tests notice N (10) random changes
# of one token of its code, the test programs' own host code apart?  (SEED may be several:
# "1 2 3" makes N with each.)  tests/mutants.awk
# makes them, as planted bugs that any assertion may catch; tests/planted.sh tries each in the chapter's tests: first the
# programs with which these catch what is planted in the same file, then all commands
# that run a program of the chapter which depends on it, every ok and is,
# and then the same programs under Loom's checker.  A mutant is built once for all tests; one that names
# none of its programs is passed over.  (Transcripts, and code that is
# wrong on purpose, are left out.)  A time limit catches nothing, Loom's neither.  A line tells of each: caught (by what), not built,
# same (tests/planted/CHAPTER.same says why it changes nothing), or survived, with its
# record; the last line counts them.  The exit status is 1 when one survived, 2 when
# something is wrong.  With N=0 a space is all that changes: the control, which must survive.

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

# make_bugs: $dir/plain, and $dir/inst for the programs that the checker can run; and
# $dir/near-TEST, with those by which this test catches planted bugs of the same file
make_bugs()
{
    # shellcheck disable=SC2046
    for s in $seeds; do
        awk -v seed="$s" -v n="$n" -v root=tangled/ -f tests/mutants.awk \
            $(sed 's,^\([^ ]*\) .*,tangled/\1,' "$dir/uses" | uniq)
    done >"$dir/changes"
    for how in plain inst; do
        awk -v how=$how -v list="$(sed -n 's/^PROGS_inst :=//p' "$B/rules.mk") " '
            FILENAME ~ /uses$/ {
                if (how == "plain") only[$1] = only[$1] " " $2
                else if (index(list, "/inst/" $2 " ")) only[$1] = only[$1] " inst/" $2
                next
            }
            { record = record $0 "\n" }
            /^file: / { use = only[$2]; record = record "only:" use "\n" }
            $0 == "---" { if (use != "") printf "%s", record; record = use = "" }
            ' "$dir/uses" "$dir/changes" >"$dir/$how"
    done
    for t in $tests; do
        [ ! -f "tests/planted/$t.txt" ] || awk '
            FILENAME ~ /uses$/ { uses[$1, $2]; next }
            FILENAME ~ /planted/ {
                if ($1 == "file:") file = $2
                for (i = 2; $1 == "only:" && i <= NF; i++)
                    if ((file, $i) in uses && !((file, $i) in seen)) {
                        only[file] = only[file] " " $i
                        seen[file, $i]
                    }
                next
            }
            { record = record $0 "\n" }
            /^file: / { use = only[$2]; record = record "only:" use "\n" }
            $0 == "---" { if (use != "") printf "%s", record; record = use = "" }
            ' "$dir/uses" "tests/planted/$t.txt" "$dir/changes" >"$dir/near-$t"
    done
}

# runs TEST RECORDS NAME: may the test run a program of this mutant?
runs()
{
    awk -v want="$3" '
        FNR == NR { on = /^name: / ? $2 == want : on; if (on && /^only: /) only = $0; next }
        /(solutions|checked|PROGS_)/ { found = 1 }
        { text = text " " $0 }
        END {
            gsub(/[^A-Za-z0-9_]+/, " ", text)
            text = text " "
            n = split(only, p, " ")
            for (i = 2; i <= n && !found; i++) {
                sub(/.*\//, "", p[i])
                found = index(text, " " p[i] " ")
            }
            exit !found
        }' "$2" "tests/$1.t"
}

# try HOW NAME: in all tests, until one catches it; what is known then in NAME.verdict
try()
{
    failed=
    for t in $tests; do
        bugs=$dir/$1
        [ $1 != near ] || bugs=$dir/near-$t
        grep -qs "^name: $2\$" "$bugs" || continue
        [ "$t" = "${tests%%[!a-z-]*}" ] || runs "$t" "$bugs" "$2" || continue
        export BUGS="$bugs" BUGS_DIR="$dir/in-$1"
        sh tests/planted.sh bug "$t" "$2" >"$BUGS_DIR/$2.said" 2>&1
        case $? in
        0) say="caught by $t: $(tail -n 1 "$BUGS_DIR/$2.said")" ;;
        3) say="not built" ;;
        4) # another test may catch it all the same
            failed="error: $(tail -n 1 "$BUGS_DIR/$2.said")"
            continue
            ;;
        *)
            cat "$BUGS_DIR/$2/tap" >>"$dir/$2.taps"
            continue
            ;;
        esac
        echo "$say" >"$dir/$2.verdict"
        rm -rf "${BUGS_DIR:?}/$2"
        return
    done
    [ "$1" != near ] || return 0
    for s in "$dir"/same/*; do
        if cmp -s "$s" "$dir/in-plain/$2/changed"; then
            echo "same: ${s##*/} of tests/planted/$slug.same says why" >"$dir/$2.verdict"
            return
        fi
    done
    [ -z "$failed" ] || echo "$failed" >"$dir/$2.verdict"
}

# open: the mutants of which nothing is known yet
open()
{
    sed -n 's/^name: //p' "$dir/changes" | while read -r m; do
        [ -f "$dir/$m.verdict" ] || echo "$m"
    done
}

how=
case ${1-} in --try=*) how=${1#--try=} m=$2 && shift 2 ;; esac
slug=${1-} seeds=${2-} n=${3:-10}
[ -n "$slug" ] || die "say which chapter: make mutants CHAPTER=kernels SEED=1"
# the test with the most planted bugs is likely to catch one
tests=$(cd tests && ls "$slug.t" "$slug"-*.t 2>/dev/null | sed 's/\.t$//' | while read -r t; do
    echo "$(cat "planted/$t.txt" 2>/dev/null | grep -c '^name: ') $t"
done | sort -s -k1,1nr | cut -d' ' -f2)
[ -d "tangled/$slug" ] && [ -n "$tests" ] || die "there is no chapter $slug with tests"
[ -n "$seeds" ] || die "SEED=: say a whole number of at most nine digits"
for x in $(for s in $seeds; do echo "SEED=$s"; done) "N=$n"; do
    case ${x#*=} in
    '' | *[!0-9]* | ??????????*) die "$x: say a whole number of at most nine digits" ;;
    esac
done
dir=$B/mutants/$slug
[ -z "$how" ] || {
    try "$how" "$m"
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
[ -s "$dir/changes" ] || die "there is nothing to change in $slug"
if [ -f "tests/planted/$slug.same" ]; then
    sh tests/planted.sh same "$slug" "$dir/same" || exit 2
fi
# as it is, then what is left under the checker
for how in near plain inst; do
    open >"$dir/open"
    # with the checker: what is not changed is built once
    # shellcheck disable=SC2046
    [ $how != inst ] || $MAKE -s -k -j"$JOBS" $(awk -v b="$B/" '
        NR == FNR { open[$1]; next }
        /^name: / { on = $2 in open }
        on && /^only: / { for (i = 2; i <= NF; i++) if (!seen[$i]++) print b $i }' \
        "$dir/open" "$dir/inst") >"$dir/made" 2>&1
    mkdir -p "$dir/in-$how"
    xargs -P "$JOBS" -I@ env JOBS=1 sh tests/mutants.sh "--try=$how" @ \
        "$slug" "$seeds" <"$dir/open"
done
for m in $(open); do
    late=
    ! grep -Eqs '^# ended:   still running|LOOM_LIMIT' "$dir/$m.taps" ||
        late=" (it was ended by a time limit, which catches nothing)"
    echo "survived$late" >"$dir/$m.verdict"
done
for m in $(sed -n 's/^name: //p' "$dir/changes"); do
    sed -n "/^name: $m\$/,/^---\$/p" "$dir/changes" >"$dir/record"
    printf '%s, %s: %s\n' "$m" "$(sed -n 's/^why: //p' "$dir/record")" \
        "$(cat "$dir/$m.verdict")"
    ! grep -q '^survived' "$dir/$m.verdict" || cat "$dir/record"
done
for s in $seeds; do
    for m in "$dir/s$s-"*.verdict; do
        [ ! -f "$m" ] || cat "$m"
    done | awk -v none="$((n == 0))" -v what="mutants of $slug, seed $s" '
        { n[$1]++ }
        END {
            printf "%s: %d caught, %d survived, %d same, %d not built, %d errors\n", what,
                n["caught"], n["survived"], n["same:"], n["not"], n["error:"]
            if (none) exit n["survived"] == 1 ? 0 : 2
            exit n["error:"] || !NR ? 2 : n["survived"] ? 1 : 0
        }'
    r=$?
    [ $r -le "${worst:=0}" ] || worst=$r
done
exit "$worst"
