#!/bin/sh
# tests/planted.sh: bugs that the tests must catch.
#   sh tests/planted.sh TEST NAME
# tries a bug of tests/planted/TEST.txt, which has a record for each:
#
#       name: guard
#       file: kernels/vecadd.cu         where, under tangled/
#       only: kernels/vecadd            what to build and to run (programs)
#       by: vecadd 31                   the assertion that must catch it
#       why: the last block writes past the array
#       --- old
#           if (i < n)
#       --- new
#           if (i <= n)
#       ---
#
# The change is made in a copy; the old text must occur once in the file.  Of
# tests/TEST.t those commands are run that have a word of only: (a program, built as
# tests/planted.mk says, or a function of the test), and an ok or is that by: names,
# until an assertion is "not ok" whose description holds the text of by:.  That alone
# is a catch: no other red line is one, nor is a time limit.  The unchanged program is
# run in the same way, once for all bugs with the same only: (their control), and that
# assertion must be green.  A mutant's "by: *" is any: its control is the red one alone
# or, where that stands on what was run before it, the whole run, made once.
#   with: export    an assertion that by: stands on (it makes a file, say): run, too,
#                   but its red is no catch
#   limit: 6        seconds that a command may run (120; a kernel on Loom a third)
#   needs: nvcc     skipped where that is not
#   inst/a/b        under only: the program build/inst/a/b, with Loom's checker
# A file weave/... is a tool: the test runs with TOOLS set to the changed copy.
#
# The parts, of which many may run at once:
#   sh tests/planted.sh list TEST               name, control, needs, why
#   sh tests/planted.sh base TEST               build the unchanged programs
#   sh tests/planted.sh control TEST NAME       run them, as a record's control
#   sh tests/planted.sh bug TEST NAME           when its control was run
# Exit status 0: all is as it should be.  If not, standard output says why.

set -u
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS
: "${B:=build}" "${MAKE:=make}" "${JOBS:=$(nproc 2>/dev/null || echo 2)}"
base=$B/planted/base

die()
{
    echo "$*"
    exit "${status:-1}"
}

# field NAME: of the record, which take has put into $work
field()
{
    cat "$work/$1" 2>/dev/null
}

# rule PROGRAM: the objects it is made of, if it is one
rule()
{
    sed -n "s,^\$(B)/loom/$1: *\(\$(B).*\),\1,p" "$B/rules.mk" | sed 's,\$(B)/,,g'
}

