# tests/tap.sh: what every tests/<slug>.t stands on.  POSIX sh; to be sourced
# from the house's root:
#
#       #!/bin/sh
#       . tests/tap.sh
#       for b in $BACKENDS; do
#           ok_run "vecadd 1000 on the $b" $B/$b/kernels/vecadd 1000 --seed 1
#       done
#       done_testing
#
# Assertions (each prints one line of TAP, and says why when it fails):
#
#   ok "desc" command...            the command (any, also a function) is true
#   ok_run "desc" command...        the program exits 0
#   fails_run "desc" 'ERE' command... it exits non-zero, of its own will (no
#                                   signal), and what it says matches ERE
#   prints "desc" 'ERE' command...  it exits 0 and what it says matches ERE
#   also "desc" 'ERE'               what the last command of prints said matches this, too
#   is "desc" got want              the two texts are the same
#   skip "desc" "needs a GPU"       not run here, and why; never counts as passed
#   wrongs slug                     every tangled/slug/wrong/* fails as it says
#   solutions [slug]                every solution with a main exits 0
#   checked slug [but...]           every program with kernels runs under the checker of
#                                   Loom with its defaults, and nothing is reported
#   tallied tests/data/slug/counts.txt   what Loom counts is as listed there
#   transcripts slug                every console fence of the chapter
#   planted test name               that bug of tests/planted/test.txt is caught
#   done_testing                    the plan; always the last line
#
# have nvcc|nvcc-13.0|gpu|cudnn|cudnn-9.19|notangle|pandoc|tex|...   true when this machine has it;
#                                 loom: as a back end (BACKEND=gpu asks for none of what
#                                 runs on it); inst: and its checker; speed: a GPU whose
#                                 times mean something (no sanitizer slows it down);
#                                 nodriver: no libcuda.so.1, so what says that is true
#
# Variables, from the Makefile or found here when a test is run by hand:
#   BACKENDS  "loom" or "loom gpu"       B      the build folder
#   SRC       what is compiled                 TOOLS  where the tools are
#   LIMIT     seconds of a processor that a command may take (120; 300 where there is
#             a GPU); by the clock five times as much, for other work is no failure
#   LOOM_LIMIT  seconds after which Loom ends a kernel (100: of the clock, and another
#             process may have the processor; tests of kernels without end say 1 or 2)
#   JOBS      of a make that is called
#   SANITIZE  run each program for the GPU once, under each tool of compute-sanitizer
#   SANITIZERS  which tools, where a program is not for all
#   RACECHECK  options for one of them: what it does not understand
#   COVERAGE  run what runs, once: make coverage asks which lines that was
#   ONLY      programs; when set, only those commands are run that run one of
#             them, and nothing else (a planted bug needs no more)
#   BY        parts of descriptions, one on each line (* is any): with ONLY, only the
#             assertions that BY names are run; when one of them is red, the test is
#             over, unless CONTROL is set
#   WITH      parts of the descriptions of what BY's assertions stand on: run, too

unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS CDPATH
LC_ALL=C.UTF-8
export LC_ALL

[ -f tests/tap.sh ] || {
    echo "tests/tap.sh: run a test from the house's root: sh tests/$(
        basename "$0")" >&2
    exit 2
}

tap_name=$(basename "$0" .t)
tap_n=0
tap_bad=0
tap_then=$(date +%s)
tap_late=                       # 1: a command ran into its time limit
tap_skipped=0
tap_lates=0                     # how many did
tap_sanitized=
tap_tmp=$(mktemp -d "${TMPDIR:-/tmp}/tap.XXXXXX") || exit 2
tap_out=$tap_tmp/out
trap 'rm -rf "$tap_tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

