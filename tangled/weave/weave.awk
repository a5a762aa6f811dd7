# weave.awk: the back end. noweb's stream of all chapters -> one Markdown file
# a page under the folder out, and the lists of chunks, names, figures, terms.
# With latex=1 its code is LaTeX, else HTML; with check set it writes nothing
# and says what is wrong.
# Usage: front.awk | defs.awk | awk -v ... -f know.awk -f color.awk
#        -f claim.awk -f inline.awk -f weave.awk -f site.awk
BEGIN {
    claims = check == "--claims"
    read_toc(); read_workshops(); read_bib(); read_anchors()
    prepare_colors()
}

# follow the stream
/^@file /     { finish_page(); start_page(substr($0, 7)); next }
/^@text /     { cur = cur substr($0, 7); next }
/^@quote/     { cur = cur "\001"; next }
/^@endquote/  { cur = cur "\002"; next }
/^@use /      { cur = cur "\003" substr($0, 6); next }
/^@index nl/ { line++; cur = ""; next }         # the line of @ %def
/^@nl/ {
    line++
    if (!code) take_prose(cur)
    else if (!head) take_code(cur)
    head = 0
    cur = ""
    next
}
/^@begin code/ { code = 1; head = 1; next }
/^@defn /      { start_chunk(substr($0, 7)); next }
/^@end code/   { code = 0; next }
/^@index defn / {
    w = substr($0, 13)
    if (!((w, nk) in defined)) {
        defined[w, nk] = 1
        def_chunk[w, ++defs[w]] = nk
        special[w]
        k_defs[nk] = k_defs[nk] " " w
    }
}
function start_page(file,    b) {
    b = file
    sub(/.*\//, "", b); sub(/\.md$/, "", b)
    if (!(b in chapter_of)) {
        complain(file, 1, "this chapter is not in " toc ": add a line for it")
        b = base[1]
    }
    ch = chapter_of[b]
    path[ch] = file
    planned[ch] = 0
    line = chunks_here = figs = tbls = exs = depth = level2 = 0
    exercise = sol = 0
    para = fence = ""
    first_block[ch] = nb + 1
    last_heading = slug[ch]
}
function finish_page() {
    if (!ch) return
    flush()
    last_block[ch] = nb
    if (depth)
        complain(path[ch], line, "a box (:::) is still open at the end of the " \
            "chapter: close it with :::")
    ch = 0
}

# take a line of prose
function take_prose(s) {
    if (fence != "") { take_fence(s); return }
    if (s ~ /^```/) {
        flush()
        match(s, /^`+/)
        fence = substr(s, 1, RLENGTH)
        info = substr(s, RLENGTH + 1)
        sub(/^[ \t]+/, "", info)
        text = ""; fence_line = line; has_chunk = 0
    } else if (s ~ /^[ \t]*$/) { flush(); block("blank", "", line) }
    else if (para == "" && s ~ /^#+ /) take_heading(s)
    else if (s ~ /^:::/) { flush(); take_div(s) }
    else {
        if (para == "") para_line = line
        para = para (para == "" ? "" : "\n") s
    }
}
function take_fence(s,    bare) {
    bare = s
    sub(/[ \t]+$/, "", bare)
    if (bare ~ /^`+$/ && length(bare) >= length(fence)) {
        if (!has_chunk) { block("fence", text, fence_line); b_info[nb] = info }
        fence = ""
    } else if (!has_chunk) {
        gsub(/\001/, "[[", s); gsub(/\002/, "]]", s)
        text = text s "\n"
    }
}
function take_heading(s,    id, lev) {
    match(s, /^#+/)
    lev = RLENGTH
    id = id_in(s)
    gsub(/\001/, "`", s); gsub(/\002/, "`", s)
    if (id == "") {
        id = slugify(s)
        s = s " {#" id "}"
    }
    anchor(id)
    block("heading", s, line)
    b_level[nb] = lev; b_id[nb] = id
    sub(/^#+ */, "", s); sub(/ *[{][^}]*[}] *$/, "", s)
    b_title[nb] = s
    if (lev == 2) b_no[nb] = num[ch] "." ++level2
    if (lev == 1 && workshop[ch]) {
        title[ch] = s
        if (!sub(/^Workshop: /, "", title[ch]))
            complain(path[ch], line, "a workshop's title begins with Workshop:")
        b_text[nb] = "# " title[ch] " {#" id "}"
    } else if (lev == 1 && s != title[ch])
        complain(path[ch], line, "the title is \"" s "\" here and \"" title[ch] \
            "\" in " toc)
    last_heading = id
    if (slug[ch] == "glossary" && has_class(b_text[nb], "entry"))
        take_entry(s, id, attr(b_text[nb], "aka"))
}

# take an entry of the glossary
function take_entry(name, id, aka,    n, i, w) {
    gsub(/`/, "", name)
    entry[++entries] = id; entry_name[id] = name; entry_block[id] = nb
    term[tolower(name)] = id
    n = split(aka, w, / *, */)
    for (i = 1; i <= n; i++) term[tolower(w[i])] = id
}
function take_div(s,    id) {
    if (s ~ /^:::+[ \t]*$/) {
        if (!depth) { complain(path[ch], line, "this ::: closes no box"); return }
        block("close", s, line)
        b_box[nb] = box[depth]
        if (box[depth--] == "solution") sol = 0
        return
    }
    sub(/^:::+ */, "", s)
    if (s !~ /^[{]/) s = "{." s "}"
    id = id_in(s)
    box[++depth] = class_of(s)
    if (box[depth] !~ /^(before|said|exercise|hint|solution|results)$/)
        complain(path[ch], line, "there is no box \"" box[depth] "\": before, " \
            "said, exercise, hint, solution, results")
    box_line[depth] = line
    if (box[depth] == "exercise") take_exercise(s, id)
    else if (box[depth] == "solution") take_solution(s, attr(s, "for"))
    else if (box[depth] == "said" && attr(s, "source") != "many" && !(attr(s, "source") in work))
        complain(path[ch], line, "no work \"" attr(s, "source") "\" in " bib \
            ": name the source of the statement")
    block("open", s, line)
    b_box[nb] = box[depth]; b_id[nb] = id
    if (id != "") anchor(id)
    if (id ~ /^tbl:/) number_table(id)
}
function class_of(s) {
    return match(s, /\.[a-z]+/) ? substr(s, RSTART + 1, RLENGTH - 1) : ""
}
function take_exercise(s, id) {
    if (id == "")
        complain(path[ch], line, "an exercise needs an anchor: write ::: " \
            "{.exercise #ex-name}")
    exercise = ++ne
    e_ch[ne] = ch; e_id[ne] = id; e_no[ne] = num[ch] "." ++exs
    ex_of[ch, id] = ne
}
function take_solution(s, id) {
    if (!((ch, id) in ex_of)) {
        complain(path[ch], line, "a solution for \"" id "\", which is no " \
            "exercise of this chapter")
        return
    }
    sol = ex_of[ch, id]
    e_solved[sol] = nb + 1
    sol_anchor[sol] = "sol-" slug[ch] "-" id
}

# keep a block
function block(kind, s, at) {
    b_kind[++nb] = kind; b_text[nb] = s; b_line[nb] = at
    b_ch[nb] = ch; b_sol[nb] = sol
}
function flush(    s, id) {
    if (para == "") return
    block(para ~ /^!\[/ ? "figure" : "para", para, para_line)
    s = uncode(para)
    if (exercise && e_title[exercise] == "" && match(s, /^\*\*[^*]+\*\*/)) {
        e_title[exercise] = substr(s, 3, RLENGTH - 4)
        sub(/\.$/, "", e_title[exercise])
    }
    while (match(s, /[{]#[A-Za-z][^ }]*/)) {
        id = substr(s, RSTART + 2, RLENGTH - 2)
        s = substr(s, RSTART + RLENGTH)
        anchor(id)
        if (id ~ /^fig:/) number_figure(id)
        if (id ~ /^tbl:/) number_table(id)
    }
    para = ""
}
function number_figure(id) {
    figure_no[ch, id] = num[ch] "." ++figs
    figure_id[++nf] = id; figure_ch[nf] = ch; figure_block[nf] = nb
}
function number_table(id) { table_no[ch, id] = num[ch] "." ++tbls }
function uncode(s) {
    gsub(/``+[^`]+``+|`[^`]*`|\001[^\002]*\002/, "", s)
    return s
}
function page_of(c, s) { return s && solutions_page ? solutions_page : base[c] }
function anchor(id,    p) {
    p = base[ch]
    if ((p, id) in anchors)
        complain(path[ch], line, "the anchor #" id " is here for the second " \
            "time (first in line " anchors[p, id] "): give it another name")
    anchors[p, id] = line
    if (id !~ /^chunk-/ && (!sol || id ~ /^(fig|tbl):/))
        anchor_list[++n_anchors] = p " " id
}

# take a line of code
function start_chunk(name) {
    flush()
    has_chunk = 1
    k_name[++nk] = name; k_ch[nk] = ch; k_home[nk] = home[ch]; k_line[nk] = line + 1; k_sol[nk] = sol
    k_lang[nk] = info; sub(/ .*/, "", k_lang[nk])
    home_chunk[home[ch], ++home_chunks[home[ch]]] = nk
    k_no[nk] = num[ch] "." ++chunks_here
    k_section[nk] = last_heading
    k_part[nk] = ++k_parts[home[ch], name]
    part_chunk[home[ch], name, k_part[nk]] = nk
    k_id[nk] = (sol ? slug[ch] "-" : "") "chunk-" slugify(name) (k_part[nk] > 1 \
        ? "-" k_part[nk] : "")
    anchor(k_id[nk])
    block("chunk", nk, line)
}
function take_code(s,    i, h) {
    k_code[nk, ++k_lines[nk]] = s
    if ((i = index(s, "\003"))) {
        h = substr(s, i + 1)
        k_uses[nk, ++k_use[nk]] = h
        k_use_line[nk, k_use[nk]] = line
    } else if (index(s, "include") && s ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
        split(s, part, "\"")
        k_includes[nk] = k_includes[nk] " " part[2]
    } else if (s ~ /^#include <(cuda|cupti)\.h>/)
        k_driver[nk] = 1
    else if (s ~ /^int main\(/)
        k_main[nk] = 1
}
END {
    finish_page()
    for (c = 1; c <= chapters; c++) if (!(c in path)) planned[c] = 1
    if (bad && !draft) exit 1
    link_chunks()
    read_hashes(); read_stage()
    write_pages()
    if (!check && (!bad || draft)) write_site()
    exit draft ? 0 : bad
}

# link the chunks
function link_chunks(    i, j, k, name) {
    solutions_page = chapter_of_slug("solutions")
    solutions_page = solutions_page && !planned[solutions_page] \
        ? base[solutions_page] : ""
    for (k = 1; k <= nk; k++)
        for (i = 1; i <= k_use[k]; i++) {
            name = k_uses[k, i]
            if (!((k_home[k], name) in k_parts)) {
                complain(path[k_ch[k]], k_use_line[k, i],
                    "the chunk \"" name "\" is not defined: write it, or fix " \
                    "the name")
                continue
            }
            j = ++used[k_home[k], name]
            if (j == 1 || used_by[k_home[k], name, j - 1] != k)
                used_by[k_home[k], name, j] = k
            else used[k_home[k], name]--
        }
    for (k = 1; k <= nk; k++)
        if (k_name[k] ~ /^[a-z0-9]+\/[^ ]+$/) {
            spread(k_home[k], k_name[k], k_name[k], 0)
            if (k_part[k] == 1) file_chunk[k_name[k]] = k
        }
    for (k = 1; k <= nk; k++) note_roots(k)
    for (k = 1; k <= nk; k++) note_includes(k)
    for (i = 1; i <= chapters; i++) close_includes(i)
    for (k = 1; k <= nk; k++) note_names(k)
}
function chapter_of_slug(s,    c) {
    for (c = 1; c <= chapters; c++) if (slug[c] == s) return c
    return 0
}
function spread(c, name, root, deep,    p, i, k) {
    if (index(roots[c, name], " " root " ") || deep > 50) return
    roots[c, name] = roots[c, name] " " root " "
    for (p = 1; p <= k_parts[c, name]; p++) {
        k = part_chunk[c, name, p]
        for (i = 1; i <= k_use[k]; i++)
            spread(c, k_uses[k, i], root, deep + 1)
    }
}
function note_roots(k,    n, i, r) {
    n = split(roots[k_home[k], k_name[k]], r, " ")
    for (i = 1; i <= n; i++) {
        if (k_main[k]) program[r[i]] = 1
        if (k_driver[k]) driver[r[i]] = 1
    }
}
function note_includes(k,    n, i, w, r, m, j) {
    n = split(k_includes[k], w, " ")
    m = n ? split(roots[k_home[k], k_name[k]], r, " ") : 0
    for (i = 1; i <= n; i++) {
        direct[k_home[k]] = direct[k_home[k]] " " w[i]
        for (j = 1; j <= m; j++) leads[r[j]] = leads[r[j]] " " w[i]
    }
}
function close_includes(c,    n, i, w) {
    n = split(direct[c], w, " ")
    for (i = 1; i <= n; i++) include(c, w[i])
}
function include(c, h,    n, i, w) {
    if ((c, h) in sees) return
    sees[c, h] = 1
    n = split(leads[h], w, " ")
    for (i = 1; i <= n; i++) include(c, w[i])
}
function meant(w, c, k) {          # asked of every word: the answers are kept
    if (!(w in defs)) return 0
    if (!((w, c, k) in sense)) sense[w, c, k] = find_sense(w, c, k)
    return sense[w, c, k]
}
function find_sense(w, c, k,    i, d, best) {
    for (i = 1; i <= defs[w]; i++) {
        d = def_chunk[w, i]
        if (k_home[d] != c) continue
        if (!k || d == k || share_file(d, k)) return d
        if (!best && !private(d, k)) best = d
    }
    for (i = 1; !best && i <= defs[w]; i++)
        if (visible(c, def_chunk[w, i]) && !private(def_chunk[w, i], k))
            best = def_chunk[w, i]
    return best
}
function share_file(d, k,    n, i, r) {
    n = split(roots[k_home[d], k_name[d]], r, " ")
    for (i = 1; i <= n; i++)
        if (index(roots[k_home[k], k_name[k]], " " r[i] " ")) return 1
    return 0
}
function private(d, k,    n, i, r) {
    if (k_sol[d] && k && !k_sol[k]) return 1
    n = split(roots[k_home[d], k_name[d]], r, " ")
    for (i = 1; i <= n; i++) if (!(r[i] in program)) return 0
    return n
}
function visible(c, d) {            # its answers are kept, too
    if (!((c, d) in shown)) shown[c, d] = in_header(c, d)
    return shown[c, d]
}
function in_header(c, d,    n, i, r) {
    n = split(roots[k_home[d], k_name[d]], r, " ")
    for (i = 1; i <= n; i++)
        if (r[i] ~ /\.(h|cuh)$/ && ((c, r[i]) in sees)) return 1
    return 0
}
function note_names(k,    i, j, n, s, w, d, seen) {
    for (i = 1; i <= k_lines[k]; i++) {
        s = k_code[k, i]
        if (index(s, "\003")) continue
        if (index(s, "\"")) gsub(/"([^"\\]|\\.)*"/, "", s)
        if (index(s, "/")) sub(/\/[\/*].*/, "", s)
        n = split(s, w, /[^A-Za-z_0-9]+/)
        for (j = 1; j <= n; j++) {
            if (!(w[j] in defs) || (w[j] in seen)) continue
            seen[w[j]] = 1
            d = meant(w[j], k_home[k], k)
            if (d && d != k) {
                name_uses[w[j], d]++
                name_use[w[j], d, name_uses[w[j], d]] = k
            }
        }
    }
}

# write the pages
function write_pages(    c) {
    c = chapter_of_slug("glossary")
    glossary = c ? base[c] : ""
    for (c = 1; c <= chapters; c++)
        if (!planned[c]) write_page(c)
}

# write a block
function write_page(c,    b) {
    page = base[c]
    file = out "/" page ".md"
    writing = !check
    volume = !!workshop[c]
    for (b = first_block[c]; b <= last_block[c]; b++) {
        if (!b_sol[b] || !solutions_page) emit(b)
        if (b == first_block[c]) {
            if (workshop[c]) put_owner(c)
            put_templates(c, 1)
        }
    }
    put_templates(c, 0)
    if (page == solutions_page) write_solutions()
    if (page in unheld)
        put("\n[‡ True of the book's own measurements (" own "). Of those woven here (" \
            gpu ") it is not, or it is not known.]{.measured}\n")
    if (writing) {
        close(file)
        write_defaults(page, c)
    }
}
function put(s) { if (writing) printf "%s", s > file }
function emit(b,    kind) {
    kind = b_kind[b]
    here = b_ch[b]; at_file = path[here]; at_line = b_line[b]
    if (kind == "blank") put("\n")
    else if (kind == "chunk") emit_chunk(b_text[b] + 0)
    else if (kind == "para") emit_para(b)
    else if (kind == "heading") emit_heading(b)
    else if (kind == "fence") emit_fence(b)
    else if (kind == "figure") emit_figure(b)
    else if (kind == "open") emit_open(b)
    else if (kind == "close") emit_close(b)
}

# write a paragraph, a heading or a figure
function emit_para(b,    s) {
    s = b_text[b]
    if (in_results != "") {
        results_caption = results_caption (results_caption == "" ? "" : " ") inline(s)
        return
    }
    if (inside_before) {
        gsub(/\n[A-Z][a-z]+: /, "\n&", s)
    }
    s = inline(s)
    if (uncode(b_text[b]) ~ /[{]#tbl:/ && match(s, /[{]#tbl:[^} ]*[}]/))
        s = with_number(s, substr(s, RSTART + 2, RLENGTH - 3))
    put(s "\n")
}
function with_number(s, id) {
    sub(/ *[{]#tbl:[^}]*[}]/, "", s)
    if (!match(s, /(^|\n)(Table)?: */))
        complain(at_file, at_line, "the anchor #" id " stands in no caption: a " \
            "caption begins with a colon")
    return substr(s, 1, RSTART - 1) "\n\n: [Table\302\240" table_no[here, id] \
        ".]{#" id " .no} " substr(s, RSTART + RLENGTH)
}
function emit_figure(b,    s, id, src, caption) {
    s = b_text[b]
    if (!match(s, /\]\([^)]*\)([{][^}]*[}])?[ \n]*$/) ||
        (id = id_in(substr(s, RSTART))) !~ /^fig:/) {
        complain(at_file, at_line, "a figure needs an anchor: end it with " \
            "{#fig:name}")
        return
    }
    match(s, /\]\([^)]*\)[{]/)
    src = substr(s, RSTART + 2)
    sub(/\).*/, "", src); sub(/^\.\.\//, "", src)
    caption = substr(s, 3, RSTART - 3)
    if (system("test -f " quote_sh(src)))
        complain(at_file, at_line, "no file " src ": draw it, or fix the path")
    drawn = drawn "$(HTML)/" page ".html: $(wildcard " src ")\n"
    caption = inline(caption)
    figure_caption[here, id] = caption
    put("\n::: {.figure #" id " src=\"" src "\" no=\"" figure_no[here, id] \
        "\"}\n" caption "\n:::\n")
}
function emit_heading(b,    s, n, i, w) {
    s = inline(b_text[b])
    n = split(renamed[page, b_id[b]], w, " ")
    for (i = 1; i <= n; i++) put("\n[]{#" w[i] "}\n\n")
    put(s "\n")
}
function read_anchors(    s, w, at) {
    while ((getline s < anchors_file) > 0) {
        at++
        if (split(s, w, " ") == 4 && w[3] == "->")
            renamed[w[1], w[4]] = renamed[w[1], w[4]] " " w[2]
        else if (s !~ /^#/ && w[2] == "->" && (!(w[3] in chapter_of) || w[1] in chapter_of))
            complain(anchors_file, at, "\"" s "\" leads from a page that is there, " \
                "or to one that is not")
    }
    close(anchors_file)
}

# write a box
function emit_open(b,    s, e) {
    s = b_text[b]
    if (b_box[b] == "results") { in_results = s; results_caption = ""; return }
    if (b_box[b] == "before") inside_before = 1
    if (b_box[b] == "exercise") {
        e = ex_of[here, b_id[b]]
        sub(/[}]$/, " no=\"" e_no[e] "\"" (e_solved[e] && solutions_page \
            ? " solution=\"" solutions_page ".html#" sol_anchor[e] "\"" \
            : "") "}", s)
    } else if (b_box[b] == "solution" && solutions_page) {
        e = b_sol[b]
        s = "{.solution #" sol_anchor[e] " no=\"" e_no[e] "\" exercise=\"" \
            base[here] ".html#" e_id[e] "\" title=\"" attr_text(e_title[e]) "\"}"
    }
    put("\n::: " s "\n")
    if (b_box[b] == "said") {
        if (attr(s, "source") == "many") put("\nby many\n\n")
        else {
            cited[attr(s, "source")] = cites[page] = 1
            put("\n[@" attr(s, "source") "]\n\n")
        }
    }
}

# close a box
function attr_text(s) {
    gsub(/"/, "\\&quot;", s)
    gsub(/[\001\002]/, "`", s)
    return s
}
function emit_close(b) {
    if (b_box[b] == "results") { write_results(in_results); in_results = ""; return }
    if (b_box[b] == "before") {
        inside_before = 0
        put_facts(here)
    }
    put(":::\n\n")
}
function put_facts(c,    i, n, w) {
    if (minutes[base[c]] != "")
        put("\nTime: about " minutes[base[c]] " minutes.\n")
    for (i = 1; i <= chapters; i++)
        if (workshop[i] && home[i] == home[c])
            w[++n] = page_link(i)
    for (i = 1; i <= n && (i == 1 || n <= 3); i++)
        put((i > 1 ? ", " : "\nWorkshop: ") w[i])
    put(n > 3 ? " and " n - 1 " further pages" : "")
    put(n ? "\n" : "")
}
function put_owner(c,    i, n, w) {
    put("\n\n::: before\n")
    for (i = 1; i <= chapters; i++)
        if (home[i] == home[c] && !planned[i] && !workshop[i])
            put((n++ ? ", " : "Stage: ") page_link(i))
    for (i = 1; i <= chapters; i++)
        if (i != c && home[i] == home[c] && workshop[i])
            put((w++ ? ", " : "\n\nWorkshop: ") page_link(i))
    put("\n:::\n\n")
}

# read how long a page takes
function page_link(c) { return "[" num[c] ", " title[c] "](" base[c] ".html)" }
function read_stage(    f, s, w) {
    while ((getline s < stage) > 0) {
        split(s, w, "\t")
        if (w[2] == "stage" && w[6] > 0) minutes[w[1]] = w[6]
    }
    close(stage)
}

# write a table of results
function write_results(s,    g, of, rows, cols, n, m, i, j, r, c, line, rule) {
    of = attr(s, "of"); rows = attr(s, "rows"); cols = attr(s, "cols")
    g = attr(s, "gpu"); if (g == "") g = gpu
    if (rows == "") rows = "variant"
    if (cols == "") cols = "metric"
    load_results(g, of)
    n = keys_of(s, g, of, rows, r); m = keys_of(s, g, of, cols, c)
    if (!loaded[g, of]) { r[n = 1] = "—"; if (!m) c[m = 1] = "—" }
    else if (!n || !m)
        complain(at_file, at_line, "this table selects no row of " \
            results "/" g "/" of ".csv: fix its size, variant or metric")
    line = "| |"; rule = "|:---|"
    for (j = 1; j <= m; j++) {
        line = line " " heading_of(cols, c[j], g, of) " |"
        rule = rule "---:|"
    }
    put("\n" line "\n" rule "\n")
    for (i = 1; i <= n; i++) {
        line = "| " heading_of(rows, r[i], g, of) " |"
        for (j = 1; j <= m; j++)
            line = line " " cell(s, g, of, rows, r[i], cols, c[j]) " |"
        put(line "\n")
    }
    caption_results(s, g, of)
}

# fill a cell of the table
function field(g, of, k, what) {
    return what == "variant" ? r_variant[g, of, k] : what == "size" \
        ? r_size[g, of, k] : r_metric[g, of, k]
}
function wanted(s, what, v,    w) { w = attr(s, what); return w == "" || w == v }
function keys_of(s, g, of, what, key,    n, k, v, seen, w) {
    w = attr(s, what "s")
    if (w != "") return listed(g, of, what, w, key)
    for (k = 1; k <= result_rows[g, of]; k++) {
        v = field(g, of, k, what)
        if ((v in seen) || !wanted(s, "variant", r_variant[g, of, k]) ||
            !wanted(s, "size", r_size[g, of, k]) ||
            !wanted(s, "metric", r_metric[g, of, k]))
            continue
        seen[v] = 1
        key[++n] = v
    }
    return n
}
function listed(g, of, what, w, key,    n, i, k, there) {
    n = split(w, key, " ")
    for (k = 1; k <= result_rows[g, of]; k++) there[field(g, of, k, what)] = 1
    for (i = 1; i <= n; i++)
        if (loaded[g, of] && !(key[i] in there))
            complain(at_file, at_line, "no " what " \"" key[i] "\" in " \
                results "/" g "/" of ".csv")
    return n
}
function cell(s, g, of, rows, r, cols, c,    v, z, m, key) {
    v = rows == "variant" ? r : cols == "variant" ? c : attr(s, "variant")
    z = rows == "size" ? r : cols == "size" ? c : attr(s, "size")
    m = rows == "metric" ? r : cols == "metric" ? c : attr(s, "metric")
    key = of "/" v "@" z ":" m
    return (g, key) in value ? lookup(key, g, attr(s, "digits"),
        rows == "metric" || cols == "metric") : "—"
}
function heading_of(what, v, g, of,    u) {
    if (what == "size") return grouped(v)
    if (what != "metric") return v
    u = metric_unit[g, of, v]
    sub(/^us$/, "µs", u)
    if (v ~ /^(ns|us|ms|s|gbps|gflops|tflops)$/ && u != "") return u
    return u ~ /^(1|x|count)?$/ ? v : v ", " u
}
function caption_results(s, g, of,    id, t) {
    id = id_in(s)
    t = results_caption
    sub(/^: */, "", t)
    if (match(t, / *[{]#tbl:[^}]*[}]/)) {
        id = id_in(t)
        sub(/ *[{]#tbl:[^}]*[}]/, "", t)
    }
    if (id ~ /^tbl:/) t = "[Table\302\240" table_no[here, id] ".]{.no #" id "} " t
    if (loaded[g, of]) {
        t = t " [" (about[g, of, "gpu"] == "" ? toupper(g) : about[g, of, "gpu"])
        if (about[g, of, "date"] != "") t = t ", " substr(about[g, of, "date"], 1, 10)
        t = t (stale(g, of) ? "; † the code has changed since" : "") "]{.measured}"
    } else
        t = t " [not measured yet]{.measured}"
    put("\n: " t "\n\n")
}

# write a piece of code
function raw(s) {
    put("\n````````````{=" (latex ? "latex" : "html") "}\n" s "\n````````````\n\n")
}
function emit_fence(b,    lang, n, i, l, box_of) {
    if (!writing) return
    lang = b_info[b]
    sub(/ .*/, "", lang)
    n = split(b_text[b], l, "\n") - 1
    begin_code(lang, 0)
    for (i = 1; i <= n; i++) {
        if (lang == "console") typed(l[i])
        else color(l[i])
        if (i < n) new_line()
    }
    box_of = lang == "console" ? "console" : "plain"
    if (latex) raw("\\begin{book" box_of "}\n" end_code() "\n\\end{book" box_of "}")
    else raw("<div class=\"" box_of "\"><pre><code>" end_code() "</code></pre>" \
        (lang == "console" ? needs(b_info[b]) : "") "</div>")
}
function typed(s) {
    if (s !~ /^\$ /) { piece("", s); return }
    piece("ps", "$ ")
    if (latex) piece("typed", substr(s, 3))
    else written = written "<b>" html(substr(s, 3)) "</b>"
}
function needs(s) {
    s = attr(" " s, "needs")
    return s == "" ? "" : "<p class=\"needs\">needs " (s == "gpu" ? "a GPU" \
        : html(s)) "</p>"
}

# write a chunk
function emit_chunk(k,    i, s) {
    if (!writing) return
    begin_code(k_lang[k], k)
    for (i = 1; i <= k_lines[k]; i++) {
        s = k_code[k, i]
        if (i > 1) new_line()
        if (match(s, /\003/)) a_use(k, substr(s, 1, RSTART - 1), substr(s, RSTART + 1))
        else color(s)
    }
    is_root = k_name[k] ~ /^[a-z0-9]+\/[^ ]+$/
    if (latex) raw("\\chunkhead{" tex_id(k) "}{" k_no[k] "}{" name_in(k_name[k]) \
        "}{" (k_part[k] > 1 ? "+" : "") "}{" neighbors(k) \
        "}\n\\begin{bookchunk}\n" end_code() "\n\\end{bookchunk}\n" \
        "\\chunktail{" belongs(k) "}")
    else raw("<figure class=\"chunk" (is_root ? " root" : "") "\" id=\"" \
        k_id[k] "\" data-key=\"" key_of(k_home[k], k_name[k]) "\">\n" \
        "<figcaption><a class=\"no\" href=\"#" k_id[k] "\">" k_no[k] "</a> " \
        "<span class=\"name\">⟨" name_in(k_name[k]) "⟩" (k_part[k] > 1 \
        ? "<span class=\"plus\">+</span>" : "") "≡</span>" neighbors(k) \
        "</figcaption>\n" belongs(k) \
        "<pre><code>" end_code() "</code></pre>\n</figure>")
}
function key_of(c, name) { return num[c] " " html(name) }
function a_use(k, indent, name,    d) {
    d = part_chunk[k_home[k], name, 1]
    if (latex)
        written = written verb(indent) "\\chunkuse" away(d) "{" tex_id(d) "}{" \
            name_in(name) "}{" k_no[d] "}"
    else written = written indent "<a class=\"use\" href=\"" href(d) \
        "\" data-use=\"" key_of(k_home[k], name) "\">⟨" name_in(name) \
        " <span class=\"no\">" k_no[d] "</span>⟩</a>"
}
function to(k, text, word) {
    if (latex) return "\\jump" away(k) "{" tex_id(k) "}{" text "}"
    return "<a href=\"" href(k) "\"" (word == "" ? "" \
        : " title=\"" word "\"") ">" text "</a>"
}
function neighbor(k, step) {
    return part_chunk[k_home[k], k_name[k], k_part[k] + step]
}
function neighbors(k,    p, n, s) {
    p = neighbor(k, -1); n = neighbor(k, 1)
    if (!p && !n) return ""
    s = (p ? to(p, (latex ? "$\\triangleleft$\\," : "◂ ") k_no[p], "the part before") \
        : "") (p && n ? latex ? "\\enspace " : " " : "") (n ? to(n, k_no[n] \
        (latex ? "\\,$\\triangleright$" : " ▸"), "the next part") : "")
    return latex ? s : " <span class=\"parts\">" s "</span>"
}
function users(k,    i, n, s, c, name, u) {
    c = k_home[k]; name = k_name[k]
    n = used[c, name]
    for (i = 1; i <= n; i++) {
        u = used_by[c, name, i]
        s = s (i == 1 ? "" : i == n ? " and " : ", ") to(u, k_no[u])
    }
    return s
}
function name_users(w, k,    n, i, u, s) {
    n = name_uses[w, k]
    if (n > 6)
        return latex ? n " chunks" : "<a href=\"identifiers.html#id-" w "\">" n " chunks</a>"
    for (i = 1; i <= n; i++) {
        u = name_use[w, k, i]
        s = s (i == 1 ? "" : i == n ? " and " : ", ") to(u, k_no[u])
    }
    return s
}
function belongs(k,    s, n, i, w, b, t, m) {
    if (k_part[k] == 1 && is_root) s = "Written to " as_code("tangled/" k_name[k]) ". "
    else if (k_part[k] == 1) s = "Used in " users(k) ". "
    n = split(k_defs[k], w, " ")
    for (i = 1; i <= n; i++) {
        if (!name_uses[w[i], k]) continue
        t = as_code(w[i]) " is used in " name_users(w[i], k) "."
        s = s (latex ? t : "<span class=\"uses\">" t "</span>") " "
    }
    if (latex) return s
    m = 0
    n = split(roots[k_home[k], k_name[k]], w, " ")
    for (i = 1; i <= n; i++)
        if (w[i] ~ /\.cuh?$/ && m < 2) m = w[i] in driver ? 1 : 2
    b = m ? badge(slug[k_home[k]], m == 2) : ""
    if (b != "")
        s = s "<span class=\"badge\" title=\"where the tests last ran this " \
            "code\">run on: " b "</span>"
    return s == "" ? "" : "<p class=\"xref\">" s "</p>\n"
}

# write the solutions
function write_solutions(    e, b, last, k) {
    for (e = 1; e <= ne; e++) {
        if (!e_solved[e]) continue
        if (e_ch[e] != last)
            put("\n## " label_of(e_ch[e]) ", " title[e_ch[e]] " {#of-" \
                slug[e_ch[e]] " .unnumbered}\n\n")
        last = e_ch[e]
        for (b = e_solved[e]; b <= last_block[last] && b_sol[b] == e; b++) emit(b)
    }
    for (k = 1; writing && !latex && k <= nk; k++)
        if (!k_sol[k] && held_here(k_home[k], k_name[k], 0)) put_template(k)
}
function held_here(c, name, on,    i, k) {   # on a page; 0: on that of the solutions
    for (i = 1; on && i <= k_parts[c, name]; i++)
        if (k_ch[part_chunk[c, name, i]] == on) return 1
    for (i = 1; i <= used[c, name]; i++) {
        k = used_by[c, name, i]
        if ((!on && k_sol[k]) || held_here(c, k_name[k], on)) return 1
    }
    return 0
}
function put_templates(c, before,    i, k) {
    for (i = 1; writing && !latex && i <= home_chunks[home[c]]; i++) {
        k = home_chunk[home[c], i]
        if (k_ch[k] != c && !k_sol[k] && (k_ch[k] < c) == before &&
            held_here(home[c], k_name[k], c))
            put_template(k)
    }
}
function put_template(k,    i, s, n) {
    s = ""
    for (i = 1; i <= k_lines[k]; i++) {
        n = k_code[k, i]
        s = s (i > 1 ? "\n" : "")
        if (match(n, /\003/))
            s = s substr(n, 1, RSTART - 1) "<a data-use=\"" \
                key_of(k_home[k], substr(n, RSTART + 1)) "\"></a>"
        else s = s html(n)
    }
    raw("<template class=\"chunk-of\" data-key=\"" \
        key_of(k_home[k], k_name[k]) "\"><figure><pre><code>" s \
        "</code></pre></figure></template>")
}

# write what pandoc needs to know
function option(key, s) {
    gsub(/'/, "''", s)
    printf "  %s: '%s'\n", key, s > options
}
function write_defaults(p, c) {
    options = out "/" p ".yaml"
    print "metadata:" > options
    option("page", p)
    option("slug", c ? slug[c] : p)
    option("number", c ? num[c] : "")
    if (p in cites)
        print "  link-citations: true\nbibliography: [" refs "]\nfilters: [citeproc]" > options
    if (!latex) write_variables(p, c)
    close(options)
}
function write_variables(p, c,    i) {
    print "variables:" > options
    option("nav", contents_html(c, p))
    option("pagetitle", c ? num[c] " " title[c] : site_title[p])
    if (c) {
        option("source", "source/" p ".md.txt")
        option("label", label_of(c))
        if ((i = neighbor_page(c, -1))) {
            option("prev", base[i] ".html")
            option("prevtitle", num[i] " " title[i])
        }
        if ((i = neighbor_page(c, 1))) {
            option("next", base[i] ".html")
            option("nexttitle", num[i] " " title[i])
        }
    }
    write_report(p)
}
function neighbor_page(c, step) {
    do c += step; while (c >= 1 && c <= chapters && planned[c])
    return c >= 1 && c <= chapters ? c : 0
}
function write_report(p,    c) {
    c = chapter_of_slug("setup")
    option("report", repo != "" ? repo "/issues/new?title=" p \
        : c ? base[c] ".html#report" : "")
    if (repo != "") option("repo", repo)
}
function contents_html(c, p,    i, s, pt) {
    for (i = 1; i <= chapters; i++) {
        if (part_of[i] != pt) {
            if (pt) s = s "</ol></details>"
            pt = part_of[i]
            s = s "<details" (c && part_of[c] == pt || !c && pt == 1 \
                ? " open=\"open\"" : "") "><summary>" html(part_title[pt]) \
                "</summary><ol>"
        }
        s = s contents_item(i, c)
    }
    return s "</ol></details>"
}
function contents_item(i, c,    s, b) {
    s = "<span class=\"no\">" num[i] "</span> <span>" html(title[i]) "</span>"
    if (planned[i])
        return "<li class=\"planned\"><span class=\"entry\">" s "</span></li>"
    s = "<li><a href=\"" base[i] ".html\"" (i == c ? " aria-current=\"page\"" \
        : "") ">" s "</a>"
    if (i == c) {
        s = s "<ol class=\"sections\">"
        for (b = first_block[i]; b <= last_block[i]; b++)
            if (b_kind[b] == "heading" && b_level[b] == 2)
                s = s "<li><a href=\"#" b_id[b] "\">" heading_html(b_title[b]) \
                    "</a></li>"
        s = s "</ol>"
    }
    return s "</li>"
}
function heading_html(s) {
    s = html(s)
    while (match(s, /`[^`]+`/))
        s = substr(s, 1, RSTART - 1) "<code>" substr(s, RSTART + 1, RLENGTH - 2) \
            "</code>" substr(s, RSTART + RLENGTH)
    gsub(/[*\\]/, "", s)
    return s
}
