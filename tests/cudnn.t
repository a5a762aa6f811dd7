#!/bin/sh
# Chapter 19, cuDNN: the graph API and fusion. Without cuDNN only this chapter's
# own kernels are tested; without a GPU, cuDNN as far as it goes.
# depends: tests/data/cudnn tangled/cudnn/graph.h
. tests/tap.sh
. tests/small.sh

M=$B/loom/cudnn
H=tests/data/cudnn/h200.json
# by hand, make is asked where cuDNN is
if have cudnn && [ -z "${CUDNN_INC+1}" ]; then
    CUDNN_INC=$(make -s --no-print-directory -f - print-inc <<'END' 2>/dev/null
include Makefile
print-inc: ; @echo $(CUDNN_INC)
END
    )
fi

# ---- strides ------------------------------------------------------------------
prints "E18: one buffer, three descriptions: (4,2,3)" '^\(4,2,3\) +0 1 2 3 4 5$' $M/strides
also "E18: NCHW" '^NCHW +0 1 2 3 4 5$'
also "E18: NHWC" '^NHWC +0 2 4 1 3 5$'

# ---- this chapter's own kernels -------------------------------------------------
for b in $BACKENDS; do
    P=$B/$b/cudnn

    each fusion 0 1 2 3 4 5 31 255 256 257 1023 1024 1025 10007
    each solutions/gate_back 0 1 255 256 257 1000
done
# Its grids, without a device, and what all threads touch, one after the other.
launches()
{
    sed '/^#/d' $SRC/cudnn/fusion.cuh | sed -E -e ':a' -e 'N' -e '$!ba' \
        -e 's/([a-z_]+)<<<([^;]*)>>>/for (launched(\2); blockIdx.x < gridDim.x; next_thread()) \1/g' \
        >"$tap_tmp/parts.h"
    ${CXX:-g++} -w -std=gnu++17 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$tap_tmp" -I"$SRC" -include tests/data/launch.h -o "$tap_tmp/launch" \
        tests/data/cudnn/launch.cc || return
    ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/launch" | diff tests/data/cudnn/launch.txt -
}
ok "so many blocks as are listed, whose threads keep to the arrays and ask the listed lanes" launches

# sectors which n: what Loom counts for one way to compute n gates
sectors()
{
    LOOM_THREADS=1 LOOM_COUNT=csv:cudnn,$1,$2 $B/inst/cudnn/fusion $2 --only $1 |
        awk -F, '$4 ~ /^global_(read|write)_sectors$/ { sum += $5 } END { print sum + 0 }'
}
case $B in *planted*) counted= ;; *) counted=1 ;; esac
if have inst && [ -n "$counted" ]; then
    tap_build $B/inst/cudnn/fusion      # BACKEND=gpu builds none of these
    for n in 1024 65536 262144; do
        is "E12: three kernels ask for twice the sectors of the fused one, for $n" \
            "$(sectors separate $n)" "$((2 * $(sectors fused $n)))"
        is "E12: the fused one for four arrays, for $n" "$(sectors fused $n)" "$((n / 2))"
    done
else
    skip "E12: three kernels ask for twice the sectors of the fused one" \
        "needs the instrumented Loom"
fi
fails_run "a way that there is not is refused" 'separate, fused or layers' \
    $M/fusion --only foo

# ---- cuDNN without a GPU --------------------------------------------------------
is "the layer has at most 300 lines" \
    "$(awk 'END { print NR <= 300 }' tangled/cudnn/graph.h)" 1

# header path: a file that the compiler finds
cudnn_file()
{
    printf '#include <%s>\n' "$1" | ${CC:-cc} $CUDNN_INC -E -x c - 2>/dev/null |
        sed -n "s,^# [0-9]* \"\(.*/$1\)\".*,\1,p" | head -1
}
# graph program name [option...]: the plans of a graph for the described H200
graph()
{
    tap_p=$1 tap_g=$2
    shift 2
    $tap_p ${H:+--device} $H --graph $tap_g "$@"
}
if have cudnn; then
    for f in cudnn_adv.h cudnn_adv_v9.h; do
        [ -n "${adv-}" ] || adv=$(cudnn_file $f)
    done
    ok "E17: adv is advanced, says its header" grep -Eq \
        'cudnn_adv.*advanced|cuDNN Advanced' "${adv:-/dev/null}"
else
    skip "E17: adv is advanced, says its header" "$(tap_needs cudnn)"