# take: the record, its fields and where things are
take()
{
    work=$dir/$name${1-}
    # what was built for a mutant serves all tests
    [ -n "${BUGS_DIR-}" ] && [ -d "$work/tangled" ] || rm -rf "$work"
    mkdir -p "$work"
    awk -v want="$name" -v dir="$work" -f tests/planted.awk "$bugs" \
        >"$work/wrong" 2>&1 || die "$(head -n 1 "$work/wrong")"
    file=$(field file) only=$(field only) limit=$(field limit)
    : "${limit:=120}"
    control=$dir/${BUGS_DIR:+$test-}$(field control).control
    [ -f "tangled/$file" ] || die "there is no file tangled/$file"
    programs=
    for p in $only; do
        case $p:$(rule "${p#inst/}") in
        *:) # a script or a function
            [ -e "tangled/$p" ] || grep -Eq "(^|[^A-Za-z0-9_])$p([^A-Za-z0-9_]|$)" \
                "tests/$test.t" || die "there is no program $p"
            ;;
        inst/*) ;;
        *) programs="$programs $p" ;;
        esac
    done
}

# build FOLDER SOURCE CHANGED PROGRAM...
build()
{
    b=$1 src=$2 changed=$3
    shift 3
    [ $# = 0 ] || $MAKE -s -k -j"$JOBS" -f tests/planted.mk RULES="$B/rules.mk" \
        BASE="$base" B="$b" SRC="$src" CHANGED="$changed" ${CC:+"CC=$CC"} \
        ${CXX:+"CXX=$CXX"} $(for p; do echo "$b/loom/$p"; done)
}

# share: hard links to what does not depend on the changed file
share()
{
    checker=
    case " $only" in
    *" inst/"*)
        kept=$B
        mkdir -p "$work/loom" "$work/inst"
        [ ! -d "$B/loom/src" ] || [ -d "$work/loom/src" ] || cp -Rp "$B/loom/src" "$work/loom"
        [ ! -d "$B/inst/head" ] || cp -Rp "$B/inst/head" "$work/inst"
        checker=$(cd "$B" && ls loom/loom/check*.o loom/loom/count.o 2>/dev/null)
        ;;
    *) kept=$base ;;
    esac
    for o in $(for p in $only; do rule "${p#inst/}"; done | tr ' ' '\n' | sort -u) $checker; do
        o=${o%.o}
        cu=loom/src/${o#loom/}.cu
        [ -f "$kept/$o.o" ] && [ -f "$kept/$o.d" ] &&
            ! grep -q "[/ ]$file\( \|$\)" "$kept/$o.d" || continue
        mkdir -p "$work/${o%/*}" "$work/${cu%/*}"
        ln -f "$kept/$o.o" "$work/$o.o"
        [ ! -f "$kept/$cu" ] || ln -f "$kept/$cu" "$work/$cu"
    done
    # with the checker, a program's own object, if it is as new as the tree
    for p in $only; do
        [ -f "$B/$p.o" ] && [ -f "$B/$p.d" ] && [ "$p" != "${p#inst/}" ] &&
            ! grep -q "[/ ]$file\( \|$\)" "$B/$p.d" &&
            [ -z "$(find tangled -name '*.[ch]*' -newer "$B/$p.o")" ] || continue
        mkdir -p "$work/${p%/*}"
        ln -f "$B/$p.o" "$work/$p.o"
    done
    ln "$B/rules.mk" "$work"
}

# run BY: the test; what it says in $work/tap
run()
{
    (
        TOOLS=tangled/weave
        case $file in
        weave/*) TOOLS=$tree/weave ;;
        *)
            SRC=$tree B=$work
            export SRC B
            ;;
        esac
        export TOOLS BACKENDS=loom PLANTED=1 BASE="$base" ONLY="$only" BY="$1" \
            WITH="$(field with)" CONTROL="${2-}" LIMIT="$limit" MUTANT="${any-}" \
            LOOM_LIMIT=$(((limit + 2) / 3)) LOOM_SEED="${LOOM_SEED-1}" \
            ASAN_OPTIONS=detect_leaks=0:use_sigaltstack=0:handle_segv=0:handle_sigbus=0
        # what is run outside of the assertions has no time limit of its own
        timeout -k 5 $((limit * 10)) sh "tests/$test.t" >"$work/tap" 2>&1
    )
}

# unchanged: the programs as they are, in $work
unchanged()
{
    tree=tangled
    [ "$limit" -gt 120 ] || limit=120
    share
    for p in $programs; do
        mkdir -p "$work/loom/${p%/*}"
        ln -f "$base/loom/$p" "$work/loom/$p" || die "the base has no $p"
    done
    for p in $only; do
        case $p in
        inst/*)
            mkdir -p "$work/${p%/*}"
            [ ! -f "$B/$p" ] || ln -f "$B/$p" "$work/$p"
            ;;
        esac
    done
}

control()
{
    take .control-run
    unchanged
    run "$(field all)" 1
    mv "$work/tap" "$control"
    green
    rm -rf "$work"
}

# without BY CONTROL: the unchanged programs, for a mutant, in a folder of their own
without()
{
    work=$work.without any=
    rm -rf "$work"
    mkdir -p "$work"
    unchanged
    run "$@"
}

# alike LINE: is this assertion, red with a mutant, green without it when it runs alone?
alike()
{
    (
        without "$(echo "${1#not ok * - }" | sed 's/\\#/#/g')" ""
        grep -q '^ok ' "$work/tap" && ! grep -q '^not ok' "$work/tap" || exit
        rm -rf "$work"
    )
}

# whole: the control of all mutants with the same only:, all that runs these programs;
# made by the first that asks for it, for which the others wait
whole()
{
    if mkdir "$control.begun" 2>/dev/null; then
        (
            without "*" 1
            mv "$work/tap" "$control.tap" && rm -rf "$work"
        )
        mv "$control.tap" "$control" || : >"$control"
    fi
    until [ -f "$control" ]; do sleep 1; done
}

# said ok|"not ok": the descriptions in the control
said()
{
    sed -n "/# SKIP/d; s/^$1 [0-9]* - //p" "$control" | sed 's/\\#/#/g'
}

# green: the control was; $by, the assertions of which the bug must turn one red
green()
{
    [ -f "$control" ] || die "its control was not run"
    by=$(field by)
    if [ "$by" = "*" ]; then
        # (of two that are called alike, one may be red)
        said "not ok" >"$work/red"
        by=$(said ok | grep -vxF -f "$work/red")
    elif said "not ok" | grep -Fq -e "$by"; then
        grep -A 8 '^not ok' "$control"
        die "the control is red: without the bug tests/$test.t fails, too, with $only"
    elif ! said ok | grep -Fq -e "$by"; then
        tail -n 5 "$control"
        die "no assertion of tests/$test.t says \"$by\" and runs ${only:-$file}"
    fi
    [ -n "$by" ] || {
        # nothing is run, so nothing catches
        said "not ok" | grep -q . || status=1
        die "the control is red: tests/$test.t runs nothing of ${only:-$file}, or all fails"
    }
    with=$(field with)
    said ok | grep -Fq -e "$with" ||
        die "no assertion of tests/$test.t says \"$with\", on which it shall stand, and is green"
}

# change: the changed file
change()
{
    awk -v dir="$work" '
        function text(f,    s, all, n) {
            while ((getline s <(dir "/" f)) > 0)
                all = all (n++ ? "\n" : "") s
            return all
        }
        { all = all $0 "\n" }
        END {
            old = text("old")
            at = index(all, old)
            rest = substr(all, at + length(old))
            if (at == 0) { print "the old text does not occur"; exit 2 }
            if (index(rest, old)) { print "the old text occurs more than once"; exit 2 }
            printf "%s%s%s", substr(all, 1, at - 1), text("new"), rest
        }' "tangled/$file" >"$work/changed" || {
        status=4
        die "$(cat "$work/changed") in tangled/$file"
    }
}

# plant: the copy of the tree with the bug
plant()
{
    change
    tree=$work/tangled
    [ -d "$tree" ] || {
        cp -al tangled "$tree" 2>/dev/null || {
            rm -rf "$tree"
            cp -Rp tangled "$tree"
        }
        rm "$tree/$file"            # the link; the copy has the file's mode
        cp -p "tangled/$file" "$tree/$file"
        cat "$work/changed" >"$tree/$file"      # and newer than what is lent
    }
    case $file in weave/*) return 0 ;; esac
    share
    # shellcheck disable=SC2086
    build "$work" "$tree" "$file" $programs >"$work/make" 2>&1 || {
        head -n 20 "$work/make"
        status=3
        die "with the bug, $only does not build: no test is needed for that"
    }
}

# verdict: the first red line that holds one of $by, but for those of a time limit, and
# of a program that is not there
verdict()
{
    by=$by any=$any awk '
        BEGIN { names = split(ENVIRON["by"], name, "\n"); any = ENVIRON["any"] }
        /^ok|^not ok/ { red = 0 }
        /^not ok/ {
            said = $0
            sub(/^not ok [0-9]* - /, "", said)
            gsub(/\\#/, "#", said)
            red = ENVIRON["by"] == "*"
            for (i = 1; i <= names && !red; i++)
                red = any ? said == name[i] : index(said, name[i])
            if (red) line[++n] = $0
        }
        red && (/^# ended:   (still running|exit status 127)/ ||
            any && /^# \| .*the kernel does not end: .*LOOM_LIMIT/) { n--; red = 0 }
        END { if (n) print line[1] }' "$work/tap"
}

bug()
{
    take
    any= by=$(field by)
    [ "$by" != "*" ] || any=1
    if [ -z "$any" ] || [ -f "$control" ]; then status=4 green; fi
    plant
    run "$by"
    caught=$(verdict)
    if [ "$by" = "*" ] && [ -n "$caught" ] && ! alike "$caught"; then
        whole
        status=4 green
        caught=$(verdict)
        # it was red without the mutant, too: is another one, which was not?
        [ -n "$caught" ] || {
            run "$by"
            caught=$(verdict)
        }
    fi
    if [ -z "$caught" ]; then
        grep -A 2 '^not ok' "$work/tap"
        die "survived: \"$(field by)\" is not red, or by a time limit alone, although $(field why)"
    fi
    echo "$caught"
    rm -rf "$work"
}

# same: each record of TEST.same can be made; with a folder, its changed files are kept
same()
{
    bad=
    for name in $(awk -f tests/planted.awk "$bugs" | cut -f 1); do
        (
            take .same
            change
            [ -z "${1-}" ] || mv "$work/changed" "$1/$name"
            rm -rf "$work"
        ) || bad=1
    done
    [ -z "$bad" ]
}

case ${1-} in
list | base | control | bug | same)
    do=$1
    shift
    ;;
*) do=all ;;
esac
test=${1-} name=${2-}
# mutants are bugs of another file and folder (tests/mutants.sh)
bugs=${BUGS:-tests/planted/$test.txt} dir=${BUGS_DIR:-$B/planted/$test}
[ "$do" != same ] || bugs=tests/planted/$test.same
[ -f "$bugs" ] || die "there is no $bugs"
[ -f "tests/$test.t" ] || die "there is no tests/$test.t"
[ "$do" = list ] || [ -f "$B/rules.mk" ] || $MAKE -s "$B/rules.mk" || exit 1
case $do in
list) awk -f tests/planted.awk "$bugs" ;;
base)
    # shellcheck disable=SC2046
    build "$base" tangled "" $(sed -n 's/^only: *//p' "$bugs" | tr ' ' '\n' | sort -u |
        while read -r p; do [ -z "$(rule "$p")" ] || echo "$p"; done)
    ;;
control | bug) $do ;;
same) same "${2-}" ;;
all)
    sh tests/planted.sh base "$test" && sh tests/planted.sh control "$test" "$name" &&
        sh tests/planted.sh bug "$test" "$name"
    ;;
esac
