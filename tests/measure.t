#!/bin/sh
# Chapter 7, Measuring: statistics, roofs, occupancy, launches, wrong times.
. tests/tap.sh

M=$B/loom/measure

# Plain C: the same programs on every back end.
for n in 1 2 3 4 5 31 32 100 101 4096; do
    prints "quantiles of a shuffled ramp of $n" "^ok: quantiles .* of $n values" \
        $M/check_stats $n --seed $n
done
fails_run "a sample of 0 values is refused" 'n: .0. is too small' \
    $M/check_stats 0
prints "E70: the floor under a time, and the ridge in operations per byte" \
    '^ok: the floor of an addition of 2.25 elements is 83.9 us' $M/check_roof

report()
{
    $M/report "$@" | sed 's/  */ /g'
}
# the report of the course notes
notes="128 122 12800 1536 --cc 86 --sms 46 --configured 65536"
for line in "Waves Per SM +8.35" "Block Limit SM +16" \
    "Block Limit Registers +4" "Block Limit Shared Mem +4" \
    "Block Limit Warps +12" "Theoretical Active Warps +16" \
    "Theoretical Occupancy +33.33"; do
    prints "the report of the notes: $line" "^$line\$" $M/report $notes
done
prints "registers are shared out by partition: 48 warps of 40, not 51" \
    '^Block Limit Registers +48$' $M/report 32 40
prints "registers are given in units of 256: 48 warps of 33, not 62" \
    '^Block Limit Registers +48$' $M/report 32 33
# the sums that chapter 4 does by hand
prints "40 registers: 6 blocks of 256" '^Block Limit Registers +6$' \
    $M/report 256 40 0
prints "48 KiB: 4 blocks" '^Block Limit Shared Mem +4$' $M/report 256 16 49152
prints "65 registers in blocks of 1024 do not fit" \
    '^Theoretical Occupancy +0.00$' $M/report 1024 65 0
fails_run "an unknown card is refused" 'not in the table' $M/report --cc 20
fails_run "a block of 1025 threads is refused" 'threads' $M/report 1025
if have nvcc; then      # a program of the host; NVIDIA's header is the judge
    ok "the judge of occupancies compiles" ${NVCC:-nvcc} -std=c++17 -I"$SRC" \
        -o "$tap_tmp/judge" tests/data/measure/judge.cu "$SRC/measure/occupancy.c"
    ok "occupancy of 900000 random kernels is what NVIDIA's header says" \
        "$tap_tmp/judge" 100000
else
    skip "occupancy of 900000 random kernels is what NVIDIA's header says" \
        "needs nvcc"
fi

fits()
{
    ${CC:-cc} -w -std=c11 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -I"$SRC" \
        -o "$tap_tmp/fits" tests/data/measure/fits.c "$SRC/measure/occupancy.c" &&
        "$tap_tmp/fits" | diff - tests/data/measure/fits.txt
}
ok "what each SM holds, and 3360 kernels on each, are as listed" fits

# The instruments on a device that is made up, k<<<g, b>>>(x) as (launched(g, b), k)(x).
parts()
{
    : >"$tap_tmp/cuda_runtime.h"
    sed -n '/^\/\* hang the material/,$p' "$SRC/measure/gallery.cuh" | sed -E -e '$d' -e '/^#line/d' \
        -e 's/add_grid<<<(.*)>>>/(launched(\1), add_grid)/' >"$tap_tmp/parts.h"
    {
        sed -n '/^\/\* define two tiny kernels/,$p' "$SRC/measure/launch.cuh"
        sed -n '/^\/\* read and add up/,$p' "$SRC/measure/walk.cuh"
        sed -n '/^static const struct flight_kind/,$p' "$SRC/measure/flight.cuh"
        sed -n '/^static inline struct roof roof_of_card/,/^}/p' "$SRC/measure/card.cuh" | sed '/^#else/,/^#endif/d'
    } | sed -E -e '/^#/d' -e 's/(tiny|laden)<<<.*>>>\(/queued(\1, /' >"$tap_tmp/more.h"
    ${CC:-cc} -c -o "$tap_tmp/ends.o" tests/data/ends.c || return
    ${CXX:-g++} -w -std=gnu++17 -g -ffp-contract=off -fsanitize=address,undefined \
        -fsanitize-coverage=trace-pc -fno-sanitize-recover=undefined -I"$tap_tmp" -I"$SRC" -include "$SRC/tour/rng.h" \
        -o "$tap_tmp/parts" -include tests/data/refused.h \
        tests/data/measure/parts.cc "$tap_tmp/ends.o" &&
        ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" |
        sed '/^# \(host\|date\|commit\|driver\|tangled\):/d' | diff - tests/data/measure/parts.txt
}
ok "on a made-up device the instruments launch and say what is listed, and every walk ends" parts

