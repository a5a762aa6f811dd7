# tests/small.sh: what a chapter's programs do on the small Loom, compared with the full
# one.  Sourced by the tests of the chapters that the small one can run.
small_rewrite=tangled/loom/mini/rewrite.awk
[ ! -f "$SRC/loom/mini/rewrite.awk" ] || small_rewrite=$SRC/loom/mini/rewrite.awk

# what <of a run>: the verdicts with their lines, and the table, in one form for both
what()
{
    awk '
    function base(s) { sub(/:$/, "", s); sub(/.*\//, "", s); return s }
    /error: race on/ { at = base($1); kind = $5; next }
    /note: the other/ {
        there = base($1)
        print "race", kind, (at < there ? at " " there : there " " at)
    }
    /error: divergent barrier/ { print "divergent barrier", base($1) }
    /error: deadlock/ { print "deadlock" }
    # the table of the full Loom, that of the small one
    $2 ~ /^(global|shared)$/ && $3 ~ /^(read|write)$/ && $NF + 0 > 0 {
        sum(base($1) " " $2 " " $3 " " $4, $5, $6, $7)
    }
    $2 ~ /^(global|shared)$/ && $NF == "each" {
        sum(base($1) " " $2 " " $3 " " $5, $7, $9, $11)
    }
    function sum(key, n, lanes, cost) {
        requests[key] += n; all[key] += n * lanes; paid[key] += n * cost
    }
    END {
        for (key in requests)
            printf "%s: %d requests, %.1f lanes, %.1f paid\n", key,
                requests[key], all[key] / requests[key] + 0.004, paid[key] / requests[key] + 0.004
    }' | LC_ALL=C sort -u
}

# tried CHAPTER: its programs that compile against step 7, a line each. The headers that
# they include are rewritten once, step 7 is read once; the rest is as in run.sh.
tried()
{
    tried_tree=$tap_tmp/tree
    cat "$B/loom/$1"/*.d "$B/loom/$1"/*/*.d 2>/dev/null | tr ' ' '\n' |
        sed -n 's,^.*/src/\(.*\.cuh\)$,\1,p' | sort -u | while read -r tried_to; do
        mkdir -p "$tried_tree/${tried_to%/*}"
        awk -f "$small_rewrite" "$SRC/$tried_to" >"$tried_tree/$tried_to"
    done
    mkdir -p "$tried_tree" "$tap_tmp/head"
    : >"$tried_tree/cuda_runtime.h"
    cp "$SRC/loom/mini/step7.h" "$tap_tmp/head"
    tried_as="-std=gnu++17 -O1 -g -w -fsanitize=thread -fno-elide-constructors -fmax-errors=1 -I$tried_tree -I$SRC"
    ${CXX:-g++} -x c++-header $tried_as "$tap_tmp/head/step7.h" || return
    for tried_file in $(cd "$SRC" && echo "$1"/*.cu "$1"/wrong/*.cu "$1"/solutions/*.cu \
        "$1"/mini/*.cu "$1"/mini/wrong/*.cu); do
        [ -f "$SRC/$tried_file" ] || continue
        tried_name=${tried_file%.cu}
        mkdir -p "$tap_tmp/small/${tried_name%/*}"
        awk -f "$small_rewrite" "$SRC/$tried_file" >"$tap_tmp/tried.cu"
        ${CXX:-g++} -x c++ $tried_as -include "$tap_tmp/head/step7.h" \
            -c -o "$tap_tmp/small/$tried_name.o" "$tap_tmp/tried.cu" 2>/dev/null && echo "$tried_name"
    done
}
# modules PROGRAM: the objects of the C modules that it has
modules()
{
    sed -n "s,^\$(B)/loom/$1: \$(B)/loom/$1\.o,,p" "$B/rules.mk" | tr ' ' '\n' |
        sed -n "/loom\/loom\//d; s,^\$(B),$B,p"
}
# runs_small PROGRAM: with the first of these sizes that it takes, or with none; it ends
# with 0 or 2. With 129 it has a second of a processor, otherwise five (what is compared
# took half of one at most here, so that a slow machine compares it, too)
runs_small()
{
    # shellcheck disable=SC2046
    ${CXX:-g++} -no-pie -o "$tap_tmp/small/$1" "$tap_tmp/small/$1.o" $(modules "$1") -lm \
        2>/dev/null || return
    for small_n in 129 9 ""; do
        small_limit=5
        [ "$small_n" != 129 ] || small_limit=1
        (ulimit -S -t $small_limit && exec timeout -k 5 60 "$tap_tmp/small/$1" $small_n) >"$tap_tmp/small/$1.said" 2>&1
        small_status=$?
        [ $small_status = 152 ] && [ "$small_n" = 129 ] ||
            grep -q -- 'see .* --help' "$tap_tmp/small/$1.said" || break
    done
    case $small_status in
    [02]) ;;
    152) diag "not compared: $1, more than 5 s on the small Loom" && return 1 ;;
    *) diag "not compared: $1, status $small_status on the small Loom" && return 1 ;;
    esac
} 2>/dev/null
# same PROGRAM STATUS SIZE: what the full Loom says, and what the small one has said
same()
{
    LOOM_COUNT=1 tap_limited "$B/inst/$1" $3 >"$tap_tmp/full" 2>&1
    same_full=$?
    case $same_full in
    [02]) same_count=$((same_count + 1)) ;;
    *) diag "not compared: $1, status $same_full on the full Loom" && return ;;
    esac
    same_small="status $2
$(what <"$tap_tmp/small/$1.said")" same_full="status $same_full
$(what <"$tap_tmp/full")"
    same_why=$(known_to_differ $1)
    if [ -n "$same_why" ]; then
        ok "the small Loom and the full one differ on $1: $same_why" [ "$same_small" != "$same_full" ]
    else
        is "the small Loom and the full one agree on $1" "$same_small" "$same_full"
    fi
}
# known_to_differ PROGRAM: why, for those that do
known_to_differ()
{
    case ${1#*/} in
    wrong/noguard | wrong/beyond) echo "only the full one knows bounds" ;;
    wrong/unset) echo "only the full one knows what nobody has written" ;;
    wrong/left) echo "only the full one knows that a lane has no value" ;;
    wrong/mask) echo "the small one takes a wrong mask for a deadlock" ;;
    wrong/lock_look) echo "only the full one knows flags and locks" ;;
    solutions/depthwise) echo "the small one counts a branch in a loop by how often a lane took it" ;;
    rows) echo "a shuffle of 8 bytes is compiled otherwise" ;;
    esac
}
# small_agrees CHAPTER N: at least N of its programs run on both, and say the same
small_agrees()
{
    [ -z "$ONLY" ] || return 0
    have inst || {
        skip "the small Loom and the full one agree" "needs the instrumented Loom"
        return
    }
    small_all=$(tried "$1")
    # shellcheck disable=SC2046
    $MAKE -s -k SRC="$SRC" B="$B" $(for p in $small_all; do modules $p; done | sort -u) >/dev/null 2>&1
    small_list=
    for p in $small_all; do
        ! runs_small $p || small_list="$small_list $p:$small_status:$small_n"
    done
    $MAKE -s -k SRC="$SRC" B="$B" $(for p in $small_list; do echo "$B/inst/${p%%:*}"; done) \
        >"$tap_tmp/make" 2>&1 || diag "$(grep -m 5 error "$tap_tmp/make")"
    same_count=0
    for p in $small_list; do
        # shellcheck disable=SC2046
        same $(echo $p | tr : ' ')
    done
    ok "at least $2 programs run on the small Loom and the full one" [ $same_count -ge "$2" ]
}
