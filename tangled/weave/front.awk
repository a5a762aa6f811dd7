# front.awk: noweb's front end for Markdown with chunks in fences.
# Usage: awk -f front.awk -- chapter.md ...   (options are noweb's; we need none)
BEGIN {
    for (i = 1; i < ARGC; i++)
        if (ARGV[i] ~ /^-/)
            delete ARGV[i]
}

# keep track of the section that is open
function shut() {
    if (open != "")
        print "@end " open " " n++
    open = ""
}
function start(kind) {
    shut()
    open = kind
    print "@begin " kind " " n + 0
}

# write a line of prose
function prose(s,    i, j, t) {
    while (s != "") {
        i = index(s, "[["); t = index(s, "`")
        if (t && (!i || t < i)) {               # skip over `code`
            match(substr(s, t), /^`+/)
            j = index(substr(s, t + RLENGTH), substr(s, t, RLENGTH))
            j = j ? t + 2 * RLENGTH + j - 2 : length(s)
            print "@text " substr(s, 1, j)
            s = substr(s, j + 1)
        } else if (i && (j = index(substr(s, i + 2), "]]"))) {
            if (i > 1)
                print "@text " substr(s, 1, i - 1)
            print "@quote\n@text " substr(s, i + 2, j - 1) "\n@endquote"
            s = substr(s, i + j + 3)
        } else {
            print "@text " s
            s = ""
        }
    }
    print "@nl"
}

# read the text line by line
FNR == 1 { shut(); print "@file " FILENAME; fence = 0; start("docs") }

open == "code" && /^@( |$)/ { close_chunk(); next }
/^```/ {
    match($0, /^`+/)
    if (!fence) {
        fence = RLENGTH; fresh = FNR + 1
    } else if (RLENGTH >= fence && $0 ~ /^`+[ \t]*$/) {
        fence = 0
        if (open == "code")                     # never closed: lint says so
            start("docs")
    }
    if (open == "docs") { print "@text " $0; print "@nl"; next }
}
fence && FNR == fresh && /^<[<].*>[>]=$/ {
    start("code")
    print "@defn " substr($0, 3, length($0) - 5)
    print "@nl"
    next
}

# read a line of code or of prose
open == "code" && /^[ \t]*<[<][^<>]*>[>][ \t]*$/ {
    at = index($0, "<")
    if (at > 1)
        print "@text " substr($0, 1, at - 1)
    sub(/>[>][ \t]*$/, "")
    print "@use " substr($0, at + 2)
    print "@nl"
    next
}
open == "code" || fence { if ($0 != "") print "@text " $0; print "@nl"; next }
{ prose($0) }

function close_chunk(    i, k, name) {
    if ($2 == "%def") {
        k = split($0, name, /[ \t]+/)
        for (i = 3; i <= k; i++)
            if (name[i] != "")
                print "@index defn " name[i]
        print "@index nl"
        start("docs")
    } else {
        start("docs")
        print "@nl"
    }
}
END { shut() }