: "${B:=build}" "${TOOLS:=tangled/weave}" "${MAKE:=make}"
ONLY=${ONLY-}
BY=${BY-}
WITH=${WITH-}
CONTROL=${CONTROL-}
MAKE=${MAKE##*/}

# have thing: does this machine have it?  Asked often, so kept.
have()
{
    case $1 in
    nvcc-*)                             # this version: nvcc-13.0
        have nvcc && "${NVCC-nvcc}" --version | grep -q "release ${1#nvcc-},"
        return ;;
    cudnn-*)
        # shellcheck disable=SC2086
        have cudnn && printf '#include <cudnn_version.h>\nCUDNN_MAJOR-CUDNN_MINOR\n' |
            ${CC:-cc} ${CUDNN_INC-} -E -P -x c - 2>/dev/null |
            tr -d ' ' | grep -qx "$(echo "${1#cudnn-}" | tr . -)"
        return ;;
    *[!a-z0-9_]*) command -v "$1" >/dev/null 2>&1; return ;;
    esac
    eval "tap_h=\${tap_have_$1-}"
    if [ -z "$tap_h" ]; then
        tap_h=no
        case $1 in
        gpu)
            if [ -n "${tap_given-}" ]; then
                case " $BACKENDS " in *" gpu "*) tap_h=yes ;; esac
            elif nvidia-smi -L 2>/dev/null | grep -q '^GPU '; then
                tap_h=yes
            fi
            ;;
        loom) case " ${tap_given:-loom} " in *" loom "*) tap_h=yes ;; esac ;;
        nvcc) command -v "${NVCC-nvcc}" >/dev/null 2>&1 && tap_h=yes ;;
        inst)
            [ -z "${SANITIZE-}" ] && have loom && grep -qs 'loom/loom\.mk' Makefile &&
                tap_h=yes
            ;;
        speed) [ -z "${SANITIZE-}" ] && have gpu && tap_h=yes ;;
        tex) command -v xelatex >/dev/null 2>&1 && tap_h=yes ;;
        nodriver)       # the loader itself is asked
            [ -z "$(LD_PRELOAD=libcuda.so.1 env true 2>&1)" ] || tap_h=yes
            ;;
        cudnn) grep -qs '/loom/cudnn/plans:' "$B/rules.mk" build/rules.mk && tap_h=yes ;;
        *) command -v "$1" >/dev/null 2>&1 && tap_h=yes ;;
        esac
        eval "tap_have_$1=$tap_h"
    fi
    [ "$tap_h" = yes ]
}

# tap_needs thing: the words for a skip
tap_needs()
{
    case $1 in
    gpu) echo "needs a GPU" ;;
    loom) echo "needs Loom as a back end" ;;
    speed) echo "needs a GPU, and its own speed" ;;
    tex) echo "needs TeX" ;;
    nodriver) echo "needs a machine without NVIDIA's driver" ;;
    cudnn) echo "needs cuDNN 9: pip install nvidia-cudnn-cu13" ;;
    cudnn-*) echo "needs cuDNN ${1#cudnn-}: pip install nvidia-cudnn-cu13==${1#cudnn-}.*" ;;
    *) echo "needs $1" ;;
    esac
}

tap_given=${BACKENDS-}
if [ -z "${BACKENDS-}" ]; then
    case ${BACKEND-} in
    '')
        BACKENDS=loom
        if have gpu && have nvcc; then BACKENDS="loom gpu"; fi
        ;;
    *) BACKENDS=$BACKEND tap_given=$BACKEND ;;
    esac
fi
if [ -z "${SRC-}" ]; then
    SRC=tangled
    if have notangle && [ -d "$B/src" ]; then SRC=$B/src; fi
fi
# a limit ends what is stuck: a GPU that many tests share is slow, not stuck
case " $BACKENDS " in *" gpu "*) : "${LIMIT:=300}" ;; *) : "${LIMIT:=120}" ;; esac
: "${LOOM_LIMIT:=100}"
export B SRC TOOLS BACKENDS LIMIT LOOM_LIMIT

# part name: is this part of the test wanted?  $parts names those that are, or
# is empty for all
part()
{
    [ -z "$parts" ] && return 0
    case " $parts " in *" $1 "*) return 0 ;; esac
    return 1
}

# diag text...: a comment in the TAP, of as many lines as the text has
diag()
{
    printf '%s\n' "$*" | tap_diag
}

# tap_diag: standard input as comments
tap_diag()
{
    sed 's/^/# /'
}

# tap_result 0|1 desc: one line of TAP
tap_result()
{
    # a mutant that does not end is not asked for ever
    [ -z "${MUTANT-}" ] || [ -n "$CONTROL" ] || [ $tap_lates -lt 2 ] || exit 1
    tap_n=$((tap_n + 1))
    tap_d=$2
    case $tap_d in *"#"*) tap_d=$(printf '%s\n' "$2" | sed 's/#/\\#/g') ;; esac
    if [ "$1" = 0 ]; then
        printf 'ok %d - %s\n' $tap_n "$tap_d"
    else
        tap_bad=$((tap_bad + 1))
        printf 'not ok %d - %s\n' $tap_n "$tap_d"
        # a planted bug is caught: no need to go on
        [ -n "$tap_late$CONTROL" ] || [ -z "$BY" ] || ! tap_by "$2" || exit 1
        tap_lates=$((tap_lates + ${tap_late:-0}))
    fi
    # the clock of whoever asks what makes a test long
    tap_now=$(date +%s)
    [ $((tap_now - tap_then)) -lt 5 ] || diag "that took $((tap_now - tap_then)) s"
    tap_then=$tap_now
    tap_late=
}

