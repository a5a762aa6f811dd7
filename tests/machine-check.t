#!/bin/sh
# Chapter 5, A SIMT machine in C: the checker finds what is wrong, and nothing else.
. tests/tap.sh

work=$tap_tmp/work
mkdir -p "$work"
I=$B/inst
W=$I/machine/wrong

if ! have inst; then
    skip "checking" "the Makefile does not include machine/machine.mk"
    done_testing
fi
build()
{
    $MAKE -s SRC="$SRC" B="$B" "$@" >"$work/make" 2>&1 || diag "$(cat "$work/make")"
}

# ---- what is found ---------------------------------------------------------
# found NAME 'ERE': a wrong program ends with 2, and says so
found()
{
    tap_wanted $W/$1 || return 0
    build $W/$1
    timeout 60 $W/$1 >"$work/$1" 2>&1
    is "$1 ends with 2" "$?" 2
    ok "$1: file, line and what is wrong come first" \
        grep -Eq '^[^ :]+:[0-9]+: error: ' "$work/$1"
    fails_run "$1 is found" "error: $2" $W/$1
}
found race_shared 'race on shared memory: .* writes what .* has read'
found race_global 'race on global memory: .*1,0,0. reads what .*0,0,0. has written'
found race_warp 'race on shared memory'
found reader_race 'race on shared memory: .* writes what .* has read'
found no_fence 'race on global memory: .* reads what .* has written'
found bounds 'out of bounds: thread .40,0,0. of block .1,0,0. reads 4 bytes'
found bounds_shared 'out of bounds of 128 bytes of dynamic shared memory'
found unset_global 'uninitialised global memory'
found unset_shared 'uninitialised shared memory'
found freed 'use after free'
found twice 'cudaFree: the pointer was freed before'
found host_pointer 'host memory in a kernel'
found device_pointer 'device memory on the host'
found inactive 'shuffle from an inactive lane: .* asks lane 2[0-9]'
found misaligned 'misaligned address: .* reads 16 bytes'

# ---- what a report looks like ----------------------------------------------
is "a race shows two lines of the source, with carets under the places" \
    "$(grep -A2 -E 'has read|note' "$work/race_shared" | head -6 | sed 's/^[^ ].*\(error\|note\).*/\1/')" \
"error
    row[t] = y[t];
    ^
note
    y[t] = row[255 - t];
           ^"
is "each pair of places is reported once" \
    "$(grep -c 'writes what' "$work/race_shared")" 1
ok "an index past the end names the allocation and its line" \
    grep -Eq '0 bytes past the end of an allocation of 400 bytes made at [^ ]+:[0-9]+' "$work/bounds"
ok "a race between blocks names both" \
    grep -Eq 'of block \(1,0,0\) reads what .* of block \(0,0,0\) has written' "$work/race_global"
ok "in a warp, __syncwarp is what is missing" grep -q 'no __syncwarp() lies between' "$work/race_warp"
ok "freed memory is called so" grep -q 'use after free' "$work/freed"
ok "freeing twice is reported with the place of the allocation" \
    grep -Eq ':[0-9]+: error: cudaFree: the pointer was freed before' "$work/twice"
is "SIMT_QUIET=1 silences the report, and the exit code stays" \
    "$(SIMT_QUIET=1 $W/race_shared 2>&1; echo $?)" 2

# ---- no false report -------------------------------------------------------
clean="machine/probe_count kernels/vecadd kernels/square kernels/index kernels/batch \
kernels/managed machine/solutions/fmax machine/solutions/ticket machine/solutions/triples"
for f in tangled/simt/*.cu tangled/sync/*.cu; do
    case $f in */bench*.cu | *'*'*) continue ;; esac
    f=${f#tangled/}
    grep -q "build/inst/${f%.cu}:" "$B/inst.mk" 2>/dev/null ||
        grep -q "inst/${f%.cu}:" "$B/inst.mk" 2>/dev/null || continue
    clean="$clean ${f%.cu}"
done
for p in $clean; do
    tap_wanted $I/$p || continue
    build $I/$p
    ok_run "$p is clean" env SIMT_QUIET=0 $I/$p
done
prints "the machine's own test passes with the checker" '^ok: launches' \
    env SIMT_QUIET=1 $I/machine/probe_api

# ---- every compiler, every level -------------------------------------------
for cc in "gcc g++" "clang clang++"; do
    [ -z "$ONLY" ] || break
    set -- $cc
    if ! have $1 || ! have $2; then
        skip "checking with $2" "needs $1 and $2"
        continue
    fi
    for o in -O0 -O2 -O3; do
        V=$work/$1$o
        $MAKE -s SRC="$SRC" B="$V" CC=$1 CXX=$2 INSTFLAGS=$o \
            $V/inst/machine/probe_count $V/inst/machine/wrong/race_shared \
            $V/inst/machine/wrong/race_warp $V/inst/machine/wrong/unset_shared \
            $V/inst/machine/wrong/bounds \
            >"$work/make" 2>&1 || diag "$(cat "$work/make")"
        ok_run "$2 $o: 27 kernels are clean" $V/inst/machine/probe_count
        for p in race_shared:'race on shared memory' race_warp:'no __syncwarp' \
            unset_shared:'uninitialised shared' bounds:'out of bounds'; do
            fails_run "$2 $o: ${p%%:*} is found" "${p#*:}" \
                $V/inst/machine/wrong/${p%%:*}
        done
        rm -rf "$V"
    done
done
planted machine-check
done_testing
