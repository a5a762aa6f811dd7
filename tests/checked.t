#!/bin/sh
# Every program of the book runs under the checker, and nothing is reported.
# The compiler and the level can be chosen:
#       make -s B=/tmp/x progs ...; CXX=clang++ INSTFLAGS=-O3 sh tests/checked.t
. tests/tap.sh

if ! have inst; then
    skip "checking" "the Makefile does not include loom/loom.mk"
    done_testing
fi
# Programs whose mistakes are what they are for.
but="loom/mistakes loom/probe_faults loom/probe_stuck"
but="$but measure/gallery"    # measures, and takes minutes
but="$but mnist/mnist"        # wants a command; check_paths is its stand-in

$MAKE -s SRC="$SRC" B="$B" "$B/inst.mk"
list=
for p in $(sed -n 's,^$(B)/inst/\([^ :]*\): .*,\1,p' "$B/inst.mk" | LC_ALL=C sort -u); do
    case " $but " in *" $p "*) continue ;; esac
    case $p in */wrong/* | */bench*) continue ;; esac
    [ -f "tangled/$p.cu" ] || continue
    grep -q "measure/bench.h" "tangled/$p.cu" || list="$list $p"  # else it measures
done
targets=
for p in $list; do targets="$targets $B/inst/$p"; done
$MAKE -s -k -j2 SRC="$SRC" B="$B" ${CXX:+"CXX=$CXX"} ${INSTFLAGS:+"INSTFLAGS=$INSTFLAGS"} \
    $targets >"$tap_tmp/make" 2>&1 ||
    grep -v "^  " "$tap_tmp/make" | tap_diag
for p in $list; do
    ok_run "$p is clean" "$B/inst/$p"
done
done_testing
