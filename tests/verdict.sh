#!/bin/sh
# tests/verdict.sh: the verdicts of `make check`, and which of them are kept.
#
#   verdict.sh keys TEST...   write down what each test depends on ($TAP.keys/TEST), and
#                             forget the verdicts that do not hold any more
#   verdict.sh run TEST       run tests/TEST.t; what it says is $TAP/TEST.tap
#   verdict.sh tell TEST...   sum up, with prove
#   verdict.sh record         note which planted bugs were caught
#
# A bug of tests/planted/TEST.txt is a verdict like a test, and called TEST/NAME.
#
# A green verdict is sealed: TEST.sum holds the hash of what was said and of the key
# under which it was said.  One without a seal (a failure, a test that was killed), with
# a broken one (a damaged file), or with another key is forgotten, and make runs the
# test again.  FRESH=1 forgets all.

set -u
: "${B:=build}" "${TAP:=$B/tap}" "${CC:=cc}" "${CXX:=c++}"
keys=$TAP.keys
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
    echo "cudnn ${CUDNN_LIBS-}"        # which of several
    case $BACKENDS in *gpu*) sed 's/^/all /' /proc/driver/nvidia/version ;; esac
    echo "MNIST_DIR $(cd "${MNIST_DIR:-/none}" 2>/dev/null && ls -lL --time-style=+%s)"
    # a program is known by its size and its date (not by its links: a profiler makes one)
    for t in "all $CC" "all $CXX" "all awk" "all make" ${NVCC:+"nvcc $NVCC"} \
        $(sed -n 's/.*[ !;]have \([a-z][a-z0-9+_-]*\).*/\1/p' tests/*.t) \
        $(sed -n 's/^needs: //p' tests/planted/*.txt) \
        $(sed -n 's/^```.*needs=\([a-z0-9,-]*\).*/\1/p' book/*.md | tr , ' '); do
        set -- $t
        p=$(command -v "${2-$1}") && echo "$1 $(stat -L -c '%s %Y %n' "$p")"
    done | LC_ALL=C sort -u
}

keys()
{
    rm -rf "$keys"
    mkdir -p "$keys/planted" "$TAP"
    find . \( -path ./.git -o -path "./$B" -o -path ./build \) -prune -o -type f -print |
        sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum >"$keys/sums"
    facts >"$keys/facts" 2>/dev/null
    # (bugs are planted on Loom, so a check of the GPU alone tries none)
    for t; do
        case $BACKENDS in *loom*) ;; *) continue ;; esac
        [ -f "tests/planted/$t.txt" ] && [ -z "${SANITIZE-}" ] || continue
        mkdir -p "$keys/planted/$t" "$TAP/planted/$t"
        sh tests/planted.sh list "$t" >"$keys/planted/$t.list" 2>"$keys/planted/$t.wrong"
    done
    LC_ALL=C awk -v keys="$keys" -f tests/keys.awk "$keys/sums" "$keys/facts" "$@"
    [ -z "${FRESH-}" ] || find "$TAP" -name '*.sum' -exec rm {} +
    find "$TAP" -name '*.sum' -exec cat {} + | sha256sum -c 2>/dev/null |
        sed -n "s,^$TAP/\\(.*\\)\\.tap: OK\$,\\1,p; s,^$keys/\\(.*\\): OK\$,\\1,p" |
        sort | uniq -d >"$keys/kept"
    { printf '%s\n' "$@"
      find "$keys/planted" -mindepth 2 -type f | sed "s,^$keys/,,"
    } | grep -vxF -f "$keys/kept" >"$keys/due"
    [ -n "${FRESH-}" ] || caught
    sed "s,.*,$TAP/&.tap $TAP/&.sum," "$keys/due" | xargs rm -f
    # what bugs have to wait for: their controls, and these for what is built without bugs
    for t; do
        [ -s "$keys/planted/$t.list" ] || continue
        grep "^planted/$t/" "$keys/due" | sed 's,.*/,,' |
            awk -F '\t' -v b="$B" -v tap="$TAP" -v t="$t" 'FNR == NR { due[$1]; next }
                $1 in due {
                    print "BUGS += " tap "/planted/" t "/" $1 ".tap"
                    print tap "/planted/" t "/" $1 ".tap: | " b "/planted/" t "/" $2 ".control"
                    if (!($2 in control)) print "CONTROLS += " b "/planted/" t "/" $2 ".control"
                    control[$2]
                }
                END { if (t ".same" in due) print "BUGS += " tap "/planted/" t "/" t ".same.tap" }
                ' - "$keys/planted/$t.list"
    done >>"$keys/needs.mk"
    [ ! -f "$keys/bugs" ] || awk -F '[ |]' 'FNR == NR { due[$0]; next }
        $1 in due { sub(/.*[|]/, ""); print "DUE +=", $0 }' "$keys/due" "$keys/bugs" >>"$keys/needs.mk"
    sed -n 's/^CONTROLS += //p' "$keys/needs.mk" | xargs rm -f
}

