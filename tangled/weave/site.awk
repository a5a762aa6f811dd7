# site.awk: the pages that are made from all the others.
function write_site() {
    site_title["index"] = "Warp and Weft"
    site_title["chunks"] = "Chunks"
    site_title["identifiers"] = "Identifiers"
    site_title["figures"] = "Figures"
    site_title["terms"] = "Terms"
    site_title["search"] = "Search"
    if (latex) { write_indexes(); write_order(); return }
    write_contents(); write_chunks(); write_identifiers()
    write_figures(); write_terms(); write_search_page()
    write_llms(); write_order(); write_references(); write_anchor_list()
    printf "%s", drawn > (out "/figures.mk")
}
function open_page(p) {
    page = p
    writing = 1
    file = out "/" p ".md"
    printf "" > file
    if (p != "index") put("# " site_title[p] " {#" p "}\n\n")
}
function close_page() { close(file); write_defaults(page, 0) }

# write the title page
function write_contents(    i, pt, item) {
    open_page("index")
    put("````````````{=html}\n<header class=\"title\">\n" emblem() \
        "<h1>Warp and Weft</h1>\n" \
        "<p class=\"subtitle\">GPU programming as a literate program</p>\n")
    put("<p class=\"about\">A book about programming NVIDIA GPUs in C and CUDA, " \
        "from the software stack to a network that learns to read digits. Every " \
        "line of code in it is tangled from this text, compiled and run.</p>\n" \
        "</header>\n<div class=\"toc\">\n<h2 id=\"contents\">Contents</h2>\n")
    for (i = 1; i <= chapters; i++) {
        if (part_of[i] != pt) {
            put((pt ? "</ol>\n" : "") "<h3>" part_heading(part_of[i]) "</h3>\n<ol>\n")
            pt = part_of[i]
        }
        item = "<span class=\"no\">" num[i] "</span> <span>" html(title[i]) "</span>"
        if (planned[i])
            put("<li class=\"planned\">" item " <small>planned</small></li>\n")
        else
            put("<li><a href=\"" base[i] ".html\">" item "</a>" \
                (begun[i] ? " <small>begun</small>" : "") "</li>\n")
    }
    put("</ol>\n</div>\n````````````\n")
    close_page()
}
function part_heading(p,    s, n) {
    s = part_title[p]
    n = s
    sub(/ .*/, "", n)
    if (n !~ /^[IVX]+$/) return html(s)
    sub(/^[^ ]+ /, "", s)
    return "<span class=\"no\">" n "</span> " html(s)
}
function emblem(    x, y, s, over) {
    s = "<svg class=\"emblem\" viewBox=\"0 0 324 84\" aria-hidden=\"true\"><path d=\""
    for (x = 0; x < 32; x++) s = s "M" 7 + 10 * x " 0V84"
    s = s "\"/><path class=\"weft\" d=\""
    for (y = 0; y < 6; y++) s = s "M0 " 17 + 10 * y "H324"
    for (x = 0; x < 32; x++)
        for (y = 0; y < 6; y++)
            if ((x + y) % 2 && !(y == 2 && x > 7 && x < 24))
                over = over "M" 7 + 10 * x " " 13.4 + 10 * y "v7.2"
    return s "\"/><path class=\"halo\" d=\"" over "\"/><path d=\"" over "\"/></svg>\n"
}

# write the list of chunks
function write_chunks(    k, last, s) {
    open_page("chunks")
    put("Every chunk of the book, by chapter. A name in bold is a " \
        "file.\n\n````````````{=html}\n")
    for (k = 1; k <= nk; k++) {
        if (k_ch[k] != last) {
            put((last ? "</ul>\n" : "") "<h2 id=\"" slug[k_ch[k]] "\">" \
                label_of(k_ch[k]) ", " html(title[k_ch[k]]) "</h2>\n" \
                "<ul class=\"chunks\">\n")
            last = k_ch[k]
        }
        if (k_part[k] > 1) continue
        s = "⟨" name_in(k_name[k]) "⟩"
        if (k_name[k] ~ /^[a-z0-9]+\/[^ ]+$/) s = "<b>" s "</b>"
        put("<li><a href=\"" href(k) "\"><span class=\"no\">" k_no[k] "</span> " \
            s "</a>" more_parts(k) "</li>\n")
    }
    put((last ? "</ul>\n" : "") "````````````\n")
    close_page()
}
function more_parts(k,    i, s) {
    for (i = 2; i <= k_parts[k_home[k], k_name[k]]; i++)
        s = s ", " to(part_chunk[k_home[k], k_name[k], i],
            k_no[part_chunk[k_home[k], k_name[k], i]])
    return s
}