fi
if have cudnn; then
    # ---- faults ---------------------------------------------------------------
    prints "the notes' output is too large" '= 25088 numbers, .* = 21632$' $M/faults
    also "a true convolution turns the filter" 'cross-correlation begins 34 44 54, convolution 16 26 36'
    also "a block of 33 x 33 is refused" '33 x 33 is 1089 threads: refused'

    # ---- which cuDNN this is -----------------------------------------------------
    # shellcheck disable=SC2086
    version=$(($(printf '#include <cudnn_version.h>\nCUDNN_VERSION\n' |
        ${CC:-cc} $CUDNN_INC -E -P -x c -)))

    # ---- what cuDNN is asked for: one of our own tells it -------------------------
    # older ones know no device without a GPU, with which the listing ends
    parts()
    {
        [ $version -ge 90800 ] && parts_until= || parts_until='/^described$/,/^parts.c/d'
        # shellcheck disable=SC2086
        ${CC:-cc} -w -std=c11 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
            $CUDNN_INC -I"$SRC" -o "$tap_tmp/parts" tests/data/cudnn/parts.c || return
        {
            ASAN_OPTIONS=detect_leaks=0 "$tap_tmp/parts" 2>&1
            echo "status $?"
        } | sed -e 's,^[^ ]*parts.c:[0-9]*,parts.c,' -e "$parts_until" >"$tap_tmp/parts.txt"
        sed "$parts_until" tests/data/cudnn/parts.txt | diff - "$tap_tmp/parts.txt"
    }
    ok "graphs, engines, refusals and runs ask for what is listed, and all is destroyed" parts

    nvcc=$(command -v "${NVCC:-nvcc}" || echo /usr/local/cuda/bin/nvcc)
    stub=$(dirname "$nvcc")/../lib64/stubs/libcuda.so
    if [ -f "$stub" ] && have nodriver; then
        mkdir "$tap_tmp/stub"
        ln -s "$(readlink -f "$stub")" "$tap_tmp/stub/libcuda.so.1"
    else
        stub=
    fi
    tap_build $M/plans
    if $M/plans --graph conv 2>&1 | grep -q SUBLIBRARY_LOADING_FAILED; then
        fails_run "without a driver this cuDNN loads nothing, and says so" \
            'cuDNN cannot start here, or its parts do not fit' $M/plans --graph conv
        LD_LIBRARY_PATH=$tap_tmp/stub${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        export LD_LIBRARY_PATH
    fi
    if [ $version -lt 90800 ]; then
        fails_run "this cuDNN makes no plans without a GPU, and is named" \
            "cuDNN ${version%????}.*makes no plans without a GPU" graph $M/plans conv
        H=
    elif graph $M/plans conv 2>&1 | grep -q HasMember; then
        fails_run "this cuDNN wants to know more of a GPU, and says so" \
            'BAD_PARAM: an argument is wrong .*HasMember' graph $M/plans conv
        sed 's/"warpSize"/"smCountOrigin":0,"oversizedSharedMemoryPerBlock":0,"memoryBusWidth":6144,&/' \
            $H >"$tap_tmp/more.json"
        H=$tap_tmp/more.json
    fi

    # ---- graphs are described and finalized -------------------------------------
    for g in conv:1:3 dgrad:1:3 wgrad:1:3 conv_bias_relu:3:6 conv_stats:2:5 two_convs:2:5 \
        matmul:1:3 matmul_bias_relu:3:6 sigmoid:3:6 relu:1:2 sum:1:2 batch_norm:1:6 \
        batch_norm_train:1:7 layer_norm:1:7 rms_norm:1:5 instance_norm:1:7 max_pool:1:2 \
        mean_pool:1:2 softmax:5:6 attention:7:10 transpose:1:2 reshape:1:2; do
        n=${g%%:*} g=${g#*:}
        ok "$n has ${g%:*} operations and ${g#*:} tensors" sh -c \
            "$M/plans --graph $n --mode none ${H:+--device} $H | grep -q '^$n: a graph of ${g%:*} operations and ${g#*:} tensors\$'"
    done
    if have nodriver; then
        prints "without a GPU and without its description a graph is finalized" \
            'this is as far as it goes' $M/plans --graph sigmoid
    fi

    # ---- plans of a described GPU -------------------------------------------------
    prints "E53: a graph multiplies matrices" '^matmul: a graph of 1 operations' \
        sh -c "$M/plans --graph matmul ${H:+--device} $H || :"
    so=$(ldd $M/plans | sed -n 's/.*libcudnn.so[^ ]* => \([^ ]*\).*/\1/p')
    is "E53: and the library exports nothing of cuBLAS" \
        "$(nm -D --defined-only "$so" | grep -ci cublas)" 0
    if [ -n "$H" ]; then
        for t in float half bf16; do
            for l in "" --nhwc; do
                for g in conv dgrad wgrad conv_bias_relu; do
                    prints "plans of $g $t $l without a GPU" \
                        '^ 0 engine [0-9]+ knobs [0-9]+:.* workspace [0-9]+$' \
                        graph $M/plans $g --type $t $l
                done
            done
        done
        prints "engines are asked by number: one with its notes and knobs" \
            '^ 0 strict_nan: workspace 0$' graph $M/plans dgrad --engines
        also "one whose knobs have names" '^ 1 tile_size=0\.\..* use_tex=0\.\.1: workspace 0$'
        also "most numbers are of other graphs" '^[1-9][0-9]* numbers: [1-9][0-9]* engines, '
        is "a number from the heuristics is one of these" "$(
            graph $M/plans dgrad | sed -n 's/^ *[0-9]* engine \([0-9]*\) .*/\1/p' | sort -u >"$tap_tmp/named"
            graph $M/plans dgrad --engines | sed -n 's/^ *\([0-9]*\) .*: workspace.*/\1/p' |
                sort -u | join -v 1 "$tap_tmp/named" -)" ""
        for m in a b fallback; do
            prints "heuristics $m answer" 'workspace' graph $M/plans conv --mode $m
        done
        if [ $version -ge 91900 ]; then
            prints "a plan is saved and read back" '^read back: the same plan$' \
                graph $M/plans conv_bias_relu --type bf16 --nhwc --json
            also "with its graph and its GPU in it" \
                '"operationGraph".*"multiProcessorCount":132'
        fi
        ok "precompiled kernels for one operation: no engine of conv is compiled" \
            sh -c "! $M/plans --graph conv --device $H | grep -q runtime"
        ok "precompiled kernels for a combination: nor of conv_bias_relu" \
            sh -c "! $M/plans --graph conv_bias_relu --device $H | grep -q runtime"
        [ $version -lt 91900 ] ||
            fails_run "two convolutions have no engine, and the log says why" \
                'mmaNodeCount > 1' graph $M/plans two_convs --why
        fails_run "a softmax by itself neither" 'getConsumerNodes' graph $M/plans softmax --why
        fails_run "an empty list is a refusal" 'no engine gives a plan' graph $M/plans transpose
        fails_run "a norm that the heuristics do not know is refused" \
            'CUDNN_STATUS_NOT_SUPPORTED: right, but nothing in this cuDNN can do it' \
            graph $M/plans batch_norm
    else
        skip "plans without a GPU" "needs cuDNN 9.8 or newer"
    fi

    # ---- with the stub of the driver ----------------------------------------------
    if [ -n "$stub" ] && [ $version -ge 91900 ]; then
        stubbed() { LD_LIBRARY_PATH=$tap_tmp/stub "$1" --device $H "$2" "$3" ${4+"$4" "$5"}; }
        fails_run "with the stub the gate's engines are compiled, and not loaded" \
            'runtime.*cuLibraryLoadData returned error +\(34\)' stubbed $M/plans --graph sigmoid
        ! have cudnn-9.19 || fails_run "attention has an engine in bf16" 'engine [0-9]+ .*runtime' \
            stubbed $M/plans --graph attention --type bf16
        fails_run "a norm in training has one" 'engine [0-9]+ .*runtime' \
            stubbed $M/plans --graph layer_norm
        fails_run "two convolutions still have none" '; 0 remain' stubbed $M/plans --graph two_convs
    else
        skip "with the stub engines are compiled" \
            "needs the toolkit's stub of libcuda, cuDNN 9.19, and no driver"
    fi

    # ---- what is refused ------------------------------------------------------------
    fails_run "a graph that there is not" '"foo" is not among: conv dgrad' $M/plans --graph foo
    fails_run "a type that there is not" '"int" is not among: float half bf16' $M/plans --type int
    fails_run "a mode that there is not" '"c" is not among: a b fallback' $M/plans --mode c
    fails_run "a file that there is not" 'cannot open none.json' $M/plans --device none.json
    if [ -n "$H" ]; then
        printf '{}' >"$tap_tmp/empty.json"
        fails_run "properties without members are refused" \
            'the properties of a device: CUDNN_STATUS_BAD_PARAM: an argument is wrong' \
            $M/plans --device "$tap_tmp/empty.json"
        sed 's/"multiProcessorCount":132,//' $H >"$tap_tmp/less.json"
        fails_run "with one member less, too" 'HasMember' $M/plans --device "$tap_tmp/less.json"
    fi
    ! have nodriver || fails_run "--record without a GPU" 'needs a GPU' $M/plans --record

    # ---- versions -------------------------------------------------------------------
    # library FOLDER: made of the C that is read, with the version that plans' names have
    library()
    {
        mkdir -p "$tap_tmp/$1"
        echo "$(readelf -V $M/plans | sed -n 's/.*Name: \(libcudnn[^ ]*\) .*/\1/p' |
            head -1) { global: cudnn*; };" >"$tap_tmp/$1/names"
        # shellcheck disable=SC2086
        ${CC:-cc} -shared -fPIC $CUDNN_INC -Wl,-soname,libcudnn.so.9 \
            -Wl,--version-script="$tap_tmp/$1/names" -x c -o "$tap_tmp/$1/libcudnn.so.9" -
    }
    # other NUMBER PROGRAM: a library that says so
    other()
    {
        {   # with all that the program looks for: some linkers bind it when it starts
            echo "unsigned long cudnnGetVersion(void) { return $1; }"
            nm -D --undefined-only $M/plans |
                sed -n '/cudnnGetVersion/d; s/.* \(cudnn[A-Za-z]*\).*/int \1(void) { return 1; }/p'
        } | library v$1
        LD_LIBRARY_PATH=$tap_tmp/v$1 $2 --graph conv --device tests/data/cudnn/h200.json
    }
    fails_run "a cuDNN 10 is named" 'cuDNN 100000 is loaded, .* written for 9' other 100000 $M/plans
    fails_run "a cuDNN 8 is named" 'cuDNN 8907 is loaded' other 8907 $M/plans
    fails_run "a cuDNN without device properties is named" \
        'cuDNN 9.7 makes no plans without a GPU: that came with 9.8' other 90701 $M/plans

    # ---- a library that knows a GPU ---------------------------------------------------
    if [ $version -ge 90800 ]; then
        library gpu <tests/data/cudnn/device.c
        # recorded REFUSAL PROGRAM
        recorded() { REFUSE=$1 LD_LIBRARY_PATH=$tap_tmp/gpu "$2" --record; }
        prints "a GPU's properties are recorded as cuDNN tells them" \
            '^\{"multiProcessorCount":7,"name":"a device of tests"\}$' recorded '' $M/plans
        also "their descriptor is destroyed" '^1 made, 1 destroyed$'
        for r in "a descriptor:a device" "the handle:attribute [0-9]+" \
            "the properties:the properties of the GPU"; do
            fails_run "nothing is recorded where cuDNN refuses ${r%%:*}" "${r#*:}: refused" \
                recorded "${r%%:*}" $M/plans
        done
    else
        skip "a GPU's properties are recorded as cuDNN tells them" "needs cuDNN 9.8 or newer"
    fi
