#!/bin/sh
# tests/orders.sh: Loom's verdicts in many orders, counted.
#   sh tests/orders.sh missed [FIRST [LAST]]      every planted mistake under each seed
#   sh tests/orders.sh false [FIRST [LAST [CHAPTER...]]]   the book's programs under each
#   sh tests/orders.sh compilers [CHAPTER...]     the same once, by gcc and clang, -O0 -O2 -O3
#                                 (COMPILERS="gcc-13 clang-19": by these)
# Seeds FIRST to LAST, 1 to 100 for mistakes and 1 to 20 for programs unless told. The
# last line has the counts; the exit status is 0 when all of them are 0. Lines before it
# say what was missed or falsely reported, and the command that repeats it. What is not
# built is built (B=build).
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS LOOM_SEED
: "${B:=build}" "${MAKE:=make}" "${LIMIT:=60}"
export LOOM_LIMIT="${LOOM_LIMIT:-20}"
bad=0 runs=0 late=0
training="train --data synth --width 2 --batch 8 --train 24 --test 8"
out=$(mktemp) || exit 2
trap 'rm -f "$out"' EXIT

# words TEST: the mistakes of a test and what each must be called, as it lists them
words()
{
    case $1 in
    check) sed -n '/^cat >.*words.*EOF/,/^EOF/p' tests/loom-check.t | sed '1d;$d' ;;
    ptx) sed -n "/^done <<'END'/,/^END/p" tests/loom-ptx.t | sed '1d;/^END/,$d' ;; # the first such list
    esac
}

# run COMMAND...: its output in $out, its status in $status
run()
{
    runs=$((runs + 1))
    timeout -k 5 "$LIMIT" "$@" >"$out" 2>&1 </dev/null
    status=$?
}

# missed TEST PROGRAM: under the seeds from $first to $last
missed()
{
    $MAKE -s "$2" >/dev/null 2>&1
    s=$first
    while [ "$s" -le "$last" ]; do
        while read -r m said <&3; do
            run env LOOM_SEED="$s" "$2" "$m"
            if [ -z "$said" ]; then
                [ $status = 0 ] && ! grep -q 'error:' "$out" && continue
            else
                [ $status = 2 ] && grep -Eq "error: $said" "$out" && continue
            fi
            bad=$((bad + 1))
            echo "LOOM_SEED=$s $2 $m: status $status, wanted: ${said:-no report}"
        done 3<<END
$(words "$1")
END
        s=$((s + 1))
    done
}

# clean PROGRAM [SEED]: nothing is reported of it
clean()
{
    case $1 in
    */gemm/once) arguments=68 ;;
    */mnist/mnist) arguments="$training --path kernels" ;;
    */race/mnist) arguments="$training --path fast" ;;
    *) arguments= ;;
    esac
    # shellcheck disable=SC2086
    run env ${2:+LOOM_SEED=$2} "$1" $arguments
    case $status in
    0) return ;;
    124 | 137) late=$((late + 1)) said="still running after $LIMIT s" ;;
    *) bad=$((bad + 1)) said=$(grep -m 1 -E 'error|not true' "$out") ;;
    esac
    echo "${2:+LOOM_SEED=$2 }$1: status $status: $said"
}

# programs [CHAPTER...]: with kernels, checked; those that make mistakes are left out
programs()
{
    [ -f "$B/rules.mk" ] || $MAKE -s "$B/rules.mk" >/dev/null
    sed -n 's/^PROGS_inst :=//p' "$B/rules.mk" | tr ' ' '\n' | sed -n 's,.*/inst/,,p' |
        grep -Ev '^(loom/(mistakes|ptx_mistakes|probe_faults|probe_stuck|probe_streams)|async/cdp|.*/bench)$' |
        while read -r p; do
            case " $* " in "  " | *" ${p%%/*} "*) echo "$p" ;; esac
        done
}

# range DEFAULT [FIRST [LAST]]
range()
{
    first=${2:-1} last=${3:-${2:+$2}}
    last=${last:-$1}
}

do=${1-}
[ $# = 0 ] || shift
case $do in
missed)
    range 100 "$@"
    missed check "$B/inst/loom/mistakes"
    missed ptx "$B/inst/loom/ptx_mistakes"
    echo "seeds $first to $last: $runs runs of mistakes, $bad missed"
    ;;
false)
    range 20 "$@"
    [ $# -lt 2 ] || shift
    [ $# = 0 ] || shift
    for p in $(programs "$@"); do
        [ -x "$B/inst/$p" ] || $MAKE -s "$B/inst/$p" >/dev/null 2>&1
        s=$first
        while [ "$s" -le "$last" ]; do
            clean "$B/inst/$p" "$s"
            s=$((s + 1))
        done
    done
    echo "seeds $first to $last: $runs runs of programs, $bad false reports or failures, $late too slow"
    ;;
compilers)
    for cc in ${COMPILERS:-gcc clang}; do
        case $cc in clang*) cc="$cc clang++${cc#clang}" ;; *) cc="$cc g++${cc#gcc}" ;; esac
        for o in -O0 -O2 -O3; do
            for p in $(programs "$@"); do
                V=$B/orders/${cc%% *}$o
                mkdir -p "$V"
                $MAKE -s B="$V" CC="${cc%% *}" CXX="${cc##* }" INSTFLAGS=$o \
                    "$V/inst/$p" >"$out" 2>&1 || {
                    bad=$((bad + 1))
                    echo "${cc##* } $o $p: $(grep -m 1 error "$out")"
                    continue
                }
                clean "$V/inst/$p"
            done
        done
    done
    echo "${COMPILERS:-gcc clang} at -O0, -O2, -O3: $runs runs of programs, $bad false reports or failures, $late too slow"
    ;;
*)
    sed -n '2,/^set/s/^# //p' "$0"
    exit 2
    ;;
esac
[ "$bad" = 0 ]
