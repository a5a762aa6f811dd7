# chunks.awk: the tree of chunks below `root` in a chapter
/^<[<].*>[>]=$/ { name = substr($0, 3, length($0) - 5); next }
/^@( |$)/ { name = "" }
name != "" { lines[name]++ }
name != "" && /^ *<[<][^<>]*>[>]$/ {
    sub(/^ *<[<]/, ""); sub(/>[>]$/, "")
    uses[name] = uses[name] "\n" $0
}
END { walk(root, "") }
function walk(chunk, indent,    part, n, i) {
    printf "%-60s %3d\n", indent chunk, lines[chunk]
    n = split(uses[chunk], part, "\n")
    for (i = 2; i <= n; i++)
        walk(part[i], indent "  ")
}
