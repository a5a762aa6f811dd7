# sass.awk: of the machine code of kernels (cuobjdump -sass), count the inner
# loop of each: instructions, multiply-adds, loads from shared memory,
# multiply-adds that read two registers of one bank, and where the loads from
# global memory stand.

# leave a kernel
function leave(    i, j, to, first, last, share, best)
{
    last = -1
    best = 0
    for (i = 0; i < n; i++)
        if (code[i] ~ /^BRA/ && match(code[i], /0x[0-9a-f]+/)) {
            to = hex(substr(code[i], RSTART + 2, RLENGTH - 2))
            for (j = i; j > 0 && at[j] > to; j--)
                ;
            if (at[j] == to && j < i && many(j, i) >= 64) {
                share = many(j, i) / (i - j + 1)
                if (share > best) {
                    best = share
                    first = j
                    last = i
                }
            }
        }
    if (last >= 0) count(first, last)
}
function many(from, to,    k, c)
{
    for (; from <= to; from++) c += code[from] ~ /^FFMA/
    return c
}

# count a loop
function count(from, to,    k, f, l, c, g, late, first, all)
{
    split("", kept)
    all = many(from, to)
    for (k = from; k <= to; k++) {
        l += code[k] ~ /^LDS[ .]/
        if (code[k] ~ /^LDG(STS)?[ .]/) {
            g++
            if (2 * f > all && !late++) first = f
        }
        if (code[k] ~ /^FFMA/) {
            f++
            c += conflict(code[k])
        } else
            split("", kept)
    }
    print name "," to - from + 1 "," f "," l "," c + 0 "," g + 0 "," late + 0 "," first + 0
}

# count a multiply-add
function conflict(s,    p, n, r, k, even, odd, seen)
{
    sub(/^[^ ]+ +/, "", s)
    n = split(s, part, /, */)
    for (k = 2; k <= n; k++)
        if (match(part[k], /R[0-9]+/)) {
            r = substr(part[k], RSTART + 1, RLENGTH - 1)
            if (kept[k] != "R" r && !((r "") in seen)) {
                if (r % 2) odd++
                else even++
            }
            seen[r ""] = 1
            kept[k] = part[k] ~ /reuse/ ? "R" r : ""
        } else
            kept[k] = ""
    return even > 1 || odd > 1
}

/Function :/ { leave(); name = $3; n = 0; next }
$1 ~ /^\/\*[0-9a-f]+\*\/$/ && / ;/ {
    at[n] = hex(substr($1, 3, length($1) - 4))
    text = $0
    sub(/^[ \t]*\/\*[0-9a-f]+\*\/ */, "", text)
    sub(/ *;.*/, "", text)
    sub(/^@!?U?P[0-9T]+ +/, "", text)
    code[n++] = text
}
END { leave() }

function hex(s,    i, v)
{
    for (i = 1; i <= length(s); i++)
        v = 16 * v + index("0123456789abcdef", substr(s, i, 1)) - 1
    return v
}
