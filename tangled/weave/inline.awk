# inline.awk: settle what a paragraph refers to: terms, numbers, links, figures.
# inline(s) returns Markdown in which nothing is left to look up. Globals: page
# (where it will stand), here (its chapter), at_file and at_line (for errors).
BEGIN {
    interesting = "`+|\\\\.|\001[^\002]*\002|\\][{]([^}\"]|\"[^\"]*\")*[}]" \
        "|\\]\\([^)]*\\)|\\[\\^[^]]+\\]|@[A-Za-z][A-Za-z0-9_:.-]*|\n"
}

# walk through a paragraph
function inline(s,    out, tok, c) {
    out = ""
    while (match(s, interesting)) {
        out = out substr(s, 1, RSTART - 1)
        tok = substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART + RLENGTH)
        c = substr(tok, 1, 1)
        if (c == "\n") { at_line++; out = out tok }
        else if (c == "`") {
            c = code_length(tok, s)
            out = out tok substr(s, 1, c)
            s = substr(s, c + 1)
        } else if (c == "\001") {
            tok = whole_quote(tok, s)
            s = substr(s, taken + 1)
            out = out quoted(tok)
        } else if (c == "@") {
            tok = whole_key(tok)
            s = given_back s
            out = out citation(tok, out)
        } else if (tok ~ /^\][{]/) {
            out = marked(out, tok)
            at_line += gsub(/\n/, "", tok)
        }
        else if (tok ~ /^\]\(/) out = linked(out, tok)
        else if (c == "[") out = out "[^" slug[here] "-" substr(tok, 3)      # a note
        else out = out tok
    }
    return out s
}