for b in $BACKENDS; do
    P=$B/$b/measure
    for sets in 2 3 5 31 64; do
        prints "bench_measure rotates $sets sets on the $b" \
            "^ok: [0-9]+ calls in turn over $sets sets" $P/rotate $sets
    done
    each "read and walk @ on the $b" walk "0 3" "1 0" "1 1" "31 2" "127 16" "129 17" \
        "191 33" "193 5" "1021 64" "4099 1" "5000 3"
    prints "E2: one step is a quarter operation per byte, on the $b" \
        ' 0.25 operations per byte' $P/walk 100 1
    prints "E2: and 64 steps are 16, beyond the ridge, on the $b" \
        ' 16 operations per byte' $P/walk 100 64
    each "relu of @ vectors on the $b" relu 1 2 3 31 33 127 129 255 257 1021
    prints "E72: ReLU does 0.125 operations per byte in float, 0.25 in half ($b)" \
        '^ok: 0.125 operations per byte in float, 0.25 in half' $P/relu 1000
    each flight "1 1 1" "1 32 0" "2 33 7" "3 64 5" "5 1024 2" "7 97 13"
    for n in 1 2 7 100 1000; do
        prints "E15: $n launches in three ways, none lost, on the $b" \
            "^ok: $n launches in each of 3 ways" $P/launch $n
    done
    prints "the table has a line for each range, on the $b" \
        '^add +[0-9.]+ +[0-9.]+$' $P/phases 5000 7
    [ "$b" != loom ] && ! have speed ||
        prints "the fifth timing times refusals, on the $b" \
            '^caught: ' \
            $P/gallery --timing unrun
    fails_run "an unknown timing is refused, on the $b" \
        'no timing .fast.: early' $P/gallery --timing fast
done
prints "the benchmark runs on Loom, and says with which CUDA" '^# cuda: driver takes 13\.0, runtime is 13\.0$' $M/bench

