# closure.awk: for each WHAT, the files it is compiled from, a line each: WHAT and
# the file's number. Writes the text that counts to tmp/text/<number>.
BEGIN {
    while ((getline f < (tmp "/known")) > 0) { known[f]; files[++n_files] = f }
    for (i = 1; i < ARGC; i++) {
        if (ARGV[i] == "--") continue
        found = 0
        split("", seen)
        for (j = 1; j <= n_files; j++)
            if (files[j] == ARGV[i] ".cu" || files[j] == ARGV[i] ".c" ||
                index(files[j], ARGV[i] "/") == 1) { visit(ARGV[i], files[j]); found = 1 }
        if (!found) {
            print "hash.sh: tangled/ has no program or folder " ARGV[i] | "cat >&2"
            bad = 1
        }
    }
    exit bad
}
function visit(what, f,    part, k, i) {
    if (f in seen) return
    seen[f]
    if (!(f in number)) read_file(f)
    print what, number[f]
    k = split(includes[f], part, " ")
    for (i = 1; i <= k; i++) {
        if (part[i] in known) visit(what, part[i])
        if (sub(/\.h$/, ".c", part[i]) && (part[i] in known)) visit(what, part[i])
    }
}

# keep the text that counts
function read_file(f,    s, out, c, inside, h) {
    number[f] = ++n_read
    out = tmp "/text/" n_read
    c = f ~ /\.(c|h|cu|cuh)$/ || f ~ /^loom\/(cuda|cooperative_groups)\//
    printf "" > out
    while ((getline s < ("tangled/" f)) > 0) {
        if (c && s ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            split(s, h, "\"")
            includes[f] = includes[f] " " h[2]
            continue
        }
        if (c && s ~ /^#(ifndef|define) [A-Z0-9_]+_(H|CUH)$/) continue
        if (!c) sub(/^[ \t]*(#|--) .*/, "", s)
        else if (inside || index(s, "/*") || index(s, "//")) {
            s = uncommented((inside ? "/*" : "") s)
            inside = still_open
        }
        gsub(/[ \t]+/, "", s)
        if (s != "") print s > out
    }
    close(out); close("tangled/" f)
}

# take the comments out of a line
function uncommented(s,    out) {
    out = ""; still_open = 0
    while (match(s, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//)) {
        out = out substr(s, 1, RSTART - 1)
        if (substr(s, RSTART, 2) == "//") return out
        if (substr(s, RSTART, 2) != "/*") {
            out = out substr(s, RSTART, RLENGTH)
            s = substr(s, RSTART + RLENGTH)
            continue
        }
        s = substr(s, RSTART + 2)
        if (!match(s, /\*\//)) { still_open = 1; return out }
        s = substr(s, RSTART + 2)
    }
    return out s
}