# tap_in list desc: does a line of the list name this assertion?
tap_in()
{
    while IFS= read -r tap_x; do
        case $tap_x:$2 in :*) ;; '*':* | *:*"$tap_x"*) return 0 ;; esac
    done <<END
$1
END
    return 1
}
tap_by() { tap_in "$BY" "$1"; }

# tap_named desc: is this assertion to be run, if it is a planted bug's run?
tap_named()
{
    [ -z "$ONLY" ] || [ -z "$BY" ] || tap_by "$1" || tap_in "$WITH" "$1"
}

pass() { tap_result 0 "$1"; }
fail()
{
    tap_result 1 "$1"
    shift
    if [ $# -gt 0 ]; then diag "$@"; fi
}

# tap_wanted word...: false when ONLY is set and none of its programs is here, or
# when this is a run of the sanitizers and the command is not the first one of a
# program for the GPU, or is a benchmark
tap_wanted()
{
    if [ -n "${SANITIZE-}" ]; then
        case $1 in
        */bench*) return 1 ;;
        "$B/gpu/"*)
            case $tap_sanitized in *" $1 "*) return 1 ;; esac
            tap_sanitized="$tap_sanitized $1 "
            ;;
        *) return 1 ;;
        esac
    fi
    [ -z "$ONLY" ] && return 0
    # split on purpose: sh -c "prog args" runs prog, too
    # shellcheck disable=SC2048
    for tap_w in $*; do
        for tap_p in $ONLY; do
            case $tap_w in
            "$B/inst/$tap_p") ;;        # is called inst/... there
            "$tap_p" | */"$tap_p") return 0 ;;
            esac
        done
    done
    return 1
}

# tap_elsewhere desc word...: a command that runs a program on Loom is skipped when
# Loom is no back end.  (The programs in C lie beside Loom's, and run anywhere.)
tap_elsewhere()
{
    have loom && return 1
    # shellcheck disable=SC2048
    for tap_w in $*; do
        case $tap_w in
        "$B"/inst/*) ;;
        "$B"/loom/*)    # a program, or the folder of several
            tap_w=tangled/${tap_w#"$B"/loom/}
            [ -e "$tap_w.cu" ] || [ -d "$tap_w" ] || continue
            ;;
        *) continue ;;
        esac
        skip "$1" "$(tap_needs loom)"
        return 0
    done
    return 1
}

# tap_build word...: a program that a test names and that is not there is built
tap_build()
{
    for tap_w in "$@"; do
        case $tap_w in
        "$B"/loom/*/* | "$B"/gpu/*/* | "$B"/inst/*/*)
            [ -e "$tap_w" ] || [ ! -f Makefile ] ||
                $MAKE -s SRC="$SRC" B="$B" "$tap_w" >"$tap_tmp/make" 2>&1 ||
                sed 's/^/make: /' "$tap_tmp/make" >>"$tap_tmp/made"
            ;;
        esac
    done
}

# tap_exec command...: run it within LIMIT; what it says (both streams) is kept
# in $tap_out and its status in $tap_status
tap_exec()
{
    : >"$tap_tmp/made"
    tap_build "$@"
    # a benchmark, as it is linked for its test
    case $1 in "$B"/gpu/*) [ ! -x "$1-quick" ] || { tap_x=$1-quick; shift; set -- "$tap_x" "$@"; } ;; esac
    tap_s=${SANITIZE:+$1}
    case $tap_s:$(command -v "$1") in
    "$B"/gpu/*) tap_sanitize "$@" ;;
    *:*/*) tap_limited "$@" ;;
    *) ("$@") ;;
    esac >"$tap_out" 2>&1 </dev/null
    tap_status=$?
    # of a mutant Loom's own limit, and what was not built, is no catch either
    case $tap_status:${MUTANT-} in
    124:* | 152:* | 127:*) tap_late=1 ;;
    *:?*) ! grep -q 'the kernel does not end: .*LOOM_LIMIT' "$tap_out" || tap_late=1 ;;
    esac
    if [ -s "$tap_tmp/made" ]; then cat "$tap_tmp/made" >>"$tap_out"; fi
} 2>/dev/null