else
    skip "cuDNN without a GPU" "$(tap_needs cudnn)"
fi

# ---- cuDNN on a GPU ---------------------------------------------------------------
if have gpu && have cudnn; then
    # cudnnFind reads what it has allocated itself and never written: no initcheck
    SANITIZERS="memcheck racecheck synccheck"
    for s in "4 3 33 30 8" "1 1 28 28 32" "2 32 14 14 64"; do
        prints "the legacy calls are right: $s" '^ok: gradient by the filters$' \
            $B/gpu/cudnn/legacy $s
    done
    for g in conv sigmoid matmul; do
        ok_run "$g has plans on this GPU" $B/gpu/cudnn/plans --graph $g --nhwc --type bf16
    done
    prints "the GPU's properties are recorded" '"multiProcessorCount":' $B/gpu/cudnn/plans --record
    # its first layers: all of them take most of a minute
    tap_build $B/gpu/cudnn/bench
    ok "the benchmark verifies what it measures" sh -c \
        "$B/gpu/cudnn/bench --small | grep -q '^cudnn,second_dx_fp32_nchw_best,2,of_legacy,'"
    SANITIZERS="memcheck synccheck"     # racecheck of all engines takes minutes
    prints "the search by number verifies what it finds" \
        '^cudnn-engines,second_dx_number,2,of_legacy,' \
        $B/gpu/cudnn/tune --small --only second_dx
    prints "an image is filtered as by chapter 16" '^cudnn-image,plan,5,us,' \
        $B/gpu/cudnn/image 64 5
    SANITIZERS=
else
    skip "the legacy calls are right" "needs a GPU and cuDNN 9"
fi

wrongs cudnn
solutions cudnn
checked cudnn
transcripts cudnn
small_agrees cudnn 1
done_testing
