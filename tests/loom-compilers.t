#!/bin/sh
# Chapter 5, Loom: a SIMT machine in C: Loom with other compilers, options,
# switches and processors.
. tests/tap.sh

if ! have loom; then
    skip "Loom and the compilers" "$(tap_needs loom)"
    done_testing
fi

M=$B/loom/loom
D=tests/data/loom
rewriter=tangled/loom/rewrite.awk
[ ! -f "$SRC/loom/rewrite.awk" ] || rewriter=$SRC/loom/rewrite.awk
work=$tap_tmp/work
modules=$(sed -n "s/^MODULES_loom :=//p" "$B/rules.mk" | tr " " "\n" | sed -n "s,.*/loom/\(.*\)[.]o\$,\1,p")
mkdir -p "$work"
awk -f $rewriter $D/hard.cu >"$work/awk.cu"

# ---- the other switches ----------------------------------------------------
U=$work/ucontext
mkdir -p "$U/loom/loom"
# No module but fiber asks for LOOM_UCONTEXT: the others are taken as gcc has made them, unless
# something else was asked for.
if [ -z "${CFLAGS+set}$ONLY" ] &&
    [ "$(readlink -f "$(command -v ${CC:-cc})")" = "$(readlink -f "$(command -v gcc)")" ]; then
    for m in $modules; do
        [ $m = fiber ] || [ ! -f "$B/loom/loom/$m.o" ] || cp -p "$B/loom/loom/$m.o" "$U/loom/loom"
    done
fi
$MAKE -s SRC="$SRC" B="$U" CFLAGS="-O2 -g1 -DLOOM_UCONTEXT" \
    "$U/loom/loom/probe_together" "$U/loom/loom/probe_fibers" \
    >"$work/make" 2>&1 || diag "$(cat "$work/make")"
prints "the C library's switch: fibers" '^200 turns, 0 wrong$' $U/loom/loom/probe_fibers
prints "the C library's switch: everything together" '^ok: barriers' $U/loom/loom/probe_together
if have aarch64-linux-gnu-gcc && have qemu-aarch64; then
    for o in -O0 -O2 -O3; do
        ok "the switch of aarch64 compiles, $o" aarch64-linux-gnu-gcc $o -std=gnu11 -Wall -Wextra \
            -Werror -ffreestanding -nostdlib -static -Wl,-e,start -I"$SRC" \
            $D/bare.c "$SRC/loom/fiber.c" -o "$work/bare"
        ok_run "the switch of aarch64 works under qemu, $o" qemu-aarch64 "$work/bare"
    done
else
    skip "the switch of aarch64 under qemu" "needs aarch64-linux-gnu-gcc and qemu-aarch64"
fi
if have aarch64-linux-gnu-g++ && have qemu-aarch64; then
    A=$work/aarch64
    $MAKE -s SRC="$SRC" B="$A" CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ LDFLAGS=-static \
        "$A/loom/loom/probe_api" "$A/loom/loom/probe_together" \
        "$A/loom/loom/probe_stuck" "$A/loom/loom/probe_faults" \
        "$A/loom/kernels/vecadd" >"$work/make" 2>&1 || diag "$(cat "$work/make")"
    prints "aarch64: what a GPU must agree on" '^ok: launches' \
        env LOOM_QUIET=1 qemu-aarch64 $A/loom/loom/probe_api
    prints "aarch64: threads together" '^ok: barriers' qemu-aarch64 $A/loom/loom/probe_together
    prints "aarch64: a kernel of chapter 3" '^ok: 1000 sums' qemu-aarch64 $A/loom/kernels/vecadd 1000
    fails_run "aarch64: a divergent barrier" 'error: divergent barrier' \
        qemu-aarch64 $A/loom/loom/probe_stuck diverge
    fails_run "aarch64: a kernel that never ends" 'error: the kernel does not end' \
        env LOOM_LIMIT=1 qemu-aarch64 $A/loom/loom/probe_stuck volatile
    fails_run "aarch64: an array's end" 'error: accesses .* 0 bytes past the end' \
        qemu-aarch64 $A/loom/loom/probe_faults past_guard
else
    skip "all of Loom on aarch64" "needs aarch64-linux-gnu-g++ and qemu-aarch64"
fi

# ---- compilers -------------------------------------------------------------
# Modules at -O2 and programs at -O1 are what all other tests run.
hard()
{
    $2 -std=gnu++17 -x c++ $3 -Wall -Wextra -Werror -I"$SRC" -isystem "$SRC/loom" \
        -D__CUDACC__=1 -include cuda_runtime.h "$work/awk.cu" -x none \
        $(for m in $modules; do echo "$1/loom/loom/$m.o"; done) \
        -o "$work/hard" -lm -lpthread &&
        "$work/hard"
}
# (a mutant's run has those programs in loom.t as well, but for hard.cu)
compilers="gcc clang" levels="-O0 -O3"
[ -z "$ONLY" ] || compilers=gcc levels=-O0
for cc in $compilers; do
    case $cc in gcc) set -- gcc g++ ;; *) set -- clang clang++ ;; esac
    if ! have $1 || ! have $2; then
        skip "Loom with $2" "needs $1 and $2"
        continue
    fi
    for o in $levels; do
        W=$work/$1$o
        $MAKE -s SRC="$SRC" B="$W" CC=$1 CXX=$2 CFLAGS="$o -g1" \
            "$W/loom/loom/probe_api" "$W/loom/loom/probe_faults" \
            "$W/loom/loom/probe_together" \
            >"$work/make" 2>&1 || diag "$(cat "$work/make")"
        prints "$2 $o: what a GPU must agree on" '^ok: launches' \
            env LOOM_QUIET=1 $W/loom/loom/probe_api
        prints "$2 $o: threads together" '^ok: barriers' $W/loom/loom/probe_together
        fails_run "$2 $o: caught in the act" 'in kernel set, block \(6,0,0\), thread \(0,0,0\)' \
            $W/loom/loom/probe_faults past_guard
        ok "$2 $o: every kind of launch is rewritten and runs" hard "$W" $2 $o
    done
    printf 'void k(float *);\n#line 40 "book/x.md"\nvoid f(double *y)\n{\n    k<<<1, 2>>>(y);\n}\n' \
        >"$work/line.cu"
    awk -f $rewriter "$work/line.cu" >"$work/line.cc"
    fails_run "$2 names the book's line of a launch with a wrong argument" \
        '^book/x.md:42:[0-9]*: error' $2 -std=gnu++17 -I"$SRC" \
        -isystem "$SRC/loom" -D__CUDACC__=1 -include cuda_runtime.h -c "$work/line.cc" \
        -o "$work/line.o"
    printf '#include "loom/cuda_runtime.h"\nint main(void) { dim3 d = {1, 2, 3}; float4 v = make_float4(1, 2, 3, 4); void *p; return cudaMalloc(&p, 4) != cudaSuccess || d.z != 3 || v.w != 4; }\n' \
        >"$work/c.c"
    ok "$1: the headers in C11" $1 -std=c11 -Wall -Wextra -Werror -I"$SRC" -c "$work/c.c" -o "$work/c.o"
done

done_testing