# tap_limited command...: within LIMIT, or status 152 (SIGXCPU) or 124
tap_limited()
{
    (ulimit -S -t "$LIMIT" && exec timeout -k 5 $((LIMIT * 5)) "$@")
}

# tap_sanitize command...: under each tool of compute-sanitizer, side by side
tap_sanitize()
(
    tools=${SANITIZERS:-memcheck racecheck initcheck synccheck}
    for tool in $tools; do
        # shellcheck disable=SC2086
        ([ $tool = racecheck ] || RACECHECK=
            timeout -k 5 $((LIMIT * 10)) compute-sanitizer --tool $tool ${RACECHECK-} \
            --error-exitcode 99 --require-cuda-init no --report-api-errors no "$@" \
            >"$tap_tmp/$tool" 2>&1
            echo $? >"$tap_tmp/$tool.status") &
    done
    wait
    for tool in $tools; do
        cat "$tap_tmp/$tool"
        read -r status <"$tap_tmp/$tool.status"
        [ "$status" = 0 ] || exit "$status"
    done
)

# tap_how: the status in words
tap_how()
{
    case $tap_status in
    124) echo "still running after $((LIMIT * 5)) s (the time limit)" ;;
    152) echo "still running after $LIMIT s of a processor (the time limit)" ;;
    126) echo "exit status 126: it may not be executed, or there is no rule for it" ;;
    127) echo "exit status 127: there is no such program" ;;
    137) echo "killed by SIGKILL (out of memory, or deaf at the time limit)" ;;
    *)
        if [ "$tap_status" -gt 128 ]; then
            echo "killed by SIG$(kill -l $((tap_status - 128)) 2>/dev/null ||
                echo " $((tap_status - 128))")"
        else
            echo "exit status $tap_status"
        fi
        ;;
    esac
}

# tap_why command...: the comment under a failure
tap_why()
{
    {
        echo "command: $*"
        echo "ended:   $(tap_how)"
        if [ -s "$tap_out" ]; then
            sed -n -e 's/^/| /' -e 1,20p "$tap_out" | cut -c1-200
            tap_l=$(wc -l <"$tap_out")
            if [ "$tap_l" -gt 20 ]; then
                echo "| ... and $((tap_l - 20)) lines more"
            fi
        else
            echo "| (it said nothing)"
        fi
    } | tap_diag
}

ok()
{
    [ -z "${SANITIZE-}" ] || return 0
    [ -z "$ONLY" ] || [ -n "$BY" ] && tap_named "$1" || return 0
    ! tap_elsewhere "$@" || return 0
    tap_t=$1
    shift
    if "$@" >"$tap_out" 2>&1 </dev/null; then
        tap_result 0 "$tap_t"
    else
        tap_status=$?
        case $tap_status in 124 | 152) tap_late=1 ;; esac
        tap_result 1 "$tap_t"
        tap_why "$@"
    fi
}

ok_run()
{
    tap_t=$1
    shift
    tap_wanted "$@" && tap_named "$tap_t" && ! tap_elsewhere "$tap_t" "$@" || return 0
    tap_exec "$@"
    if [ "$tap_status" = 0 ]; then
        tap_result 0 "$tap_t"
    else
        tap_result 1 "$tap_t"
        tap_why "$@"
    fi
}

