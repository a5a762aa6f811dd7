# color.awk: begin_code(language, chunk) starts a piece of code (chunk 0 is no
# chunk), color(line) adds a line to it, end_code() returns it as HTML or LaTeX.

# escape for HTML and for LaTeX
function html(s) {
    if (s !~ /[&<>"]/) return s
    gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s)
    gsub(/>/, "\\&gt;", s); gsub(/"/, "\\&quot;", s)
    return s
}
function verb(s) {                  # inside Verbatim[commandchars=\\\{\}]
    if (s ~ /[\\{}]/) {
        gsub(/\\/, "\001", s); gsub(/[{]/, "\\{", s); gsub(/[}]/, "\\}", s)
        gsub(/\001/, "\\textbackslash{}", s)
    }
    return s
}
function tex(s) {                   # ordinary LaTeX text
    gsub(/\\/, "\001", s); gsub(/[{}$&#%_]/, "\\\\&", s)
    gsub(/\^/, "\\textasciicircum{}", s); gsub(/~/, "\\textasciitilde{}", s)
    gsub(/\001/, "\\textbackslash{}", s)
    gsub(/</, "\\textless{}", s); gsub(/>/, "\\textgreater{}", s)
    return s
}
function escaped(s) { return latex ? tex(s) : html(s) }
function as_code(s) {
    return latex ? "\\texttt{" tex(s) "}" : "<code>" html(s) "</code>"
}
function name_in(s,    out) {               # a chunk's name, with its [[code]]
    out = ""
    while (match(s, /\[\[[^\]]*\]*\]\]/)) {
        out = out escaped(substr(s, 1, RSTART - 1)) \
            as_code(substr(s, RSTART + 2, RLENGTH - 4))
        s = substr(s, RSTART + RLENGTH)
    }
    return out escaped(s)
}

# prepare the words of each language
function words(group, class, s,    n, i, w) {
    n = split(s, w, " ")
    for (i = 1; i <= n; i++) { word_class[group, w[i]] = class; special[w[i]] }
}
function prepare_colors() {
    # list the words of each language
    words("c", "kw", "auto break case char const continue default do double " \
        "else enum extern float for goto if inline int long register restrict " \
        "return short signed sizeof static struct switch typedef union unsigned " \
        "void volatile while bool true false template typename class using " \
        "namespace constexpr static_assert alignas NULL nullptr size_t uint8_t " \
        "uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t uintptr_t " \
        "ptrdiff_t")
    words("c", "cu", "__global__ __device__ __host__ __shared__ __constant__ " \
        "__managed__ __restrict__ __launch_bounds__ __forceinline__ " \
        "__noinline__ __grid_constant__ threadIdx blockIdx blockDim gridDim " \
        "warpSize dim3 __syncthreads __syncwarp __shfl_sync __shfl_up_sync " \
        "__shfl_down_sync __shfl_xor_sync __ballot_sync __activemask __half " \
        "half __nv_bfloat16 float2 float4 int2 int4 uint4 __CUDA_ARCH__ __CUDACC__")
    words("awk", "kw", "BEGIN END function if else while for do next exit " \
        "return delete in getline print printf break continue split sub gsub " \
        "match substr index length sprintf tolower toupper close system int log")
    words("lua", "kw", "and break do else elseif end false for function if in " \
        "local nil not or repeat return then true until while")
    words("sh", "kw", "if then else elif fi for while until do done case esac " \
        "in set trap exit return local export shift read cd")
    words("py", "kw", "and as assert break class continue def del elif else " \
        "except finally for from if import in is lambda None not or pass raise " \
        "return True False try while with yield")
    split("c c cuda c h c cpp c awk awk lua lua sh sh make sh yaml sh python py " \
        "ptx ptx", group_of_pair, " ")
    for (i = 1; i in group_of_pair; i += 2)
        group_of[group_of_pair[i]] = group_of_pair[i + 1]
    comment["c"] = comment["ptx"] = "//"
    comment["awk"] = comment["sh"] = comment["py"] = "#"
    comment["lua"] = "--"
}
function begin_code(lang, k) {
    written = run = ""
    columns = 0
    code_group = (lang in group_of) ? group_of[lang] : ""
    code_chunk = k
    in_comment = 0
}

# add a piece of code
function piece(class, s) {
    if (class == "") { run = run s; return }
    end_run()
    put_piece(class, s)
}
function end_run() {
    if (run != "") put_piece("", run)
    run = ""
}
function put_piece(class, s) {
    while (latex && columns + length(s) > 86) s = break_line(class, s)
    columns += length(s)
    written = written dressed(class, s)
}
function dressed(class, s) {
    if (latex) return class == "" ? verb(s) : "\\hl" class "{" verb(s) "}"
    return class == "" ? html(s) : "<span class=\"" class "\">" html(s) "</span>"
}
function break_line(class, s,    n) {
    n = 86 - columns
    while (n > 0 && substr(s, n, 1) != " ") n--
    if (!n && columns <= 8) n = 86 - columns
    if (n) written = written dressed(class, substr(s, 1, n))
    written = written "\n        "
    columns = 8
    return substr(s, n + 1)
}
function new_line() { end_run(); written = written "\n"; columns = 0 }
function end_code() { end_run(); return written }
function word_piece(w,    d) {
    if (!(w in special)) { run = run w; return }
    if ((code_group, w) in word_class) {
        piece(word_class[code_group, w], w)
        return
    }
    d = code_chunk && (w in defs) ? meant(w, k_home[code_chunk], code_chunk) : 0
    if (!d) run = run w
    else if (d == code_chunk) piece("df", w)
    else link_piece(d, w, w, "id")
}
function link_piece(d, w, dress, class) {
    end_run()
    if (latex && columns + length(w) > 86) break_line("", "")
    columns += length(w)
    written = written (latex ? "\\ident" away(d) "{" tex_id(d) "}{" dress "}" \
        : "<a class=\"" class "\" href=\"" href(d) "\">" dress "</a>")
}
function tex_id(k) { return slug[k_ch[k]] "." k_id[k] }
function away(k) { return !!workshop[k_ch[k]] != volume ? "away" : "" }

# walk over a line of code
function color(s,    bol, g) {
    g = code_group
    if (g == "") { piece("", s); return }
    for (bol = 1; s != ""; bol = 0) {
        if (in_comment) s = rest_of_comment(s)
        else if (match(s, /^[A-Za-z_][A-Za-z_0-9]*/)) {
            word_piece(substr(s, 1, RLENGTH))
            s = substr(s, RLENGTH + 1)
        } else if (match(s, /^[ \t(){},;*=+!|&.:?\[\]]+/)) {
            run = run substr(s, 1, RLENGTH)
            s = substr(s, RLENGTH + 1)
        } else if (match(s, /^[0-9][0-9A-Za-z.]*/)) s = take(s, "nu")
        else if (g == "c" && substr(s, 1, 2) == "/*") {
            in_comment = 1
            piece("co", "/*")
            s = substr(s, 3)
        } else if (index(s, comment[g]) == 1 && (g != "sh" || bol || run ~ /[ \t]$/)) {
            piece("co", s)
            return
        } else if (match(s, /^"([^"\\]|\\.)*"?/) || match(s, /^'([^'\\]|\\.)*'?/))
            s = take(s, "st")
        else if (g == "c" && bol && match(s, /^#[ \t]*[a-z]+/))
            s = after_hash(take(s, "pp"))
        else if (g == "awk" && match(s, /^\/([^\/\\]|\\.)+\//)) s = take(s, "st")
        else if (g == "ptx" && match(s, /^%[A-Za-z_0-9.]+/)) s = take(s, "nu")
        else if (g == "ptx" && match(s, /^[.][A-Za-z_0-9.]+/)) s = take(s, "kw")
        else if (g == "c" && match(s, /^(<<<|>>>)/)) s = take(s, "cu")
        else { run = run substr(s, 1, 1); s = substr(s, 2) }
    }
}
function take(s, class,    c) {
    c = substr(s, 1, RLENGTH)
    s = substr(s, RLENGTH + 1)
    piece(class, c)
    return s
}
function rest_of_comment(s,    m) {
    m = index(s, "*/")
    if (!m) { piece("co", s); return "" }
    piece("co", substr(s, 1, m + 1))
    in_comment = 0
    return substr(s, m + 2)
}
function after_hash(s,    f, k) {
    if (match(s, /^[ \t]*<[^>]*>/)) return take(s, "st")
    if (!match(s, /^[ \t]*"[^"]*"/)) return s
    f = substr(s, index(s, "\"") + 1)
    sub(/".*/, "", f)
    if (!(k = file_chunk[f])) return take(s, "st")
    piece("", substr(s, 1, index(s, "\"") - 1))
    link_piece(k, "\"" f "\"", latex ? "\\hlst{\"" f "\"}" : "&quot;" f "&quot;", "id st")
    return substr(s, RLENGTH + 1)
}