# write the list of identifiers
function sorted(a, n,    i, s, f, cmd) {
    f = tmp "/sorted"
    cmd = "sort > " quote_sh(f)
    for (i = 1; i <= n; i++) print tolower(a[i]) "\t" a[i] | cmd
    close(cmd)
    for (i = 1; (getline s < f) > 0; i++) a[i] = substr(s, index(s, "\t") + 1)
    close(f)
}
function write_identifiers(    w, n, i, c, last) {
    open_page("identifiers")
    put("Every function, kernel, macro, type and variable that the book " \
        "defines. The chunk in bold defines it; the others use " \
        "it.\n\n````````````{=html}\n")
    for (w in defs) name[++n] = w
    sorted(name, n)
    for (i = 1; i <= n; i++) {
        c = toupper(substr(name[i], 1, 1))
        if (c != last) {
            put((last == "" ? "" : "</ul>\n") "<h2 id=\"letter-" c "\">" c \
                "</h2>\n<ul class=\"ids\">\n")
            last = c
        }
        put("<li id=\"id-" name[i] "\"><code>" name[i] "</code> " \
            defining(name[i]) "</li>\n")
    }
    put((n ? "</ul>\n" : "") "````````````\n")
    close_page()
}
function defining(w,    i, j, d, s, u) {
    for (i = 1; i <= defs[w]; i++) {
        d = def_chunk[w, i]
        s = s (i > 1 ? "; " : "") (latex ? "\\textbf{" to(d, k_no[d]) "}" \
            : "<b>" to(d, k_no[d]) "</b>")
        for (j = 1; j <= name_uses[w, d]; j++) {
            u = name_use[w, d, j]
            s = s ", " to(u, k_no[u])
        }
    }
    return s
}

# write the indexes of the PDF
function write_indexes(    k, last, w, n, i, f) {
    for (w in defs) name[++n] = w
    sorted(name, n)
    for (volume = 0; volume <= 1; volume++) {
        f = out "/chunks" (volume ? "-workshop" : "") ".index.tex"
        printf "" > f
        for (k = 1; k <= nk; k++) {
            if (!!workshop[k_ch[k]] != volume || k_part[k] > 1) continue
            if (k_ch[k] != last)
                print "\\chunkpart{" label_of(k_ch[k]) ", " tex(title[k_ch[k]]) "}" > f
            last = k_ch[k]
            print "\\chunkentry{" tex_id(k) "}{" k_no[k] "}{" name_in(k_name[k]) "}" > f
        }
        f = out "/identifiers" (volume ? "-workshop" : "") ".index.tex"
        printf "" > f
        for (i = 1; i <= n; i++)
            print "\\nameentry{" tex(name[i]) "}{" defining(name[i]) "}" > f
    }
}