fails_run()
{
    tap_t=$1
    tap_re=$2
    shift 2
    case ${SANITIZE:+$1} in "$B"/gpu/*) return 0 ;; esac    # it fails by itself
    tap_wanted "$@" && tap_named "$tap_t" && ! tap_elsewhere "$tap_t" "$@" || return 0
    tap_exec "$@"
    if [ "$tap_status" = 0 ] || [ "$tap_status" = 124 ] ||
        [ "$tap_status" -gt 125 ]; then
        tap_result 1 "$tap_t"
        diag "wanted:  a failure that says: $tap_re"
        tap_why "$@"
    elif ! grep -Eq -e "$tap_re" "$tap_out"; then
        tap_result 1 "$tap_t"
        diag "it failed, as it should, but does not say: $tap_re"
        tap_why "$@"
    else
        tap_result 0 "$tap_t"
    fi
}

prints()
{
    tap_t=$1
    tap_re=$2
    shift 2
    tap_last=
    tap_wanted "$@" && ! tap_elsewhere "$tap_t" "$@" || return 0
    tap_last=$*
    tap_not_yet=
    if tap_named "$tap_t"; then tap_exec "$@"; else tap_not_yet=$(tap_quoted "$@"); fi
    also "$tap_t" "$tap_re"
}

# tap_quoted word...: for eval
tap_quoted()
{
    for tap_w in "$@"; do
        printf "'%s' " "$(printf '%s\n' "$tap_w" | sed "s/'/'\\\\''/g")"
    done
}

also()
{
    [ -n "$tap_last" ] && tap_named "$1" || return 0
    [ -z "$tap_not_yet" ] || eval "tap_exec $tap_not_yet"
    tap_not_yet=
    if [ "$tap_status" = 0 ] && grep -Eq -e "$2" "$tap_out"; then
        tap_result 0 "$1"
    else
        tap_result 1 "$1"
        diag "wanted:  exit status 0 and a line that matches: $2"
        tap_why "$tap_last"
    fi
}

is()
{
    [ -z "${SANITIZE-}" ] || return 0
    [ -z "$ONLY" ] || [ -n "$BY" ] && tap_named "$1" || return 0
    if [ "$2" = "$3" ]; then
        tap_result 0 "$1"
    else
        tap_result 1 "$1"
        printf '%s\n' "$2" >"$tap_tmp/got"
        printf '%s\n' "$3" >"$tap_tmp/want"
        { echo "- wanted, + got:"
          diff "$tap_tmp/want" "$tap_tmp/got" |
              sed -n -e 's/^</-/' -e 's/^>/+/' -e '/^---$/d' -e '/^[-+]/p' | head -n 40
        } | tap_diag
    fi
}

skip()
{
    [ -z "$ONLY${SANITIZE-}" ] || return 0
    tap_n=$((tap_n + 1))
    tap_skipped=$((tap_skipped + 1))
    echo "ok $tap_n - $1 # SKIP $2"
}

# $small and the two below: the sizes every kernel is tried at.
small="0 1 2 3 5 7 31 32 33 63 64 65 95 96 97 127 128 129"

# each ["text with @"] program "sizes"...: a test for each, of $P/program on the back
# end $b; @ in the text stands for the sizes.  Under a sanitizer a program takes
# seconds to start: the last has to do there.
each()
{
    tap_what="$1 @ on the $b"
    case $1 in *@*) tap_what=$1 && shift ;; esac
    tap_prog=$P/$1
    shift
    while [ -n "${SANITIZE-}${COVERAGE-}" ] && [ $# -gt 1 ]; do
        shift
    done
    tap_green=
    if [ $b = gpu ] && [ $# -gt 1 ]; then
        tap_exec runs $tap_prog "$(printf '%s --seed 7\n' "$@")"
        [ $tap_status != 0 ] || tap_green=1
    fi
    for tap_size in "$@"; do
        tap_t=${tap_what%%@*}$tap_size${tap_what#*@}
        # shellcheck disable=SC2086
        if [ -n "$tap_green" ]; then pass "$tap_t"
        else ok_run "$tap_t" $tap_prog $tap_size --seed 7
        fi
    done
}

# lend FOLDER: Loom's objects, to a build folder of one's own: what a make run has put into
# $B/run may be another test's at this time
lend()
{
    mkdir -p "$1/loom/loom" && cp -p "$B"/loom/loom/*.[od] "$1/loom/loom"
}

# runs program "arguments": once with each line of arguments.  A program for the
# GPU, where a process takes half a second to begin, is begun once (tests/again.c).
runs()
{
    case $1 in
    "$B"/gpu/*)
        if ! [ "$B/again.so" -nt tests/again.c ]; then
            ${CC:-cc} -shared -fPIC -o "$B/again.so.$$" tests/again.c -ldl &&
                mv "$B/again.so.$$" "$B/again.so" || return
        fi
        tap_limited env AGAIN="$2" LD_PRELOAD="$B/again.so" "$1"
        return
        ;;
    esac
    while read -r tap_args; do
        # shellcheck disable=SC2086
        tap_limited "$1" $tap_args || {
            tap_status=$?
            echo "with the arguments $tap_args"
            return $tap_status
        }
    done <<END
$2
END
}

# sizes first last [more]: lines of arguments, for runs
sizes()
{
    seq "$1" "$2" | sed "s/.*/& ${3-} --seed &/"
}

