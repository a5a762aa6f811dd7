# tests/keys.awk: what each verdict depends on, as DIR/TEST; and DIR/needs.mk, which
# says to make of which chapters the programs are needed first.
#
#   LC_ALL=C awk -v keys=DIR -f tests/keys.awk SUMS FACTS TEST...
#
# SUMS has a line "hash  path" for each file of the house, FACTS a line "name text"
# for each fact about this machine.  A key is those that belong to a test: the test,
# the code of the folder under tangled/ that it is named for and of every folder that
# it names in a path, or of a program alone that it names so, closed over includes;
# each file and folder that it names (in any word with a slash, and in a line
# "# depends: book Makefile"); the same of what it sources; if it replays transcripts,
# the chapter's pages, and what their commands name; what all stand on.
# A fact counts if its name stands in one of these texts; one called "all" always.
#
# The key of a planted bug, DIR/planted/TEST/NAME, has its record, the test and the files
# that it names, the file that is changed and the programs that are run (closed, too).

BEGIN {
    tests = ARGC
    ARGC = 3
    common = "^(Makefile|tests/(tap|transcripts)[.](sh|awk)|tangled/weave/(rules[.]awk|pages[.]sh))$"
    planting = "^tests/planted[.](sh|awk|mk)$"
    # Loom is compiled into every kernel's program; and its checker
    with_kernels = "^tangled/loom/((check|count|cuda_runtime)[a-z_]*[.][ch]|[a-z]*[.](awk|mk))$"
}
FILENAME == ARGV[1] { hash[$2] = $1; path[++paths] = $2; next }
{ fact[++facts] = $0 }

END {
    for (i = 1; i <= paths; i++) {
        n = split(path[i], part, "/")
        if (n > 2 && part[1] == "tangled") chapter[part[2]]
        name = ""
        for (j = 1; j < n; j++) {
            name = name part[j]
            within[name]
            name = name "/"
        }
    }
    for (u = 3; u < tests; u++) one(ARGV[u])
}

function one(test,    slug, i, page, name, out, without) {
    split("", seen)
    split("", word)
    needs = ""
    refused = 0                 # nvcc must refuse a file, which wrongs asks it
    slug = test
    sub(/-.*/, "", slug)
    read_words("tests/" test ".t", 0)
    every(common)
    if (slug in chapter) folder(slug)
    if ("transcripts" in word)
        for (i = split(like("^book/[0-9A-Z]+[a-z]?-" slug "[-.]"), page, " "); i; i--)
            read_words(page[i], 1)
    if (refused && "wrongs" in word) word["nvcc"]
    out = without = ""
    for (i = 1; i <= facts; i++) {
        name = fact[i]
        sub(/ .*/, "", name)
        if (name != "all" && !(name in word)) continue
        out = out fact[i] "\n"
        if (name != "nvcc") without = without fact[i] "\n"
    }
    print_key(test, out seen_files())
    print "needs_" test " :=" needs > (keys "/needs.mk")
    bugs(test, out, without, "tests/planted/" test ".txt")
}
# sum: of a text, for one that changed to differ; many bugs have the same text
function sum(text,    s, i, n, h) {
    if (text in sum_of) return sum_of[text]
    if (!("a" in order)) for (i = 1; i < 128; i++) order[sprintf("%c", i)] = i
    s = text
    gsub(/[\200-\277]/, "", s)      # a character of several bytes counts as one
    n = length(s)
    for (i = 1; i <= n; i++) h = (h * 31 + order[substr(s, i, 1)]) % 1099511627689
    return sum_of[text] = sprintf("%.0f", h)
}
function print_key(name, text) {
    printf "%s", text > (keys "/" name)
    close(keys "/" name)
}
function seen_files(    i, text) {
    for (i = 1; i <= paths; i++)
        if (path[i] in seen) text = text hash[path[i]] "  " path[i] "\n"
    return text
}
# like: the paths that match a pattern; few patterns are asked for, and often
function like(pattern,    i) {
    if (!(pattern in matching)) {
        matching[pattern] = ""
        for (i = 1; i <= paths; i++)
            if (path[i] ~ pattern) matching[pattern] = matching[pattern] " " path[i]
    }
    return matching[pattern]
}
function every(pattern,    i, p) {
    for (i = split(like(pattern), p, " "); i; i--) seen[p[i]]
}

