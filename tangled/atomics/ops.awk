# ops.awk: from the table of atomics (ops.txt) to what checks and prints it.
# awk -v what=must|refused -v cc=90 -f ops.awk ops.txt   CUDA, a call a line
# awk -v what=table -f ops.awk ops.txt                   Markdown
$1 == "#" {
    for (i = 4; i <= NF; i++)
        op[i - 1] = $i
    begin()
    next
}
NF && what == "table" { row(); next }
NF {
    for (i = 3; i <= NF; i++)
        cell(op[i], $1, $2, $i)
}
END { if (what != "table") print "}" }

# begin the file
function begin(    line, i)
{
    if (what == "table") {
        line = "| type |"
        for (i = 3; i in op; i++)
            line = line " " op[i] " |"
        print line
        gsub(/[^|]+/, ":-:", line)
        sub(/:-:/, "---", line)
        print line
        return
    }
    print "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n" \
        "typedef long long long_long;\n" \
        "typedef unsigned long long unsigned_long_long;\n" \
        "typedef unsigned short unsigned_short;\n" \
        "typedef unsigned char unsigned_char;\n" \
        "template <class T> __device__ T *at;\n" \
        "__global__ void use()\n{"
}

# write the calls of one cell
function cell(o, type, scopes, since,    there, s, suffix, call)
{
    split(",_block,_system", suffix, ",")
    for (s = 1; s <= 3; s++) {
        there = since != "-" && since * 10 <= cc + 0 && \
            (s == 1 || scopes == "all")
        if (there != (what == "must"))
            continue
        call = "atomic" o suffix[s] "(at<" type ">, " type "()"
        print "    " call (o == "CAS" ? ", " type "()" : "") ");"
    }
}

# write one row of the table
function row(    line, i, name)
{
    name = $1
    if (name !~ /^__/)
        gsub(/_/, " ", name)
    line = "| `" name "`" ($2 == "all" ? "" : " \\*") " |"
    for (i = 3; i <= NF; i++)
        line = line " " ($i == "-" ? "–" : $i == "7.5" ? "✓" : $i) " |"
    print line
}