# caught: bugs that tests/planted/caught.txt has are not due, while file and record, and
# the lines of the test that speak of them, are what they were when somebody saw them caught
caught()
{
    [ -f "$keys/bugs" ] && [ -f tests/planted/caught.txt ] || return 0
    sed 's/|.*//' "$keys/bugs" | grep -xF -f tests/planted/caught.txt | sed 's/ .*//' |
        grep -xF -f "$keys/due" >"$keys/caught"
    while read -r bug; do
        printf 'ok 1 - planted bug %s was caught (tests/planted/caught.txt)\n1..1\n' \
            "${bug#planted/}" >"$TAP/$bug.tap"
    done <"$keys/caught"
    grep -vxF -f "$keys/caught" "$keys/due" >"$keys/due.$$"
    mv "$keys/due.$$" "$keys/due"
}

# record: tests/planted/caught.txt, of what was seen caught
record()
{
    {
        echo "# Bugs that were seen caught: test and name; hashes of the test's lines about it, the file, the record."
        echo "# make caught writes it after a check; FRESH=1 tries them all the same."
        { sed 's/|.*//' "$keys/bugs" 2>/dev/null
          sed '/^#/d' tests/planted/caught.txt 2>/dev/null
        } | awk '!seen[$1]++' | while read -r bug rest; do
            # of a test that the last check was not asked for, what was seen before
            if [ -f "$keys/$bug" ]; then grep -q '^ok [^#]*$' "$TAP/$bug.tap" 2>/dev/null
            else t=${bug#*/} && grep -qx "name: ${bug##*/}" "tests/planted/${t%/*}.txt"
            fi && echo "$bug $rest"
        done | LC_ALL=C sort
    } >tests/planted/caught.$$ && mv tests/planted/caught.$$ tests/planted/caught.txt
}

run()
{
    tap=$TAP/$1.tap
    begun=$(date +%s)
    # Many run at once: a make that one calls does one thing at a time, a Loom or a library
    # a few. (Threads that wait for each other on a full machine use up a test's limit.)
    [ "$(nproc 2>/dev/null || echo 2)" -le 4 ] ||
        export LOOM_THREADS="${LOOM_THREADS:-4}" OMP_NUM_THREADS="${OMP_NUM_THREADS:-4}"
    # OpenBLAS's other threads wait for work by asking for it, which takes a core each.
    export OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
    export JOBS=1
    case $1 in
    planted/*.same)
        t=${1##*/}
        sh -c '. tests/tap.sh
            ok "each change of tests/planted/$1.same can still be made" \
                sh tests/planted.sh same "$1"
            done_testing' sh "${t%.same}"
        ;;
    planted/*)
        t=${1#planted/}
        sh -c '. tests/tap.sh; planted "$@"; done_testing' sh "${t%/*}" "${t#*/}"
        ;;
    *) sh "tests/$1.t" ;;
    esac >"$tap" 2>&1 </dev/null
    status=$?
    times >"$tap.times"
    awk -v status=$status -v test="$1" -v seconds=$(($(date +%s) - begun)) \
        -v cpu="$(tr 'ms\n' '   ' <"$tap.times")" '
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
            if (bad || end || test !~ /^planted/)
                printf "  %-8s%s: %s%d tests, %d s, %d s of a processor\n",
                    bad || end ? "not ok" : "ok", test, bad ? bad " failed of " : "", n,
                    seconds, 60 * (t[5] + t[7]) + t[6] + t[8]
            exit bad || end
        }' "$tap" && rm "$tap.times" && sha256sum "$tap" "$keys/$1" >"$TAP/$1.sum"
    true        # the verdict stands in the file
}

# bugs TEST: what was said of those planted for it, as that of one test
bugs()
{
    {
        if [ -s "$keys/planted/$1.wrong" ]; then
            echo "not ok 1 - tests/planted/$1.txt can be read"
            sed 's/^/# /' "$keys/planted/$1.wrong"
        fi
        while read -r bug rest; do
            cat "$TAP/planted/$1/$bug.tap" 2>/dev/null ||
                echo "not ok 1 - planted bug $1/$bug was not tried, since what it needs was not built"
        done <"$keys/planted/$1.list"
        cat "$TAP/planted/$1/$1.same.tap" 2>/dev/null
    } | awk '/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n) } !/^1\.\./ { print } END { print "1.." n + 0 }'
}

tell()
{
    files=
    for t; do
        files="$files $TAP/$t.tap"
        [ -f "$TAP/$t.tap" ] ||
            printf 'not ok 1 - it was not run, since what it needs was not built\n1..1\n' \
                >"$TAP/$t.tap"
        [ -f "$keys/planted/$t.list" ] || continue
        files="$files $TAP/planted-$t.tap"
        bugs "$t" >"$TAP/planted-$t.tap"
    done
    all=$(find "$keys/planted" -mindepth 2 -type f | wc -l)
    due=$(grep -c ^planted/ "$keys/due")
    echo "check: kept from an earlier run, since nothing that they depend on has changed:" \
        "$(($# - $(wc -l <"$keys/due") + due)) of $# tests, $((all - due)) of $all planted" \
        "bugs, $(cat "$keys/caught" 2>/dev/null | wc -l) of them by tests/planted/caught.txt (FRESH=1 runs all)"
    # shellcheck disable=SC2086
    prove --exec cat $files
}

$what "$@"