# done_testing: the plan.  The exit status is 1 when an assertion failed.
done_testing()
{
    if [ "$tap_n" = 0 ]; then
        echo "1..0 # SKIP ${ONLY:+nothing here runs $ONLY}"
    else
        echo "1..$tap_n"
    fi
    [ "$tap_bad" = 0 ]
    exit
}

# wrongs slug: code that must fail says how, in lines "/* wrong: stage: ERE */"
wrongs()
{
    [ -z "$ONLY" ] || return 0
    tap_any=
    for tap_f in "tangled/$1"/wrong/*.c "tangled/$1"/wrong/*.cu; do
        [ -f "$tap_f" ] || continue
        tap_any=1
        sed -n 's,^.*/\* wrong: *\(.*[^ ]\) *\*/.*$,\1,p' "$tap_f" \
            >"$tap_tmp/wrong"
        if [ ! -s "$tap_tmp/wrong" ]; then
            fail "$tap_f says how it must fail" \
                "no line /* wrong: stage: ERE */; the stages are compile," \
                "nvcc, run, check, asan, gpu, and compute-sanitizer's tools"
            continue
        fi
        if [ "$(grep -c 'wrong:' "$tap_f")" != "$(wc -l <"$tap_tmp/wrong")" ]
        then
            fail "$tap_f says how it must fail" \
                "a line with wrong: is not /* wrong: stage: ERE */"
        fi
        while IFS= read -r tap_line <&3; do
            tap_stage=${tap_line%%:*}
            tap_re=${tap_line#*:}
            tap_wrong "$1" "$tap_f" "$tap_stage" "${tap_re# }"
        done 3<"$tap_tmp/wrong"
    done
    if [ -z "$tap_any" ]; then
        fail "wrongs $1" "there is no tangled/$1/wrong/*.c or *.cu"
    fi
}

# tap_wrong slug file stage ERE: one stage of one file
tap_wrong()
{
    tap_base=${2##*/}
    tap_base=${tap_base%.*}
    tap_t="$1/wrong/${2##*/} fails in stage $3"
    tap_mk="$MAKE -s SRC=$SRC B=$B ${CC:+CC=$CC} ${CXX:+CXX=$CXX}"
    case $3 in
    compile | run | asan) tap_b=loom ;;
    check)
        tap_b=inst
        if ! have inst; then
            skip "$tap_t" "needs the instrumented Loom"
            return 0
        fi
        ;;
    nvcc | gpu)
        tap_b=gpu
        if ! have "$3"; then
            skip "$tap_t" "$(tap_needs "$3")"
            return 0
        fi
        ;;
    memcheck | racecheck | initcheck | synccheck)
        tap_b=gpu
        if ! have gpu || ! have compute-sanitizer; then
            skip "$tap_t" "needs a GPU and compute-sanitizer"
            return 0
        fi
        ;;
    *)
        fail "$tap_t" "unknown stage \"$3\" in $2; the stages are compile," \
            "nvcc, run, check, asan, gpu, memcheck, racecheck, initcheck, synccheck"
        return 0
        ;;
    esac
    tap_prog=$B/$tap_b/$1/wrong/$tap_base
    ! tap_elsewhere "$tap_t" $tap_prog || return 0
    case $3:$2 in
    compile:*.c)
        fails_run "$tap_t" "$4" ${CC:-cc} -std=c11 -Wall -Wextra -Werror \
            -I"$SRC" -c "$SRC/${2#tangled/}" -o "$tap_tmp/wrong.o"
        ;;
    compile:*.cu | nvcc:*)
        fails_run "$tap_t" "$4" tap_ruled $tap_mk "$tap_prog"
        ;;
    asan:*.c)
        # the modules it stands on: a .c beside a .h that it includes
        tap_m=$(${CC:-cc} -std=c11 -I"$SRC" -MM "$SRC/${2#tangled/}" \
            2>/dev/null | tr ' \\' '\n\n' | sed -n 's/\.h$/.c/p' |
            while read -r tap_c; do
                if [ -f "$tap_c" ]; then echo "$tap_c"; fi
            done)
        tap_exec ${CC:-cc} -std=c11 -Wall -Wextra -g \
            -fsanitize=address,undefined -fno-omit-frame-pointer -I"$SRC" \
            "$SRC/${2#tangled/}" $tap_m -o "$tap_tmp/wrong.asan" -lm
        if [ "$tap_status" != 0 ]; then
            tap_result 1 "$tap_t"
            tap_why "${CC:-cc} -fsanitize=address,undefined $2 $tap_m"
            return 0
        fi
        tap_exec "$tap_tmp/wrong.asan"
        if grep -Eq -e "$4" "$tap_out"; then
            tap_result 0 "$tap_t"
        else
            tap_result 1 "$tap_t"
            diag "wanted:  a report that says: $4"
            tap_why "$2, built with -fsanitize=address,undefined"
        fi
        ;;
    asan:*) fail "$tap_t" "stage asan is for a .c file: $2" ;;
    memcheck:* | racecheck:* | initcheck:* | synccheck:*)
        fails_run "$tap_t" "$4" compute-sanitizer --tool "$3" --error-exitcode 99 \
            "$tap_prog"
        ;;
    run:* | check:* | gpu:*) fails_run "$tap_t" "$4" "$tap_prog" ;;
    esac
}

