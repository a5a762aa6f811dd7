#!/bin/sh
# tests/verdict.sh: the verdicts of `make check`, and which of them are kept.
#
#   verdict.sh keys TEST...   write down what each test depends on ($B/keys/TEST), and
#                             forget the verdicts that do not hold any more
#   verdict.sh run TEST       run tests/TEST.t; what it says is $TAP/TEST.tap
#   verdict.sh tell TEST...   sum up, with prove
#
# A green verdict is sealed: TEST.sum holds the hash of what was said and of the key
# under which it was said.  One without a seal (a failure, a test that was killed), with
# a broken one (a damaged file), or with another key is forgotten, and make runs the
# test again.  FRESH=1 forgets all.

set -u
: "${B:=build}" "${TAP:=$B/tap}" "${CC:=cc}" "${CXX:=c++}"
what=$1
shift

# facts: what this machine has, a line for each word that a test may say
facts()
{
    for v in BACKENDS ARCH SRC CC CXX CFLAGS CPPFLAGS LDFLAGS NVFLAGS SANITIZE COVERAGE \
        LIMIT ABSENT GPU_NAME; do
        eval "echo \"all $v=\${$v-}\""
    done
    env | sed -n 's/^LOOM_/all &/p'
    case $BACKENDS in *gpu*) sed 's/^/all /' /proc/driver/nvidia/version ;; esac
    echo "MNIST_DIR $(cd "${MNIST_DIR:-/none}" 2>/dev/null && ls -lL --time-style=+%s)"
    # a program is known by its size and its date
    for t in "all $CC" "all $CXX" "all awk" "all make" ${NVCC:+"nvcc $NVCC"} \
        $(sed -n 's/.*[ !;]have \([a-z][a-z0-9+_-]*\).*/\1/p' tests/*.t) \
        $(sed -n 's/^```.*needs=\([a-z0-9,-]*\).*/\1/p' book/*.md | tr , ' '); do
        set -- $t
        p=$(command -v "${2-$1}") && echo "$1 $(ls -lL --time-style=+%s "$p")"
    done | LC_ALL=C sort -u
}

keys()
{
    mkdir -p "$B/keys" "$TAP"
    rm -f "$B/keys/"*
    find . \( -path ./.git -o -path "./$B" -o -path ./build \) -prune -o -type f -print |
        sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum >"$B/keys/sums"
    facts >"$B/keys/facts" 2>/dev/null
    awk -v keys="$B/keys" -f tests/keys.awk "$B/keys/sums" "$B/keys/facts" "$@"
    [ -z "${FRESH-}" ] || rm -f "$TAP"/*.sum
    cat "$TAP"/*.sum /dev/null 2>/dev/null | sha256sum -c 2>/dev/null |
        sed -n "s,^$TAP/\\(.*\\)\\.tap: OK\$,\\1,p; s,^$B/keys/\\(.*\\): OK\$,\\1,p" |
        sort | uniq -d >"$B/keys/kept"
    for t in "$TAP"/*.tap; do
        t=$(basename "$t" .tap)
        [ -f "tests/$t.t" ] || rm -f "$TAP/$t.tap" "$TAP/$t.sum"
    done
    for t; do
        grep -qx "$t" "$B/keys/kept" || rm -f "$TAP/$t.tap" "$TAP/$t.sum"
    done
}

run()
{
    tap=$TAP/$1.tap
    begun=$(date +%s)
    # tests run at once, and so a make that a test calls does one thing at a time
    JOBS=1 sh "tests/$1.t" >"$tap" 2>&1 </dev/null
    status=$?
    times >"$TAP/$1.times"
    awk -v status=$status -v test="$1" -v seconds=$(($(date +%s) - begun)) \
        -v cpu="$(tr 'ms\n' '   ' <"$TAP/$1.times")" '
        /^ok / { n++ }
        /^not ok / { n++; bad++ }
        /^(not )?ok / { red = /^not/ }
        /^1\.\./ { plan = plan ";" substr($0, 4) + 0 }
        red && shown++ < 100 { print }
        END {
            end = "not ok " n + 1 " - it ended with exit status " status
            if (plan != ";" n + 0) print end ", before its end" >>FILENAME
            else if (status && !bad) print end >>FILENAME
            else end = ""
            if (end != "") print end
            split(cpu, t, " ")
            printf "  %-8s%s: %s%d tests, %d s, %d s of a processor\n",
                bad || end ? "not ok" : "ok", test, bad ? bad " failed of " : "", n,
                seconds, 60 * (t[5] + t[7]) + t[6] + t[8]
            exit bad || end
        }' "$tap" && sha256sum "$tap" "$B/keys/$1" >"$TAP/$1.sum"
    true        # the verdict stands in the file
}

tell()
{
    kept=0 files=
    for t; do
        files="$files $TAP/$t.tap"
        if grep -qx "$t" "$B/keys/kept"; then kept=$((kept + 1)); fi
        [ -f "$TAP/$t.tap" ] ||
            printf 'not ok 1 - it was not run, since what it needs was not built\n1..1\n' \
                >"$TAP/$t.tap"
    done
    echo "check: $kept of $# tests are kept from an earlier run: nothing that they depend on" \
        "has changed (FRESH=1 runs all)"
    # shellcheck disable=SC2086
    prove --exec cat $files
}

$what "$@"
