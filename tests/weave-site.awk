# tests/weave-site.awk: what is wrong with the pages of a site.
#
#   (cd build/html && LC_ALL=C awk -f ../../tests/weave-site.awk $(find . -name '*.html'))
#
# Prints page:line: what, for: a link to a page, file or anchor that is not
# there, or that leads out of the site; an id used twice; anything that would
# be fetched from a network; a picture without a text; Markdown that was not woven; a page
# without language, title or one first heading; a heading that skips a level; a tab order of its
# own.  Independent of the tools that make the site, on purpose.

BEGIN {
    RS = "<"
    split("pre code math svg title kbd samp textarea", word, " ")
    for (i in word) verbatim[word[i]]
}

FNR == 1 {
    page = FILENAME
    sub(/^\.\//, "", page)
    pages[page] = 1
    nth[++count] = page
    line = 1
    skip = ""
    level = 0
    svg = 0
    code = 0
    # the text before the first tag
    count_lines($0)
    next
}

{
    at = line
    count_lines($0)
}

skip == "comment" { if (index($0, "-->")) skip = ""; next }
/^!--/ { if (!index($0, "-->")) skip = "comment"; next }
skip != "" { if (tolower($0) !~ "^/" skip "[ \t\n>]") next; skip = ""; next }

# most tags by far color a word of code, and are passed over quickly
/^\// {
    if (index($0, "/span>") != 1) {
        if ($0 ~ /^\/svg/) svg--
        if ($0 ~ /^\/(pre|code|math|svg|title|kbd|samp|textarea)[ \t\n>]/) code--
    }
    if (code > 0) next
    text = $0
    sub(/^[^>]*>/, "", text)
    markdown(text)
    next
}

{
    tag = tolower($0)
    sub(/[ \t\n\/>].*/, "", tag)
    colors = tag == "span"
    # attributes: values quoted, the end of the tag outside of them
    split("", attr)
    rest = substr($0, length(tag) + 1)
    while (match(rest, /^[ \t\n\/]*[A-Za-z_:][-A-Za-z0-9_:.]*/)) {
        name = substr(rest, RSTART, RLENGTH)
        sub(/^[ \t\n\/]*/, "", name)
        name = tolower(name)
        if (name != "class") colors = 0
        rest = substr(rest, RLENGTH + 1)
        value = ""
        if (index(rest, "=\"") == 1 && (n = index(substr(rest, 3), "\""))) {
            value = substr(rest, 3, n - 1)
            rest = substr(rest, n + 3)
        } else if (match(rest, /^[ \t\n]*=[ \t\n]*"[^"]*"/) || \
            match(rest, /^[ \t\n]*=[ \t\n]*'[^']*'/)) {
            value = substr(rest, 1, RLENGTH)
            rest = substr(rest, RLENGTH + 1)
            sub(/^[ \t\n]*=[ \t\n]*./, "", value)
            sub(/.$/, "", value)
        } else if (match(rest, /^[ \t\n]*=[ \t\n]*[^ \t\n>]+/)) {
            value = substr(rest, 1, RLENGTH)
            rest = substr(rest, RLENGTH + 1)
            sub(/^[ \t\n]*=[ \t\n]*/, "", value)
        }
        if (index(value, "&")) gsub(/&amp;/, "\\&", value)
        attr[name] = value
    }
    text = rest
    sub(/^[ \t\n\/]*>/, "", text)
    if (tag in verbatim) code++
    if (tag != "script" && tag != "style")
        markdown(text)
    if (colors) next
}