# spoken: the lines of a test that name one of the programs, or a word of the assertion
function spoken(f, only, by,    s, n, i, k, w, word, out) {
    if (!(f in lines)) {
        for (i = 1; (getline s < f) > 0;) {
            said[f, i] = said[f, i] s "\n"
            if (s !~ /\\$/) i++
        }
        lines[f] = i
        close(f)
    }
    gsub(/[^ \/]*\//, "", only)
    n = split(only, w, " ")
    k = split(by, word, /[^A-Za-z0-9_]+/)
    for (; k; k--) if (length(word[k]) > 3) w[++n] = word[k]
    for (i = 1; i <= lines[f]; i++) {
        for (k = 1; k <= n && !index(said[f, i], w[k]);) k++
        if (k <= n) out = out said[f, i]
    }
    return out == "" ? hash[f] : out
}

# The bugs that are planted for a test. All are caught on Loom, so that nvcc is there or
# not tells nothing of them, unless a record needs it.
function bugs(test, facts, without, f,    s, record, name, file, only, needs, by, direct, files, n, i, w, p) {
    if ((getline s < (keys "/planted/" test ".list")) < 0) return    # none is tried
    for (p in seen) if (p !~ /^(tangled|book)\//) direct[p]
    while ((getline s < f) > 0) {
        record = record s "\n"
        if (s ~ /^name: /) { name = s; sub(/^name: */, "", name) }
        if (s ~ /^file: /) { file = s; sub(/^file: */, "", file) }
        if (s ~ /^only: /) { only = s; sub(/^only: */, "", only) }
        if (s ~ /^needs: /) needs = s
        if (s ~ /^by: /) by = s
        if (s != "---") continue
        print "planted/" test "/" name, sum(spoken("tests/" test ".t", only, by)), \
            substr(hash["tangled/" file], 1, 12), sum(record) "|" only > (keys "/bugs")
        if (!((file, only) in files)) {     # asked once of all bugs of a file
            split("", seen)
            for (p in direct) seen[p]
            every(common)
            every(planting)
            if (file ~ /\.(c|h|cu|cuh)$/) visit("tangled/" file)
            else { p = file; sub(/\/.*/, "", p); every("^tangled/" p "/") }
            n = split(only, w, " ")
            for (i = 1; i <= n; i++) {
                sub(/^inst\//, "", w[i])
                visit("tangled/" w[i])
                visit("tangled/" w[i] ".c")
                visit("tangled/" w[i] ".cu")
            }
            files[file, only] = seen_files()
        }
        print_key("planted/" test "/" name, (needs ~ /nvcc/ ? facts : without) record files[file, only])
        record = only = needs = by = ""
    }
    close(f)
    sub(/txt$/, "same", f)
    if (!(f in hash)) return
    split("", seen)
    every(planting)
    seen[f]
    while ((getline s < f) > 0)
        if (sub(/^file: */, "", s)) seen["tangled/" s]
    close(f)
    print_key("planted/" test "/" test ".same", seen_files())
}

# read the words of a test, or of the commands that a page shows
function read_words(f, page,    s, n, i, w, all, on) {
    seen[f]
    while ((getline s < f) > 0) {
        if (page) {
            if (s !~ /^( ? ? ?(```|~~~)|[$>] )/) continue
            if (s ~ /^ ? ? ?(```|~~~)/) on = !on && s ~ /console/
            if (!on) continue
        }
        all = s ~ /^# depends: /
        if (s ~ /^[.] tests\// && substr(s, 3) !~ common) read_words(substr(s, 3), 0)
        gsub(/(build|\$B)\/(loom|inst|gpu)\//, " x/", s)
        gsub(/[^A-Za-z0-9_.\/*+-]+/, " ", s)
        n = split(s, w, " ")
        for (i = 1; i <= n; i++) {
            if (w[i] in word && !all) continue
            word[w[i]]
            if (all || w[i] ~ /[^\/.*]\// || w[i] in hash) named(w[i], all)
        }
    }
    close(f)
}

# a word may name a file, a program, a folder, several by a pattern, or a chapter's
# programs; a whole tree, tangled or book, only in "# depends:"
function named(w, all,    i, n, p, part, program) {
    sub(/^\.\//, "", w)
    sub(/[\/.]+$/, "", w)
    sub(/^SRC\//, "tangled/", w)
    program = w
    sub(/^(x|tangled)\//, "", program)
    program = "tangled/" program
    n = split(w, part, "/")
    if (w in hash) {
        visit(w)
        if (w ~ /^tangled\/.*\.sh$/) folder(part[2])     # a script may read what lies beside it
        return
    }
    if ((program ".cu") in hash || (program ".c") in hash) {
        need(part[n > 2 && (part[1] == "x" || part[1] == "tangled") ? 2 : 1])
        visit(program ".cu")
        visit(program ".c")
        return
    }
    if (n == 1 && !all || part[1] == "") return
    if (w in within || w ~ /^[a-z]+\/.*\*/) {
        gsub(/[.+]/, "[&]", w)
        gsub(/\*/, "[^/]*", w)
        for (i = split(like("^" w "(/|$)"), p, " "); i; i--) visit(p[i])
    }
    # $P/race is a program of the folder that P is set to, not chapter race
    if (n > 1 && part[1] !~ /^[A-Z]$/ && !(part[1] in within && part[1] != "tangled"))
        for (i = 1; i <= n; i++)
            if (part[i] in chapter) folder(part[i])
}

# the programs of this chapter are made before the test runs
function need(slug) { if (!index(needs " ", " " slug " ")) needs = needs " " slug }

# the code of a chapter, closed over includes
function folder(slug,    i, p) {
    if (("/" slug) in seen) return
    seen["/" slug]
    need(slug)
    for (i = split(like("^tangled/" slug "/"), p, " "); i; i--) visit(p[i])
}
function visit(f,    n, i, part) {
    if (f in seen || !(f in hash)) return
    seen[f]
    if (f !~ /^tangled\/.*\.(c|h|cu|cuh)$/) return
    if (!(f in includes)) read_includes(f)
    n = split(includes[f], part, " ")
    for (i = 1; i <= n; i++) {
        if (part[i] == "nvcc") refused = 1
        else visit(part[i])
    }
}
function read_includes(f,    s, here, h) {
    includes[f] = f ~ /\.cu$/ ? like(with_kernels) : ""
    here = f
    sub(/[^\/]*$/, "", here)
    while ((getline s < f) > 0) {
        if (index(s, "wrong: nvcc:")) includes[f] = includes[f] " nvcc"
        if (!index(s, "include")) continue
        if (!match(s, /^[ \t]*#[ \t]*include[ \t]*["<][^">]+/)) continue
        h = substr(s, RSTART, RLENGTH)
        sub(/.*["<]/, "", h)
        add_include(f, here h)
        add_include(f, "tangled/" h)
        add_include(f, "tangled/loom/" h)
    }
    close(f)
}
# a header that is there, and what belongs to it
function add_include(f, h) {
    if (h in hash) includes[f] = includes[f] " " h
    if (sub(/\.h$/, ".c", h) && h in hash) includes[f] = includes[f] " " h
}