# write the lists of figures and terms
function write_figures(    i, last, c) {
    open_page("figures")
    if (!nf) put("No chapter has a figure yet.\n")
    for (i = 1; i <= nf; i++) {
        c = figure_ch[i]
        if (c != last)
            put("\n## " label_of(c) ", " title[c] " {#" slug[c] " .unnumbered}\n\n")
        last = c
        put("- [Figure\302\240" figure_no[c, figure_id[i]] "](" base[c] ".html#" \
            figure_id[i] "). " from_afar(figure_caption[c, figure_id[i]], c) "\n")
    }
    close_page()
}
function from_afar(s, c) {          # a caption read on another page
    gsub(/\]\(#/, "](" base[c] ".html#", s)
    gsub(/\{\.term #[^}]*\}/, "", s)
    gsub(/\n/, " ", s)
    return s
}
function write_terms(    i, j, id, p) {
    open_page("terms")
    put("Every term of the [glossary](" glossary ".html), and the chapters that " \
        "use it.\n\n````````````{=html}\n<ul class=\"ids\">\n")
    for (i = 1; i <= entries; i++) {
        id = entry[i]
        put("<li><a href=\"" glossary ".html#" id "\">" html(entry_name[id]) "</a>")
        for (j = 1; j <= term_places[id]; j++) {
            p = term_place[id, j]
            put((j == 1 ? " <span>chapter " : ", ") "<a href=\"" p ".html#term-" \
                id "\">" num[chapter_of[p]] "</a>")
        }
        put((term_places[id] ? "</span>" : "") "</li>\n")
    }
    put("</ul>\n````````````\n")
    close_page()
}

# write the search page
function write_search_page() {
    open_page("search")
    put("````````````{=html}\n" \
        "<form class=\"find\" role=\"search\" action=\"search.html\">" \
        "<label for=\"q\">Words to look for</label> " \
        "<input id=\"q\" name=\"q\" type=\"search\" autocomplete=\"off\" /> " \
        "<button>Search</button></form>\n")
    put("<noscript><p>Searching needs a script. Without one, the " \
        "<a href=\"identifiers.html\">identifiers</a>, the " \
        "<a href=\"chunks.html\">chunks</a>, the <a href=\"terms.html\">terms</a> " \
        "and <a href=\"book.txt\">the book as one text</a> lead far.</p>" \
        "</noscript>\n" \
        "<div id=\"found\" aria-live=\"polite\"></div>\n````````````\n")
    close_page()
}

# write the list of pages
function write_llms(    c, f) {
    f = out "/llms.txt"
    print "# Warp and Weft\n\n> GPU programming as a literate program: a book " \
        "in C and CUDA whose code is tangled, compiled and run.\n\nThe whole " \
        "book as one text: [book.txt](book.txt)\n\n## Chapters\n" > f
    for (c = 1; c <= chapters; c++)
        if (!planned[c])
            print "- [" num[c] " " title[c] "](" base[c] ".html): source [" \
                base[c] ".md](source/" base[c] ".md.txt)" > f
    print "\n## Indexes\n\n- [Identifiers](identifiers.html)\n- " \
        "[Chunks](chunks.html)\n- [Terms](terms.html)\n- " \
        "[Figures](figures.html)" > f
    close(f)
}

# write the order of the pages
function write_order(    c, f, g, i, pt, w) {
    f = out "/pages"
    printf "" > f
    printf "" > (out "/body-workshop.tex")
    for (c = 1; c <= chapters; c++) {
        g = out (workshop[c] ? "/body-workshop.tex" : "/body.tex")
        if (part_of[c] != pt && !workshop[c]) {
            pt = part_of[c]
            w = part_title[pt]
            for (i = c; i <= chapters && part_of[i] == pt && planned[i]; i++)
                ;
            if (part_of[i] != pt) print "\\plannedpart{" tex(w) "}" > g
            else if (sub(/^[IVX]+ /, "", w))
                print "\\bookpart{" substr(part_title[pt], 1,
                    length(part_title[pt]) - length(w) - 1) "}{" tex(w) "}" > g
            else print "\\bookpart{}{" tex(w) "}" > g
        }
        if (planned[c]) {
            print "\\plannedchapter{" num[c] "}{" tex(title[c]) "}" > g
            continue
        }
        print base[c], num[c] > f
        print "\\bookchapter{" num[c] "}\\input{\\weave/" base[c] ".tex}" > g
    }
    close(f); close(out "/body.tex"); close(out "/body-workshop.tex")
}
function write_references(    f, c, key, n, i) {
    f = out "/references.md"
    for (c in cited) key[++n] = c
    sorted(key, n)
    printf "---\nnocite: |\n " > f
    for (i = 1; i <= n; i++) printf " @%s", key[i] > f
    print "\n---\n\n# Works cited {#references .unnumbered}\n\n::: {#refs}\n:::" > f
    close(f)
}
function write_anchor_list(    i, f, w) {
    f = out "/anchors"
    printf "" > f
    for (i = 1; i <= n_anchors; i++) {
        split(anchor_list[i], w, " ")
        if (!begun[chapter_of[w[1]]]) print anchor_list[i] > f
    }
    close(f)
}