# find the end of code
function code_length(ticks, s,    n, len, t) {
    t = s
    while (match(t, /`+/)) {
        len += RSTART + RLENGTH - 1
        if (RLENGTH == length(ticks)) {
            t = substr(s, 1, len)
            at_line += gsub(/\n/, "", t)
            return len
        }
        t = substr(t, RSTART + RLENGTH)
    }
    return 0
}
function whole_quote(tok, s,    o, c) {
    tok = substr(tok, 2, length(tok) - 2)
    taken = 0
    o = gsub(/\[/, "[", tok) - gsub(/\]/, "]", tok)
    while (o-- > 0 && substr(s, taken + 1, 1) == "]") {
        taken++
        tok = tok "]"
    }
    return tok
}
function whole_key(tok) {           # a full stop after a key is not part of it
    given_back = ""
    if (match(tok, /[:.-]+$/)) {
        given_back = substr(tok, RSTART)
        tok = substr(tok, 1, RSTART - 1)
    }
    return tok
}

# find the bracket that is open
function opener(s,    i, depth, c) {
    depth = 1
    for (i = length(s); i > 0; i--) {
        c = substr(s, i, 1)
        if (c == "]") depth++
        else if (c == "[" && --depth == 0) return i
    }
    return 0
}

# settle a name in the prose
function quoted(s,    n, i, w, d, one, many, t) {
    t = s
    gsub(/^[^A-Za-z_]+/, "", t)
    n = split(t, w, /[^A-Za-z_0-9]+/)
    for (i = 1; i <= n; i++)
        if (w[i] != "" && (d = meant(w[i], home[here], 0)) && d != one) {
            if (i == 1) { one = d; many = 0; break }
            many = one ? 1 : 0
            one = d
        }
    t = index(s, "`") ? "`` " s " ``" : "`" s "`"
    return one && !many ? "[" t "](" href(one) "){.id}" : t
}
function href(k,    p) {
    p = page_of(k_ch[k], k_sol[k])
    return (p == page ? "" : p ".html") "#" k_id[k]
}

# settle a citation or a figure
function citation(tok, before,    key, no, kind) {
    key = substr(tok, 2)
    if (before ~ /[A-Za-z0-9]$/)
        return tok                              # somebody@somewhere
    if (key !~ /^(fig|tbl):/) {
        if (!(key in work))
            complain(at_file, at_line, "no work \"" key "\" in " bib ": add it " \
                "there, or write `@" key "` in backticks if it is no citation")
        cited[key] = cites[page] = 1
        return tok
    }
    kind = key ~ /^fig/ ? "Figure" : "Table"
    no = kind == "Figure" ? figure_no[here, key] : table_no[here, key]
    if (no == "") {
        complain(at_file, at_line, "no " tolower(kind) " with the anchor {#" key \
            "} in this chapter")
        return tok
    }
    return "[" kind "\302\240" no "](" (page == base[here] ? "" \
        : base[here] ".html") "#" key ")"
}

# settle a term or a number
function marked(out, tok,    i, t) {
    t = substr(tok, 2)
    gsub(/[ \n]+/, " ", t)
    if (!has_class(t, "term") && !has_class(t, "n") && !has_class(t, "holds"))
        return out tok
    tok = t
    i = opener(out)
    t = substr(out, i + 1)
    out = substr(out, 1, i - 1)
    if (!i)
        complain(at_file, at_line, "nothing opens the bracket before " tok)
    return out (has_class(tok, "term") ? a_term(t, tok) : has_class(tok, "n") \
        ? a_number(t, tok) : a_claim(t, tok))
}
function a_term(t, tok,    name, id) {
    name = attr(tok, "of")
    if (name == "") name = t
    gsub(/[*`]/, "", name); gsub(/[ \n]+/, " ", name)
    id = find_term(tolower(name))
    if (id == "") {
        if (entries)
            complain(at_file, at_line, "no entry \"" name "\" in the glossary: " \
                "write it, or name the entry with {.term of=\"...\"}")
        return t
    }
    if (page == glossary) return "[" t "](#" id "){.term}"
    if ((page, id) in term_seen) return t
    term_seen[page, id] = 1
    term_place[id, ++term_places[id]] = page
    return "[" t "](" glossary ".html#" id "){.term #term-" id "}"
}
function a_claim(t, tok,    s, w) {
    s = attr(tok, "if")
    w = t
    gsub(/\][{][^}]*[}]|[*`\[]/, "", w); gsub(/\n|\302\240/, " ", w)
    w = "\"" w "\""
    weigh(s, attr(tok, "gpu") == "" ? gpu : attr(tok, "gpu"))
    if (claims)
        printf "%s  %s:%d: %s: %s\n", fault != "" ? "  none  " : sprintf("%6.1f %%",
            slack), at_file, at_line, w, fault != "" ? fault : sides
    if (claims || (fault == "" && holds)) return t
    if (gpu == own) {
        complain(at_file, at_line, fault == "" ? "the claim " w " is false: " s \
            " is " sides " in the results: fix the words or the claim" \
            : "the claim \"" s "\" of " w " " fault)
        return t
    }
    unheld[page] = 1
    return "[" t "^‡^]{.unheld title=\"" (fault == "" ? "not so on " gpu ": " sides \
        : "not known of " gpu) "\"}"
}
function find_term(s,    t) {
    if (s in term) return term[s]
    t = s
    if (sub(/ies$/, "y", t) && (t in term)) return term[t]
    t = s
    if (sub(/es$/, "", t) && (t in term)) return term[t]
    t = s
    if (sub(/s$/, "", t) && (t in term)) return term[t]
    return ""
}
function a_number(key, tok,    g, s) {
    g = attr(tok, "gpu")
    if (g == "") g = gpu
    gsub(/[ \n]/, "", key)
    s = key
    if (key !~ /^[a-z0-9-]+\/[^@]+@[^:]*:[^:]+$/)
        complain(at_file, at_line, "\"" key "\" is no key of a result: write " \
            "slug/variant@size:metric")
    return "[" lookup(key, g, attr(tok, "digits"), attr(tok, "unit") == "no") \
        "]{.number title=\"" key ", " g "\"}"
}

# settle a link
function linked(out, tok,    url, frag, b, i) {
    url = substr(tok, 3, length(tok) - 3)
    if (url ~ /^#/) {
        if (!((base[here], substr(url, 2)) in anchors))
            complain(at_file, at_line, "no anchor " url " in this chapter")
        return out "](" (page == base[here] ? "" : base[here] ".html") url ")"
    }
    if (url ~ /^\.\.\//) return to_house(out, substr(url, 4))
    if (url !~ /^[^:\/]+\.md(#|$)/) return out tok
    frag = url
    if (!sub(/^[^#]*#/, "", frag)) frag = ""
    b = url
    sub(/\.md.*/, "", b)
    if (!(b in chapter_of)) {
        complain(at_file, at_line, "no chapter " b ".md in " toc)
        return out tok
    }
    if (planned[chapter_of[b]]) {
        i = opener(out)
        return substr(out, 1, i - 1) "[" substr(out, i + 1) "]{.planned " \
            "title=\"planned\"}"
    }
    if (frag != "" && !((b, frag) in anchors))
        complain(at_file, at_line, "no anchor #" frag " in " b ".md")
    return out "](" b ".html" (frag == "" ? "" : "#" frag) ")"
}
function to_house(out, file,    i) {
    if (system("test -e " quote_sh(file)))
        complain(at_file, at_line, "no file " file " in the house")
    if (repo != "") return out "](" repo "/blob/main/" file ")"
    i = opener(out)
    return substr(out, 1, i - 1) "[" substr(out, i + 1) "]{.path title=\"" file "\"}"
}
function quote_sh(s) { gsub(/'/, "'\\''", s); return "'" s "'" }
