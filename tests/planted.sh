#!/bin/sh
# tests/planted.sh FILE...: does a test catch this bug?  Each file says
#
#       file: kernels/vecadd.cu         where, under tangled/
#       only: kernels/vecadd            what to rebuild and to run (programs)
#       test: kernels                   the test that must turn red
#       why: the last block writes past the array
#       --- old
#           if (i < n)
#       --- new
#           if (i <= n)
#
# The change is made in a copy ($B/planted/<name>/); the old text must occur
# exactly once in the file.  Exit status 0: tests/<test>.t had a "not ok".
# 1: the bug survived, or it is no bug that a test can be tried on (does not
# occur, does not compile): says which.  A file weave/... is a tool: the test
# runs with TOOLS set to the changed copy, and "only" (optional) picks parts.
# A script of another chapter is not built; the test finds it under $SRC.

set -u
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS
: "${B:=build}" "${MAKE:=make}"

die()
{
    echo "$name: $*"
    exit 1
}

field()
{
    sed -n -e '/^--- /q' -e "s/^$1: *//p" "$bug" | sed 's/ *$//' | head -n 1
}

# replace FILE: the text of FILE with old (once in it) replaced by new
replace()
{
    awk -v bug="$bug" '
        BEGIN {
            while ((getline line < bug) > 0)
                if (line ~ /^--- (old|new)$/)
                    part = substr(line, 5)
                else if (part != "")
                    text[part] = text[part] (lines[part]++ ? "\n" : "") line
        }
        { all = all $0 "\n" }
        END {
            old = text["old"]
            if (old == "") { print "no text under --- old"; exit 2 }
            if (old == text["new"]) { print "old and new are the same"; exit 2 }
            at = index(all, old)
            rest = substr(all, at + length(old))
            if (at == 0) { print "the old text does not occur"; exit 2 }
            if (index(rest, old)) {
                print "the old text occurs more than once"; exit 2
            }
            printf "%s%s%s", substr(all, 1, at - 1), text["new"], rest
        }' "$1"
}

plant()
{
    bug=$1
    name=$(basename "$bug" .txt)
    [ -f "$bug" ] || die "there is no $bug"
    file=$(field file) only=$(field only) test=$(field test) why=$(field why)
    [ -n "$file" ] && [ -n "$test" ] && [ -n "$why" ] ||
        die "it must say file:, test: and why:"
    [ -f "tangled/$file" ] || die "there is no tangled/$file"
    [ -f "tests/$test.t" ] || die "there is no tests/$test.t"
    work=$B/planted/$name
    rm -rf "$work"
    mkdir -p "$work/tangled"
    replace "tangled/$file" >"$work/changed" ||
        die "$(cat "$work/changed") in tangled/$file"

    case $file in
    weave/*)
        cp -Rp tangled/weave "$work/weave"
        # written into the copy, so that its mode stays
        cat "$work/changed" >"$work/weave/${file#weave/}"
        TOOLS=$work/weave PLANTED=$name ONLY=$only \
            LIMIT=20 sh "tests/$test.t" >"$work/tap" 2>&1
        ;;
    *)
        [ -n "$only" ] || die "it must say only: which programs it breaks"
        cp -Rp tangled/. "$work/tangled"
        cat "$work/changed" >"$work/tangled/$file"
        progs=
        case $file in
        *.c | *.h | *.cu | *.cuh | loom/*)
            share
            for p in $only; do progs="$progs $work/loom/$p"; done
            ;;
        esac
        # a script is not built
        [ -z "$progs" ] || $MAKE -s SRC="$work/tangled" B="$work" \
            CFLAGS="-O1 -g" ${CC:+"CC=$CC"} ${CXX:+"CXX=$CXX"} \
            $progs >"$work/make" 2>&1 || {
            head -n 20 "$work/make"
            die "with the bug, $only does not build: no test is needed for that"
        }
        cmp -s "$work/changed" "$work/tangled/$file" ||
            die "make wrote over the changed copy"
        SRC=$work/tangled B=$work BACKENDS=loom PLANTED=$name ONLY=$only \
            LIMIT=20 sh "tests/$test.t" >"$work/tap" 2>&1
        ;;
    esac
    if grep -q '^not ok' "$work/tap"; then
        grep '^not ok' "$work/tap"
        rm -rf "$work"
        return 0
    fi
    if ! grep -q '^ok' "$work/tap"; then
        tail -n 5 "$work/tap"
        die "tests/$test.t runs nothing of: ${only:-$file}"
    fi
    die "survived: tests/$test.t stays green although $why"
}

# share: what does not depend on the changed file need not be made again: objects
# of Loom and of modules, headers rewritten for g++, the rules
share()
{
    objects=
    for d in $(cd "$B" && grep -L "[/ ]$file" loom/*/*.d 2>/dev/null); do
        s=${d%.d}
        if [ -f "$B/$s.o" ] && [ -f "tangled/${s#loom/}.c" ] &&
            [ "${s#loom/}.c" != "$file" ]; then
            objects="$objects $s.o"
        fi
    done
    mkdir -p "$work/loom"
    # shellcheck disable=SC2086
    [ -z "$objects" ] || (cd "$B" && cp -p --parents $objects "planted/$name")
    [ ! -d "$B/loom/src" ] || cp -Rp "$B/loom/src" "$work/loom"
    touch "$work/tangled/$file"
    [ ! -f "$B/rules.mk" ] || cp "$B/rules.mk" "$work"
}

for f in "$@"; do
    (plant "$f") || exit 1
done
