# rewrite.awk: k<<<grid, block>>>(a, b) becomes launch(k, grid, block)(a, b).
FNR == 1 { printf "#line 1 \"%s\"\n", FILENAME }
{
    done = ""
    while (match($0, /"([^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9]*(<[^<>;]*>)?<<<|>>>[ \t]*\(/)) {
        found = substr($0, RSTART, RLENGTH)
        if (found ~ /^>/)
            found = ")("
        else if (found !~ /^"/)
            found = "launch(" substr(found, 1, RLENGTH - 3) ", "
        done = done substr($0, 1, RSTART - 1) found
        $0 = substr($0, RSTART + RLENGTH)
    }
    print done $0
}