# tap_ruled make...: that there is no rule is no refusal
tap_ruled()
{
    "$@" >"$tap_tmp/ruled" 2>&1
    tap_status=$?
    cat "$tap_tmp/ruled"
    ! grep -q 'No rule to make target' "$tap_tmp/ruled" || return 126
    return $tap_status
}

# solutions [slug]: every solution with a main runs, on every back end it has
solutions()
{
    tap_slug=${1:-$tap_name}
    for tap_f in "tangled/$tap_slug"/solutions/*.c \
        "tangled/$tap_slug"/solutions/*.cu; do
        [ -f "$tap_f" ] && grep -Eq '^(int )?main *\(' "$tap_f" || continue
        tap_base=${tap_f##*/}
        tap_base=${tap_base%.*}
        tap_only=
        case $tap_f in
        *.cu)
            grep -Eq '^#include <(cuda|cudnn|nvrtc)\.h>' "$tap_f" && tap_only=1
            ;;
        esac
        if [ -n "$tap_only" ] && ! have gpu; then
            skip "solution $tap_slug/$tap_base" "needs a GPU"
            continue
        fi
        for tap_b in $BACKENDS; do
            [ -n "$tap_only" ] && [ "$tap_b" = loom ] && continue
            ok_run "solution $tap_slug/$tap_base on the $tap_b" \
                "$B/$tap_b/$tap_slug/solutions/$tap_base"
        done
    done
}

