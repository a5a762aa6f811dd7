# ptxas.awk: a table from what nvcc -Xptxas -v says on standard error.
/Compiling entry function/ {
    name = $0
    sub(/.*function '/, "", name)
    sub(/'.*/, "", name)
    if (match(name, /^_Z[0-9]+/)) { # a mangled name: its length, then it
        n = substr(name, 3, RLENGTH - 2)
        name = substr(name, RLENGTH + 1, n)
    }
}
/bytes stack frame/ { stack = $1; stores = $5; loads = $9 }
/Used [0-9]+ registers/ {
    for (i = 1; i < NF; i++)
        if ($i == "Used")
            printf "%-16s %3d registers, %3d bytes of stack, spills: %d stored, %d loaded\n",
                name, $(i + 1), stack, stores, loads
}
