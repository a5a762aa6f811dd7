# links.awk: check the links of a woven site.
# Usage: awk -v site=build/html -v anchors=book/anchors.txt -f links.awk FILE...
function complain(file, at, what) { print file ":" at ": " what; bad = 1 }
FNR == 1 { page = FILENAME; sub(/.*\//, "", page); pages[page] = FILENAME }
{
    s = $0
    while (match(s, /(id|href|src)="[^"]*"/)) {
        if (RSTART == 1 || substr(s, RSTART - 1, 1) ~ /[ \t]/)
            note(substr(s, RSTART, RLENGTH))
        s = substr(s, RSTART + RLENGTH)
    }
}

# note an anchor or a link
function note(a,    kind) {
    kind = substr(a, 1, index(a, "=") - 1)
    a = substr(a, length(kind) + 3)
    a = substr(a, 1, length(a) - 1)
    if (kind == "id") {
        if ((page, a) in known)
            complain(FILENAME, FNR, "the id \"" a "\" is here for the second " \
                "time (first in line " known[page, a] ")")
        known[page, a] = FNR
        ids++
    } else if (a !~ /^([a-z]+:|\/\/)/) {
        url[++links] = a
        from[links] = FILENAME; line[links] = FNR; on[links] = page
    }
}

# check what was noted
function check(i,    p, id, at) {
    p = url[i]; id = ""
    sub(/\?.*/, "", p)
    if ((at = index(p, "#"))) { id = substr(p, at + 1); p = substr(p, 1, at - 1) }
    if (p == "") p = on[i]
    if (!(p in pages) && !exists(site "/" p))
        complain(from[i], line[i], "no page " p " (link to " url[i] ")")
    else if (id != "" && (p in pages) && !((p, id) in known))
        complain(from[i], line[i], "no anchor #" id " on " p)
}
function exists(f,    s) {
    if (!(f in seen)) {
        seen[f] = (getline s < f) >= 0
        close(f)
    }
    return seen[f]
}
function check_published(    s, w, at) {
    while (anchors != "" && (getline s < anchors) > 0) {
        at++
        if (split(s, w, " ") < 2 || s ~ /^#/ || w[2] == "->") continue
        if (!((w[1] ".html", w[2]) in known))
            complain(anchors, at, "the published anchor #" w[2] " has gone from " \
                w[1] ".html: restore it, or write \"" w[1] " " w[2] " -> new\"")
    }
}
END {
    for (i = 1; i <= links; i++) check(i)
    check_published()
    print links + 0 " links, " ids + 0 " anchors, " (bad ? "some of them broken" \
        : "none broken")
    exit bad
}
