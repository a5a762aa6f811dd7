# stage.awk: count what a reader has before him. Prints for each page and kind
# (stage, exercise, solution): page, kind, words, lines of code, figures and
# tables, minutes, parted by tabs. With table=1, a table for people.
# Usage: awk [-v table=1 -v toc=build/pdf/book.toc] -f stage.awk -- page.md ...
FNR == 1 {
    page = FILENAME
    sub(/.*\//, "", page); sub(/\.md$/, "", page)
    order[++pages] = page
    fence = depth = 0
}
/^```/ {
    match($0, /^`+/)
    if (!fence) { fence = RLENGTH; opened = FNR; code = 0; next }
    if (RLENGTH >= fence && $0 ~ /^`+[ \t]*$/) { fence = 0; next }
}
fence && FNR == opened + 1 && /^<[<].*>[>]=$/ { code = 1; next }
fence && /^@( |$)/ { code = 0 }
fence { if (code && /[^ \t]/) lines[page, kind()]++; next }
/^:::+[ \t]*$/ { if (depth) depth--; next }
/^:::/ {
    box[++depth] = $0
    if (/results/) figures[page, kind()]++
    next
}

# count a line of prose
/^\|[-:| ]+\|[ \t]*$/ { figures[page, kind()]++; next }
/^!\[/ { figures[page, kind()]++ }
{
    gsub(/[{][#.]([^}"]|"[^"]*")*[}]|[|]/, " ")
    sub(/^[ \t]*[#:>*-]+ /, "")
    words[page, kind()] += split($0, w)
}

# say what was counted
function kind(    d) {
    for (d = depth; d > 0; d--) {
        if (box[d] ~ /solution/) return "solution"
        if (box[d] ~ /exercise/) return "exercise"
    }
    return "stage"
}
function minutes(p, k) {
    return int(words[p, k] / 220 + lines[p, k] / 25 + 2 * figures[p, k] + 0.5)
}
END {
    n = split("stage exercise solution", kinds, " ")
    if (table) print_table()
    else for (i = 1; i <= pages; i++)
        for (j = 1; j <= n; j++) {
            p = order[i]; k = kinds[j]
            if (words[p, k] + lines[p, k] > 0)
                printf "%s\t%s\t%d\t%d\t%d\t%d\n", p, k, words[p, k],
                    lines[p, k], figures[p, k], minutes(p, k)
        }
}

# print the table
function print_table(    i, p, g, n) {
    read_contents()
    printf "%-32s %7s %6s %7s %7s %5s\n", "page", "words", "lines", "figures",
        "minutes", "print"
    for (i = 1; i <= pages; i++) {
        p = n = order[i]
        sub(/-.*/, "", n); sub(/^0/, "", n)
        g = p ~ /-workshop/ ? "workshop" : p ~ /^[0-9]/ ? "stage" : "appendices"
        # + 0: an element that is not set must not be an argument in some awks
        row(p, words[p, "stage"] + 0, lines[p, "stage"] + 0,
            figures[p, "stage"] + 0, minutes(p, "stage"), printed[n] + 0)
        sum_p[g] += printed[n]
        sum(g, p, "stage")
        sum("exercises", p, "exercise")
        sum("solutions", p, "solution")
    }
    total("exercises"); total("solutions"); total("appendices")
    total("workshop"); total("stage")
}
function row(name, w, l, f, m, s) {
    printf "%-32s %7d %6d %7d %7d %5s\n", name, w, l, f, m, (s > 0 ? s : "-")
}
function sum(g, p, k) {
    sum_w[g] += words[p, k]; sum_l[g] += lines[p, k]; sum_f[g] += figures[p, k]
    sum_m[g] += minutes(p, k)
}
function total(g) {
    row("= " g, sum_w[g] + 0, sum_l[g] + 0, sum_f[g] + 0, sum_m[g] + 0, sum_p[g] + 0)
}

# read LaTeX's table of contents
function read_contents(    s, n, at, last) {
    while (toc != "" && (getline s < toc) > 0) {
        if (s !~ /^\\contentsline [{](chapter|part)[}]/ || s !~ /[}][{][0-9]+[}]/)
            continue
        n = at = s
        sub(/.*numberline [{]/, "", n); sub(/[}].*/, "", n)
        match(at, /[}][{][0-9]+[}]/)
        at = substr(at, RSTART + 2, RLENGTH - 3)
        if (last != "") printed[last] = at - began
        began = at
        last = s ~ /[{]chapter[}][{].*numberline/ ? n : ""
    }
}
