#!/bin/sh
# sass.sh [ARCH]: count the inner loops of the rungs as nvcc compiles them (for
# sm_90a, unless told), as rows of CSV.
set -eu
arch=${1-sm_90a} src=${SRC-tangled}
for tool in nvcc cuobjdump nvdisasm; do
    command -v $tool >/dev/null || { echo "sass.sh: needs $tool" >&2; exit 2; }
done
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
nvcc -std=c++17 -O3 -gencode "arch=compute_${arch#sm_},code=$arch" -I"$src" \
    -cubin -o "$new/rungs.cubin" "$src/gemm/rungs.cu"
cuobjdump -sass "$new/rungs.cubin" | awk -f tangled/gemm/sass.awk > "$new/csv"

# name the rungs by their templates
# row NAME PATTERN
row()
{
    awk -F, -v name="$1" -v is="$2" 'index($1, is) {
        print "gemm," name ",0,instructions," $2 ",count"
        print "gemm," name ",0,multiply_adds," $3 ",count"
        print "gemm," name ",0,loads," $4 ",count"
        print "gemm," name ",0,conflicts," $5 ",count"
        print "gemm," name ",0,global_loads," $6 ",count"
        print "gemm," name ",0,late_loads," $7 ",count"
        print "gemm," name ",0,before_late," $8 ",count"
        printf "gemm,%s,0,share,%.4g,%%\n", name, 100 * $3 / ($2 + $5)
        found++
    }
    END { if (found != 1) { print "sass.sh: " found + 0 " kernels " name; exit 1 } }' \
        "$new/csv"
}
echo "# chapter: gemm"
echo "# counted: the machine code of $(nvcc --version | sed -n 's/.*release \([^,]*\),.*/nvcc \1/p') for $arch"
echo "# tangled: $(tangled/weave/hash.sh gemm/rungs)"
echo chapter,variant,size,metric,value,unit
row column multiply_patchesILi64ELi64ELi8ELi8ELi1E
row square multiply_patchesILi128ELi128ELi8ELi8ELi8E
row vectors multiply_vectorsILi128ELi128ELi8ELi0E
row ahead multiply_vectorsILi128ELi128ELi8ELi1E
row warps tileILi128ELi128ELi32ELi8ELi8ELi1ELi3ELi2ELi0EELi2ELi0E
row wide tileILi128ELi256ELi16ELi8ELi16ELi1ELi3ELi1ELi0EELi2ELi0E
row snake tileILi128ELi128ELi32ELi8ELi8ELi1ELi3ELi2ELi1EELi2ELi0E
row columns tileILi128ELi128ELi32ELi8ELi8ELi1ELi3ELi2ELi10EELi2ELi0E
row pairs tileILi128ELi128ELi32ELi8ELi8ELi1ELi3ELi2ELi14EELi2ELi0E
row bulk bulkILi128ELi128ELi8ELi8ELi1ELi3ELi2ELi8EELi2ELi3E
row bulk_wide bulkILi128ELi256ELi8ELi16ELi1ELi4ELi1ELi8EELi2ELi3E