tag == "script" || tag == "style" {
    skip = tag
    if (text ~ /@import|url\([ "']*(https?:)?\/\//)
        say("this style would be fetched from a network")
}

"id" in attr {
    if ((page, attr["id"]) in id)
        say("the id \"" attr["id"] "\" is used twice (line " \
            id[page, attr["id"]] ")")
    else
        id[page, attr["id"]] = at
    if (attr["id"] == "" || attr["id"] ~ /[ \t\n]/)
        say("an id that is empty or has a blank: \"" attr["id"] "\"")
}

tag == "a" && ("href" in attr) || tag == "area" && ("href" in attr) {
    link(attr["href"], "a")
}
"href" in attr && tag != "a" && tag != "area" && tag != "base" {
    link(attr["href"], attr["rel"] ~ /canonical|license|author|alternate/ ? \
        "a" : tag)
}
"xlink:href" in attr { link(attr["xlink:href"], tag) }
"src" in attr { link(attr["src"], tag) }
"srcset" in attr { say("srcset: one picture is enough") }
"style" in attr && attr["style"] ~ /url\([ "']*(https?:)?\/\// {
    say("this style would be fetched from a network")
}
tag == "base" { say("no <base>: the pages open from disk") }

tag == "html" { lang[page] = attr["lang"] }
tag == "title" && !svg && !(page in title) { title[page] = text }
tag == "svg" { svg++ }
tag == "img" && !("alt" in attr) { say("a picture without a text (alt)") }
tag == "svg" && svg == 1 && !("aria-label" in attr) && \
    !("aria-labelledby" in attr) && attr["aria-hidden"] != "true" && \
    attr["role"] != "presentation" {
    say("a drawing without a text: aria-label, or aria-labelledby its title")
}
"tabindex" in attr && attr["tabindex"] > 0 { say("a tab order of its own") }
"accesskey" in attr { say("an access key") }
tag ~ /^h[1-6]$/ {
    n = substr(tag, 2) + 0
    if (n == 1)
        ones[page]++
    if (level && n > level + 1)
        say("a heading skips from level " level " to " n)
    level = n
}

END {
    RS = "\n"
    for (i = 1; i <= count; i++) {
        page = nth[i]
        at = 1
        if (lang[page] == "") say("no language: <html lang=en>")
        if (title[page] ~ /^[ \t\n]*$/) say("no title")
        if (ones[page] != 1)
            say("one first heading (h1) is wanted, there are " ones[page] + 0)
        if (title[page] in titled)
            say("the same title as " titled[title[page]])
        titled[title[page]] = page
    }
    for (i = 1; i <= links; i++) {
        page = from[i]
        at = where[i]
        follow(to[i], kind[i])
    }
    exit bad
}

# markdown: what should have been woven and was not
function markdown(s)
{
    if (code <= 0 && \
        match(s, /:::|\]\{|\{[.#][a-z]|\[@|@(fig|tbl|sec):|\*\*|\]\(|```|!\[|&lt;&lt;[a-z ]+&gt;&gt;/))
    {
        s = substr(s, RSTART, 30)
        gsub(/\n/, " ", s)
        say("this is Markdown: " s)
    }
}

function count_lines(s) { if (index(s, "\n")) line += gsub(/\n/, "", s) }

function say(what)
{
    print page ":" at ": " what
    bad = 1
}

# link: what a page refers to.  Kind "a" is followed by the reader, all others
# are fetched by the page itself.
function link(url, how)
{
    if (url ~ /^(https?:)?\/\// || url ~ /^(ftp|file):/) {
        if (how != "a")
            say("<" how "> would be fetched from a network: " url)
        else if (url !~ /^https:\/\/[^ ]+\.[^ ]+$/)
            say("no https address: " url)
        return
    }
    if (url ~ /^data:/ && how != "a" || url ~ /^mailto:/)
        return
    if (url ~ /^[a-z]+:/) {
        say("no link that a page may hold: " url)
        return
    }
    links++
    from[links] = page
    where[links] = at
    to[links] = url
    kind[links] = how
}

function follow(url, how,    file, anchor, n, part, i, k, out, dir, s)
{
    anchor = ""
    if (n = index(url, "#")) {
        anchor = decode(substr(url, n + 1))
        url = substr(url, 1, n - 1)
        if (anchor == "") {
            say("an empty anchor: " url "#")
            return
        }
    } else if (url == "") {
        say("an empty link")
        return
    }
    sub(/\?.*/, "", url)
    file = page
    if (url != "") {
        if (url ~ /^\//) {
            say("a link from the root of the server: " url)
            return
        }
        dir = page
        if (!sub(/[^\/]*$/, "", dir))
            dir = ""
        n = split(dir decode(url), part, "/")
        k = 0
        for (i = 1; i <= n; i++) {
            if (part[i] == "." || part[i] == "" && i < n)
                continue
            if (part[i] == "..") {
                if (--k < 0) {
                    say("leads out of the site: " url)
                    return
                }
                continue
            }
            out[++k] = part[i]
        }
        file = ""
        for (i = 1; i <= k; i++)
            file = file (i > 1 ? "/" : "") out[i]
    }
    if (!(file in pages)) {
        if (!(file in there)) {
            there[file] = (getline s < file) >= 0
            close(file)
        }
        if (!there[file])
            say("there is no " file)
        else if (file ~ /\.html$/ && anchor != "")
            say(file " was not looked at")
        return
    }
    if (anchor != "" && !((file, anchor) in id))
        say("there is no " file "#" anchor)
}

function decode(s,    out, h)
{
    if (!index(s, "%")) return s
    out = ""
    while (match(s, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
        h = tolower(substr(s, RSTART + 1, 2))
        out = out substr(s, 1, RSTART - 1) sprintf("%c", \
            (index("0123456789abcdef", substr(h, 1, 1)) - 1) * 16 + \
            index("0123456789abcdef", substr(h, 2, 1)) - 1)
        s = substr(s, RSTART + 3)
    }
    return out s
}
