# shared.awk: refuses functions with more than 48 KiB of static shared memory.
# Usage: readelf -sWC x.o | awk -v source=x.cu -f shared.awk
$4 == "TLS" && $7 != "UND" {
    size = $3 ~ /^0x/ ? hex(substr($3, 3)) : $3
    name = substr($0, index($0, $8))
    array = name; sub(/.*::/, "", array)
    if (!sub(/::[^:]*$/, "", name) || name !~ /[)]/)
        next # a variable outside of functions
    total[name] += size
    if (size > largest[name]) { largest[name] = size; which[name] = array }
}
END {
    for (name in total)
        if (total[name] > 49152) bad += refuse(name)
    exit bad > 0
}

# refuse a function
function hex(s,    n, i) {
    for (i = 1; i <= length(s); i++)
        n = 16 * n + index("0123456789abcdef", substr(s, i, 1)) - 1
    return n
}
function refuse(name,    line, file, text, n) {
    file = source
    for (line = 0; (getline text < source) > 0; ) {
        line++
        if (match(text, /^# *line +[0-9]+ "[^"]*"/)) {
            split(text, n, /[ "]+/)
            line = n[2] - 1; file = n[3]
        } else if (text ~ /__shared__/ && text ~ ("[^A-Za-z0-9_]" which[name] " *[[]"))
            break
    }
    close(source)
    print file ":" line ": error: " name " has " total[name] " bytes of static shared memory; 49152 is the most: let the launch say the size (extern __shared__)" > "/dev/stderr"
    print text > "/dev/stderr"
    match(text, /^[ \t]*/)
    print substr(text, 1, RLENGTH) "^" > "/dev/stderr"
    return 1
}
