# know.awk: what the book knows of itself. For weave.awk, which sets the
# variables toc, pages, bib, results, hashes, tap, gpu, own and repo.
function complain(file, at, what) {
    print file ":" at ": " what
    bad = 1
}

# read the list of chapters
function read_toc(    s, w, at) {
    while ((getline s < toc) > 0) {
        at++
        if (s ~ /^#/ || s ~ /^[ \t]*$/)
            continue
        split(s, w, " ")
        if (w[1] == "part") {
            part_title[++parts] = substr(s, 6)
            continue
        }
        if (w[3] !~ /^(written|begun|planned)$/)
            complain(toc, at, "a chapter is written, begun or planned, not \"" \
                w[3] "\"")
        slug[++chapters] = w[2]
        num[chapters] = w[1]
        part_of[chapters] = parts
        planned[chapters] = w[3] == "planned"
        begun[chapters] = w[3] == "begun"
        sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", s)
        title[chapters] = s
        base[chapters] = (w[1] ~ /^[0-9]/ ? sprintf("%02d", w[1]) : "") \
            (w[1] ~ /^[0-9]+$/ ? "" : substr(w[1], length(w[1]))) "-" w[2]
        chapter_of[base[chapters]] = chapters
        home[chapters] = w[2] ~ /-/ ? home[chapters - 1] : chapters
    }
    close(toc)
}
function label_of(c) {
    return (workshop[c] ? "Workshop " : num[c] ~ /^[0-9]/ ? "Chapter " \
        : "Appendix ") num[c]
}
function read_workshops(    n, i, b, f, k) {
    n = split(pages, f, " ")
    for (i = 1; i <= n; i++) {
        b = f[i]
        sub(/.*\//, "", b); sub(/\.md$/, "", b)
        if (b !~ /^[0-9A-Z]+w-[a-z0-9]+-workshop/)
            continue
        if (!workshops++)
            part_title[++parts] = "The workshop"
        path[++chapters] = f[i]
        base[chapters] = b; chapter_of[b] = chapters
        slug[chapters] = substr(b, index(b, "-") + 1)
        part_of[chapters] = parts
        sub(/-workshop.*/, "", b); sub(/w-/, "-", b)
        home[chapters] = workshop[chapters] = chapter_of[b]
        k = ++pages_of[b]
        num[chapters] = num[home[chapters]] "w" (k > 1 ? k : "")
        if (!(b in chapter_of))
            complain(f[i], 1, "a workshop page of " b ", which is not in " toc)
        else begun[chapters] = begun[home[chapters]]
    }
}

# read the works cited
function read_bib(    s) {
    while ((getline s < bib) > 0)
        if (match(s, /^@[A-Za-z]+[{][^,]+,/)) {
            s = substr(s, 1, RLENGTH - 1)
            sub(/^@[A-Za-z]+[{][ ]*/, "", s)
            work[s] = 1
        }
    close(bib)
}

# read the hashes of what was tangled and run
function read_hashes(    s, w) {
    while ((getline s < hashes) > 0) {
        split(s, w, " ")
        hash[w[2]] = w[1]
    }
    close(hashes)
    while ((getline s < tap) > 0) {
        split(s, w, " ")
        if (s ~ /^# date:/) run_date = w[3]
        if (s ~ /^# tangled: /) run_hash[w[4]] = w[3]
    }
    close(tap)
}
function badge(s, loom,    b) {
    if (loom && (getline b < (tests "/" s ".t")) >= 0) {
        close(tests "/" s ".t")
        b = "Loom"
    } else
        b = ""
    if (s in run_hash)
        b = b (b == "" ? "" : ", ") toupper(gpu) " " run_date \
            (run_hash[s] == hash[s] ? "" : " †")
    return b
}

# read a file of results
function load_results(g, s,    f, line, p, k) {
    if ((g, s) in loaded)
        return
    f = results "/" g "/" s ".csv"
    loaded[g, s] = 0
    while ((getline line < f) > 0) {
        loaded[g, s] = 1
        if (line ~ /^#/ && match(line, /^# *[a-z]+: */)) {
            k = substr(line, 1, RLENGTH)
            gsub(/[#: ]/, "", k)
            about[g, s, k] = substr(line, RLENGTH + 1)
        }
        if (line ~ /^#/ || line ~ /^chapter,/)
            continue
        split(line, p, ",")
        k = ++result_rows[g, s]
        r_variant[g, s, k] = p[2]; r_size[g, s, k] = p[3]; r_metric[g, s, k] = p[4]
        k = s "/" p[2] "@" p[3] ":" p[4]
        value[g, k] = p[5]
        unit[g, k] = metric_unit[g, s, p[4]] = p[6]
    }
    close(f)
}
function stale(g, s,    w) {        # "# tangled: <hash> <program>"
    split(about[g, s, "tangled"], w, " ")
    return w[1] != "" && w[1] != hash[w[2]]
}

# print a number
function lookup(key, g, digits, bare,    s, u) {
    s = key
    sub(/\/.*/, "", s)
    load_results(g, s)
    if (!loaded[g, s])
        return "—"
    if (!((g, key) in value)) {
        complain(at_file, at_line, "no result \"" key "\" in " \
            results "/" g "/" s ".csv: fix the key, or measure it with `make " \
            "bench CHAPTER=" s "`")
        return "—"
    }
    u = unit[g, key]
    sub(/^us$/, "µs", u)
    sub(/^x$/, "×", u)
    if (bare || u == "1" || u == "count")
        u = ""
    if (u != "" && u != "×" && u != "%")
        u = "\302\240" u
    return show(value[g, key], digits) u (stale(g, s) ? "†" : "")
}
function show(v, digits,    a, places, scale) {
    if (v !~ /^-?[0-9.]+([eE][-+]?[0-9]+)?$/) return v
    if (v ~ /^-?[0-9]+$/ && digits == "") return grouped(v)
    if (digits == "") digits = 3
    a = v < 0 ? -v : v
    if (a == 0) return "0"
    places = digits - 1 - floor(log(a) / log(10) + 1e-12)
    if (places >= 0) return sprintf("%.*f", places, v)
    scale = 10 ^ -places
    return grouped(sprintf("%.0f", floor(v / scale + 0.5) * scale))
}
function floor(x,    i) { i = int(x); return i > x ? i - 1 : i }
function grouped(v,    out) {
    if (length(v) < 5)
        return v
    while (length(v) > 3) {
        out = "\342\200\257" substr(v, length(v) - 2) out
        v = substr(v, 1, length(v) - 3)
    }
    return v out
}

# read attributes
function attr(s, key,    i, j, v) {
    i = index(s, " " key "=")
    j = index(s, "{" key "=")
    if (j && (!i || j < i)) i = j
    if (!i)
        return ""
    v = substr(s, i + length(key) + 2)
    if (substr(v, 1, 1) == "\"") {
        v = substr(v, 2)
        sub(/".*/, "", v)
    } else
        sub(/[ }].*/, "", v)
    return v
}
function has_class(s, class) {
    return index(s, "{." class " ") || index(s, "{." class "}") ||
        index(s, " ." class " ") || index(s, " ." class "}")
}
function id_in(s) {
    return match(s, /[{ ]#[A-Za-z][^ }]*/) ? substr(s, RSTART + 2, RLENGTH - 2) : ""
}
function slugify(s) {
    s = tolower(s)
    gsub(/[^a-z0-9]+/, "-", s)
    gsub(/^-+|-+$/, "", s)
    return s
}