# checked slug [but...]: every program that has kernels and does not measure, with Loom's
# checker; not those whose mistakes are what they are for
checked()
{
    tap_slug=$1
    shift
    if ! have inst; then
        skip "the programs of $tap_slug are clean" "needs the instrumented Loom"
        return 0
    fi
    for tap_p in $(sed -n 's/^PROGS_inst :=//p' "$B/rules.mk"); do
        tap_p=${tap_p#*/inst/}
        case "$tap_p: $* " in
        *" ${tap_p#"$tap_slug"/} "*) ;;
        "$tap_slug"/*) ok_run "$tap_p is clean" "$B/inst/$tap_p" ;;
        esac
    done
}

# tallied tests/data/slug/counts.txt: the runs of programs of slug that it lists ("program
# arguments: ...") make the requests (times their bytes, for a compiler may make two of
# one; what else differs between compilers is not listed) and wait at the barriers that it
# says, and their threads move so many bytes of global memory. What a result does not show,
# shows here: a step too short, a turn too few.
tallied()
{
    tap_slug=${1#tests/data/}
    tap_slug=${tap_slug%/*}
    if ! have inst; then
        skip "what Loom counts in $tap_slug is as listed" "needs the instrumented Loom"
        return 0
    fi
    while IFS= read -r tap_line <&3; do
        tap_t="Loom counts as listed: ${tap_line%%:*}"
        tap_wanted "$B/inst/$tap_slug/${tap_line%%[ :]*}" && tap_named "$tap_t" || continue
        # shellcheck disable=SC2086
        tap_exec env LOOM_COUNT=1 LOOM_THREADS=1 LOOM_SEED=1 $B/inst/$tap_slug/${tap_line%%:*}
        tap_tally=$(awk '
            $2 ~ /^(global|shared)$/ { n[$2 " " $3] += $4 * $5 }
            $3 ~ /^barriers?$/ { n["barriers"] += $2 }
            / bytes asked for, / { bytes = $3 }
            END { for (k in n) print k, n[k] "," | "sort"; close("sort"); print "bytes", bytes }
            ' "$tap_out" | tr '\n' ' ')
        if [ "$tap_status" = 0 ] && printf '%s\n' "${tap_tally% }" "${tap_line#*: }" |
            awk -F ', ' 'NR == 1 { for (i = 1; i <= NF; i++) has[$i]; next }
                { for (i = 1; i <= NF; i++) if (!($i in has)) exit 1 }'; then
            tap_result 0 "$tap_t"
        else
            tap_result 1 "$tap_t"
            diag "counted: $tap_tally"
            tap_why "$tap_line"
        fi
    done 3<"tests/data/$tap_slug/counts.txt"
}

# transcripts slug: run the console fences of the chapter and compare
transcripts()
{
    [ -z "$ONLY${SANITIZE-}" ] || return 0
    tap_pages=$(sh "$TOOLS/pages.sh" book "$1" 2>&1) && [ -n "$tap_pages" ] || {
        fail "transcripts of $1" "there is no page of $1: $tap_pages"
        return 0
    }
    for tap_md in $tap_pages; do
        tap_dir=$B/transcripts/$(basename "$tap_md" .md)
        rm -rf "$tap_dir"
        mkdir -p "$tap_dir"
        awk -v dir="$tap_dir" -f tests/transcripts.awk part=take "$tap_md" \
            >"$tap_dir/list"
        while read -r tap_i tap_line tap_cmds tap_attrs <&3; do
            tap_transcript
        done 3<"$tap_dir/list"
    done
}

# tap_transcript: fence number tap_i of tap_md, at tap_line
tap_transcript()
{
    tap_t="transcript at $tap_md:$tap_line"
    tap_in=
    for tap_a in $tap_attrs; do
        case $tap_a in
        in=copy) tap_in=copy ;;
        needs=*)
            for tap_x in $(echo "${tap_a#needs=}" | tr , ' '); do
                case $tap_x in
                [a-z]*) ;;
                *) fail "$tap_t" "cannot read $tap_a" && return 0 ;;
                esac
                if ! have "$tap_x"; then
                    skip "$tap_t" "$(tap_needs "$tap_x")"
                    return 0
                fi
            done
            ;;
        *)
            fail "$tap_t" "unknown attribute \"$tap_a\"; there are needs=" \
                "and in=copy"
            return 0
            ;;
        esac
    done
    if [ "$tap_cmds" = 0 ]; then
        fail "$tap_t" "a console fence without a line that begins with \"$ \"" \
            "shows nothing; mark it text"
        return 0
    fi
    tap_x=$(grep -oh 'build/[a-z]*/[a-z][a-z0-9_/]*' "$tap_dir/$tap_i"/cmd.* | sed "s,^build,$B,")
    ! grep -q -e 'make .*run ' -e 'count\.sh ' "$tap_dir/$tap_i"/cmd.* || tap_x="$tap_x $B/inst/run"
    ! tap_elsewhere "$tap_t" $tap_x || return 0
    tap_build ${tap_x%"$B/inst/run"}
    # one make run at a time, of those that share $B/run
    case $tap_in:$tap_x in :*"$B/inst/run") tap_x="flock $B/run.lock" ;; *) tap_x= ;; esac
    tap_limited env B="$B" $tap_x sh tests/transcripts.sh "$tap_dir/$tap_i" $tap_in \
        >"$tap_out" 2>&1 </dev/null
    tap_status=$?
    if [ "$tap_status" = 0 ]; then
        tap_result 0 "$tap_t"
        if [ "$tap_in" = copy ]; then rm -rf "$tap_dir/$tap_i/tree"; fi
    else
        tap_result 1 "$tap_t"
        { if [ "$tap_status" != 1 ]; then tap_how; fi
          head -n 60 "$tap_out"
        } | tap_diag
    fi
}

# planted test name: the bug is caught by the assertion that it names
planted()
{
    sh tests/planted.sh list "$1" >"$tap_tmp/bugs" 2>/dev/null
    while IFS="$(printf '\t')" read -r tap_bug tap_x tap_need tap_d <&3; do
        [ "$tap_bug" = "$2" ] || continue
        tap_d="planted bug $1/$2 is caught: $tap_d"
        for tap_x in ${tap_need#-}; do
            if ! have "$tap_x"; then
                skip "$tap_d" "$(tap_needs "$tap_x")"
                continue 2
            fi
        done
        ok "$tap_d" sh tests/planted.sh bug "$1" "$2"
    done 3<"$tap_tmp/bugs"
}
