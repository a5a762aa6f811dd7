# roots.awk: list the files that chapters write, a line each: chapter and path.
FNR == 1 { fence = fresh = 0 }
/^```/ {
    match($0, /^`+/)
    if (!fence) { fence = RLENGTH; fresh = FNR + 1 }
    else if (RLENGTH >= fence && $0 ~ /^`+[ \t]*$/) fence = 0
}
fence && FNR == fresh && /^<[<][a-z0-9]+\/[^ <>]+>[>]=$/ {
    name = substr($0, 3, length($0) - 5)
    if (!((FILENAME, name) in seen))
        print FILENAME, name
    seen[FILENAME, name] = 1
}
