# profile.awk: ncu's rows of gemm/once to rows of CSV. names: what ran, in
# order; metrics: lines short=metric=unit; n: the size.
BEGIN {
    id = "none"
    while ((getline line < names) > 0) name[++ran] = line
    while ((getline line < metrics) > 0) {
        split(line, f, "=")
        short[f[2]] = f[1]
        unit[f[1]] = f[3]
        order[++count] = f[1]
    }
}
/^"[0-9]/ {
    k = split(substr($0, 2, length($0) - 2), f, /","/)
    if (f[1] != id) {
        leave()
        id = f[1]
        if (f[5] ~ /^mark/) { show(); at++; inside = 0 }
        else inside = 1
        split("", now)
    }
    if (f[k - 2] in short) {
        gsub(/,/, "", f[k])
        now[short[f[k - 2]]] = f[k]
    }
}
END {
    leave()
    show()
    if (at != ran) {
        print "profile.awk: " at + 0 " of " ran + 0 " kernels" > "/dev/stderr"
        exit 1
    }
}

# Keep a kernel that is longer than those before it behind the same mark.
function leave(    m)
{
    if (inside && now["us"] + 0 > best["us"] + 0) {
        split("", best)
        for (m in now) best[m] = now[m]
    }
    inside = 0
}
function show(    c, m, most, what)
{
    if (!at || !("us" in best)) return
    best["us"] /= 1000
    for (c = 1; c <= count; c++) {
        m = order[c]
        if (m in best) print "gemm," name[at] "," n "," m "," best[m] + 0 "," unit[m]
        if (m ~ /^(issue|fma|load_unit|l2|dram)$/ && best[m] + 0 > most) {
            most = best[m] + 0
            what = m
        }
    }
    printf "%s: %s, %.1f %%\n", name[at], what, most > "/dev/stderr"
    split("", best)
}