if have speed; then
    P=$B/gpu/measure
    prints "E44: a clock stopped before the work is done lies under the floor" \
        '^caught: the bytes cannot move so fast' $P/gallery --timing early
    for k in cold waiting; do
        prints "the timing '$k' is caught" \
            '^caught: an honest measurement is shorter' $P/gallery --timing $k
    done
    # a listener of our own where a tracer would be
    inc=$(dirname "$(command -v ${NVCC:-nvcc})")/../include
    ok "a listener to NVTX compiles" ${CC:-cc} -shared -fPIC -I"$inc" \
        -o "$tap_tmp/listen.so" tests/data/measure/listen.c
    is "it hears the three ranges of the phases" \
        "$(NVTX_INJECTION64_PATH=$tap_tmp/listen.so $P/phases 1000 2 2>&1 |
            sed -n 's/^heard: //p' | tr '\n' ',')" \
        "copy in,end,add,end,copy out,end,"
    ok "a program of many registers compiles" ${NVCC:-nvcc} -std=c++17 \
        -arch=native -I"$SRC" -o "$tap_tmp/limits" \
        tests/data/measure/limits.cu "$SRC/measure/occupancy.c"
    ok "occupancy of 2720 launches is what the runtime says" "$tap_tmp/limits"
    # The profiler on the same kernel says what the function says.
    if have ncu && ncu --section Occupancy -c 1 $P/relu 1000 >"$tap_tmp/ncu" \
        2>&1; then
        ncu --section LaunchStats --section Occupancy -k walk -c 1 \
            $P/walk 1000000 64 >"$tap_tmp/ncu" 2>&1
        regs=$(awk '/Registers Per Thread/ { print $NF }' "$tap_tmp/ncu")
        grid=$(awk '/Grid Size/ { gsub(",", ""); print $NF }' "$tap_tmp/ncu")
        kept=$(awk '/Shared Memory Configuration Size/ {
            print 1024 * int($NF * 1000 / 1024 + 0.5) }' "$tap_tmp/ncu")
        is "occupancy of the walk ($regs registers) is what ncu reports" \
            "$(report 128 "$regs" 0 "$grid" --configured "$kept")" \
            "$(awk '/Waves Per SM|Block Limit (SM|Registers|Shared|Warps)/ ||
                /Theoretical (Active Warps|Occupancy)/ {
                    v = $NF
                    if (/Waves|Theoretical Occ/) v = sprintf("%.2f", v)
                    sub(/Active Warps per SM/, "Active Warps")
                    sub(/ +(block|warp|%)? +[0-9.,]+ *$/, "")
                    sub(/^ +/, ""); print $0 " " v }' "$tap_tmp/ncu")"
        m=l1tex__t_sectors_pipe_lsu_mem_global_op
        ncu --metrics ${m}_ld.sum,${m}_st.sum,smsp__sass_thread_inst_executed_op_fadd_pred_on.sum \
            -k regex:add -c 1 $P/phases 33554432 1 >"$tap_tmp/ncu" 2>&1
        is "ncu counts the sectors and additions that were predicted" \
            "$(awk '/op_(ld|st|fadd)/ { gsub(",", ""); print $NF }' "$tap_tmp/ncu" |
                tr '\n' ' ')" "8388608 4194304 33554432 "
    else
        skip "occupancy of the walk is what ncu reports" \
            "needs ncu and permission to use counters"
        skip "ncu counts the sectors and additions that were predicted" \
            "needs ncu and permission to use counters"
    fi
else
    for k in "E44: a clock stopped before the work is done lies under the floor" \
        "the timing 'cold' is caught" "the timing 'waiting' is caught" \
        "the timing 'cached' is caught" \
        "a listener to NVTX hears the three ranges of the phases" \
        "occupancy of 2720 launches is what the runtime says" \
        "occupancy of the walk is what ncu reports" \
        "ncu counts the sectors and additions that were predicted"; do
        skip "$k" "needs a GPU"
    done
fi

# what the toolkit at hand contains
if have nvcc-13.0 || have nvcc-13.1; then
    bin=$(dirname "$(command -v ${NVCC:-nvcc})")
    fails_run "E41: CUDA 13 comes without nvprof" 'nvprof' ls "$bin/nvprof"
else
    skip "E41: CUDA 13 comes without nvprof" "needs nvcc of CUDA 13"
fi
# without counters: occupancy from the compiler's report alone
if have nvcc; then
    e58()
    {
        ${NVCC:-nvcc} -std=c++17 -arch=sm_90 -I$SRC -Xptxas -v -cubin \
            -o "$tap_tmp/walk.cubin" "$SRC/measure/walk.cu" 2>&1 |
            awk '/Compiling entry function .*walk/ { on = 1 }
                 on && /Used/ { print $(NF > 0 ? 5 : 0); exit }'
    }
    regs=$(e58)
    prints "E58: occupancy from the compiler's report (${regs:-no} registers)" \
        '^Theoretical Occupancy +100.00$' $M/report 128 "${regs:-x}" 0
else
    skip "E58: occupancy from the compiler's report" "needs nvcc"
fi

wrongs_of=tangled/measure/wrong
[ -d $wrongs_of ] && wrongs measure
solutions measure
checked measure gallery
tallied measure
transcripts measure
done_testing
