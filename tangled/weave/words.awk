# words.awk: what a page of HTML says, without its markup.
# Usage: awk -v page=03-kernels -v out=build/weave -f words.awk 03-kernels.html
# Writes page.text, the page with its code; page.search, a line for each section;
# page.terms, a line for each entry of the glossary.
BEGIN {
    RS = "<"
    out = out "/" page
    printf "" > (out ".search"); printf "" > (out ".terms"); printf "" > (out ".text")
    # say what begins a line and what stands in formulas
    n = split("p div h1 h2 h3 h4 h5 pre figcaption table blockquote section", w, " ")
    while (n) line[w[n--]] = "\n\n"
    line["tr"] = "\n"; line["li"] = "\n- "; line["td"] = line["th"] = " "
    n = split("( ) [ ] { } ⟨ ⟩ ⌊ ⌋ ⌈ ⌉ | ∥ ∑ ∏ ∫ ̂ ‾ ¯ ℓ", w, " ")
    while (n) tight[w[n--]]
    mark["msup"] = "^"; mark["mfrac"] = "/"; mark["msub"] = mark["munder"] = "_"
    mark["msubsup"] = mark["munderover"] = "_^"
}
listing && /^\/?(span|a)[ >]/ { say(plain(substr($0, index($0, ">") + 1))); next }
{
    shut = /^\//
    match($0, /^\/?[a-z0-9]*/)
    tag = substr($0, 1 + shut, RLENGTH - shut)
    end = index($0, ">")
    attrs = substr($0, 1, end)
    s = substr($0, end + 1)
}

# pass over what is not read
tag == "title" && !shut {
    number = title = plain(s)
    sub(/ .*/, "", number); sub(/^[^ ]* /, "", title); sub(/ · .*/, "", title)
}
tag == "main" { reading = !shut; next }
!reading { next }
skip != "" {
    if (tag == skip) deep += shut ? -1 : 1
    if (deep) next
    skip = ""
}
attrs ~ /^(svg|template|annotation|footer|nav)[ >]/ ||
    attrs ~ /class="(xref|refs|citation|chapter|more)"/ ||
    (head && attrs ~ /class="no"/) {
    skip = tag; deep = 1
    next
}
attrs ~ /^figure class="chunk/ { chunk = 1 }
tag == "figure" && shut { chunk = 0 }
!listing { gsub(/[ \t\n]+/, " ", s) }
tag in line { if (s ~ /^[ \n]*$/) s = ""; if (!shut) s = line[tag] s }
tag == "sup" && !shut { s = "^" s }

# begin and end a section
tag ~ /^h[123]$/ && shut && head { heading = words; words = ""; head = 0 }
tag ~ /^h[123]$/ && !shut && match(attrs, /[ \n]id="[^"]*/) {
    write_section()
    head = 1
    id = substr(attrs, RSTART + 5, RLENGTH - 5)
    entry = attrs ~ /class="entry"/
}
tag == "p" && shut && entry {
    print quoted(id) ":" quoted(words) "," > (out ".terms")
    entry = 0
}
END { write_section() }
function write_section() {
    if (id != "")
        print "[" quoted(page ".html#" id) "," quoted(number) "," quoted(title) \
            "," quoted(heading) "," quoted(words) "]," > (out ".search")
    words = ""
}

# read a formula
tag == "math" { formula = !shut; level = 0 }
formula && !shut {
    if (tag == "mo") s = operator(s)
    if (tag == "mspace") s = " "
    if (tag == "msqrt") s = "√("
    if (tag == "mrow" && (kind[level] in mark)) s = "("
    kind[++level] = tag
    parts[level] = 0
}
formula && shut {
    level--
    if (tag == "msqrt" || (tag == "mrow" && (kind[level] in mark))) s = ")" s
    if (kind[level] in mark) s = s substr(mark[kind[level]], ++parts[level], 1)
}
function operator(t) {
    if (t in tight) return t
    return t == "," ? ", " : words ~ /[ \n(^_\/]$/ ? t : " " t " "
}
{ say(plain(s)); if (tag == "pre") listing = !shut }

# keep what is said
function plain(s) {
    if (s ~ /&/) {
        gsub(/&nbsp;/, " ", s); gsub(/&lt;/, "<", s); gsub(/&gt;/, ">", s)
        gsub(/&quot;/, "\"", s); gsub(/&#39;/, "'", s); gsub(/&amp;/, "\\&", s)
    }
    return s
}
function quoted(s) {
    gsub(/[ \t\n]+/, " ", s); gsub(/^ | $/, "", s)
    gsub(/[\\"]/, "\\\\&", s)
    return "\"" s "\""
}
function say(s) {
    if (!chunk) words = words s
    if (!listing) {
        if (s == " ") { blank = s; return }
        if (last ~ /\n\n$/) sub(/^\n+/, "", s)
        if (last ~ /\n$/) sub(/^ /, "", s)
        else if (s !~ /^\n/) s = blank s
        blank = ""
    }
    if (s == "") return
    printf "%s", s > (out ".text")
    last = s
}
