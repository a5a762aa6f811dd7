# lint.awk: what is wrong with the chunks of a chapter.
# Usage: awk -f lint.awk -- chapter.md ...   Exits 1 when it has found something.
BEGIN {
    for (i = 1; i < ARGC; i++) {
        if (ARGV[i] == "--") { delete ARGV[i]; continue }
        if ((getline first < ARGV[i]) <= 0) {
            complain(ARGV[i], 1, "the chapter is empty: begin it with `# Title " \
                "{#slug}`")
            delete ARGV[i]
        } else {
            close(ARGV[i])
        }
    }
}

# say what is wrong
function complain(file, at, what) {
    print file ":" at ": " what
    bad = 1
}
function wrong(what) { complain(FILENAME, FNR, what) }
function impolite(file, at, what) {
    if (!structure)
        complain(file, at, what)
}

# check a line of the chapter
FNR == 1 {
    if (page != "")
        finish_page()
    page = FILENAME; slug = FILENAME
    sub(/.*\//, "", slug); sub(/\.md$/, "", slug); sub(/^[^-]*-/, "", slug)
    chapter = slug; sub(/-.*/, "", chapter)
    if (!(chapter in chunks)) chunks[chapter] = 0
    fence = 0; inside = ""; titled = 0; gap = 1; last = 0
}
{ last = FNR }
/\r$/ {
    wrong("the line ends in CR LF: save the file with LF endings")
    sub(/\r$/, "")
}
!fence && !titled && /^# / {
    titled = 1
    if (index($0, "{#" slug "}") == 0 && index($0, "{#" slug " ") == 0)
        impolite(FILENAME, FNR, "the title lacks the chapter's anchor: end it " \
            "with {#" slug "}")
}
!fence && /^[ \t>]+(```+|~~~+) *(c|cuda)[ \t]*$/ {
    wrong("a chunk's fence begins in column 1: take it out of the list or " \
        "quotation")
}
!fence && /^Time: / {
    impolite(FILENAME, FNR, "the reading time is counted and woven: take this line out")
}
!fence && /^~~~/ { wrong("a fence is made of backticks here: write ``` for ~~~") }
/^```/ {
    match($0, /^`+/)
    if (!fence) {
        finish_paragraph()
        fence = RLENGTH; opened = FNR
        lang = substr($0, RLENGTH + 1); sub(/^ +/, "", lang)
        if (lang ~ /^[{]/)
            wrong("a fence has a plain language, and one with code must be a " \
                "chunk: write ```cuda, say, for " lang)
        sub(/[ \t{].*/, "", lang)
        dollars = closed = 0
    } else if (fence == 3 && $0 ~ /^```+ *[a-z{]/) {
        wrong("the fence of line " opened " is still open: close it with ```, " \
            "or show fences inside one of four backticks")
    } else if (RLENGTH >= fence && $0 ~ /^`+[ \t]*$/) {
        # check a fence that closes
        if (FNR == opened + 1 && (lang == "c" || lang == "cuda"))
            complain(FILENAME, opened, "a fence marked " lang " must be a chunk: this " \
                "one is empty")
        if (inside != "" && !closed)
            wrong("the chunk \"" inside "\" is still open: close it with a line that holds @")
        longest = FILENAME ~ /\/[0-9A-Z]+w-/ ? 60 : 30
        if (inside != "" && count > longest)
            impolite(FILENAME, opened + 1, "the chunk \"" inside "\" has " count \
                " lines: " longest " is the most here; give a part of it a name")
        if (inside != "" && count == 0)
            complain(FILENAME, opened + 1, "the chunk \"" inside "\" is empty: write " \
                "its code or take it out")
        if (lang == "console" && !dollars)
            impolite(FILENAME, opened, "a transcript without a command: begin a line " \
                "with `$ `, or mark the fence text")
        gap = inside == ""
        fence = 0; inside = ""
    }
    above = ""
    next
}
!fence && /^#+ / && FNR > 1 && above ~ /[^ \t]/ {
    impolite(FILENAME, FNR, "a heading needs an empty line before it, else it " \
        "is no heading")
}
{ above = $0 }
!fence && /[^ \t]/ && !/^:::/ { gap = 1 }
fence < 4 && /^[ \t>]*<[<].*>[>]=$/ && !(fence && FNR == opened + 1 && /^</) {
    if (fence && closed)
        wrong("text after the @ that closes the chunk: the fence ends right " \
            "behind it")
    else if (inside != "")
        wrong("the chunk \"" inside "\" is still open: close it with a line " \
            "that holds @")
    else
        wrong("a chunk begins on the first line of a fence, in column 1: put " \
            "```cuda (or c, sh, awk, ...) on the line above")
    next
}
!fence {
    if (/[^ \t]/) {
        if (words == "")
            began = FNR
        words = words $0 "\n"
    } else {
        finish_paragraph()
    }
}
function finish_paragraph() {
    gsub(/\\./, "", words)
    gsub(/`[^`]*`|\$[^$]*\$/, "", words)
    if (gsub(/\[/, "", words) > gsub(/\]/, "", words))
        impolite(page, began, "a [ without its ] in this paragraph: close it, " \
            "write \\[, or make it a formula: $[0, 1)$")
    words = ""
}
fence && FNR == opened + 1 {
    if (/^<[<].*>[>]=[ \t]*$/) {
        # check a chunk that begins
        name = $0
        sub(/^<[<]/, "", name); sub(/>[>]=[ \t]*$/, "", name)
        inside = name; count = 0
        if (/[ \t]$/) wrong("blanks after the chunk's name: take them out")
        if (name ~ /[<>]|\*\// || name == "" || name ~ /^ | $/)
            wrong("a chunk's name has no < or > or */, and no blank at its ends: rename it")
        else if (name ~ /^[^ ]*\/[^ ]*$/ && name !~ /^\[\[/) {
            if (index(name, chapter "/") != 1)
                wrong("the file " name " belongs to another chapter: here a file's path " \
                    "begins with " chapter "/")
            if (name !~ /^[a-z0-9]+\/[A-Za-z0-9_.\/-]+$/ || name ~ /\.\./)
                wrong("the file name " name ": letters, digits, _ . - and / only, and no ..")
        } else if (name ~ /^[A-Z]/)
            impolite(FILENAME, FNR, "a chunk's name is a verb phrase in lower case: \"" \
                tolower(substr(name, 1, 1)) substr(name, 2) "\"")
        if (!gap)
            impolite(FILENAME, FNR, "nothing introduces this chunk: say in a sentence " \
                "before it what it does and why")
        gap = 0
        if (!((chapter, name) in defined)) {
            defined[chapter, name] = FNR
            page_of[chapter, name] = FILENAME
            order[chapter, ++chunks[chapter]] = name
        } else if (page_of[chapter, name] != FILENAME)
            wrong("the chunk \"" name "\" is defined in " page_of[chapter, name] \
                ":" defined[chapter, name] " too, and the pages of a chapter share " \
                "their chunks: rename one")
        next
    }
    if (lang == "c" || lang == "cuda")
        wrong("a fence marked " lang " must be a chunk: begin it with its name " \
            "in double angle brackets and =, or mark it text")
}
fence == 3 && inside == "" && lang != "text" && /^@( %def.*)?$/ {
    wrong("an @ that closes no chunk: its name is missing, or not on the first " \
        "line of the fence")
}
lang == "console" && fence && /^\$ / { dollars++ }

# check the end of a chunk
inside != "" && closed && /[^ \t]/ {
    wrong("text after the @ that closes the chunk: the fence ends right behind it")
    next
}
inside != "" && /^@( |$)/ {
    closed = 1
    if ($0 !~ /^@[ \t]*$/ && $2 != "%def")
        wrong("only %def may follow the @ that closes a chunk")
    next
}
inside != "" && FNR > opened + 1 {
    count++
    if (/\t/ && (lang == "c" || lang == "cuda"))
        wrong("a tab in the code: indent with four blanks")
    if (/^[ \t]*<[<][^<>]*>[>][ \t]*$/) {
        if (/^ *\t/)
            wrong("a reference is indented with blanks: a tab would be lost on " \
                "all lines but the first")
        used = $0; sub(/^[ \t]*<[<]/, "", used); sub(/>[>][ \t]*$/, "", used)
        if (!((chapter, used) in uses)) {
            uses[chapter, used] = FNR
            used_on[chapter, used] = FILENAME
        }
        if (previous ~ /\\$/)
            wrong("a reference inside a macro: write the macro without chunks")
        calls[chapter, inside] = calls[chapter, inside] "\n" used
    } else if (match($0, /<[<][^<>]+>[>]/)) {
        suspicious(substr($0, RSTART + 2, RLENGTH - 4))
    }
    previous = $0
}
function suspicious(name) {
    suspect[++suspects] = FNR
    suspect_on[suspects] = FILENAME
    within[suspects] = chapter SUBSEP name
    macro[suspects] = $0 ~ /\\$/
}

# check what the whole chapter says
END {
    if (page != "")
        finish_page()
    for (chapter in chunks) check_names()
    for (i = 1; i <= suspects; i++)
        if (within[i] in defined)
            complain(suspect_on[i], suspect[i], macro[i] \
                ? "a reference inside a macro: write the macro without chunks" \
                : "a reference stands alone on its line: move the rest to a " \
                    "line of its own")
    exit bad
}
function finish_page() {
    finish_paragraph()
    if (fence)
        complain(page, opened, "this fence is never closed: end it with " \
            substr("``````````", 1, fence))
    if (fence && inside != "" && !closed)
        complain(page, opened + 1, "the chunk \"" inside "\" is still open: " \
            "close it with a line that holds @")
    if (!titled)
        impolite(page, 1, "the chapter has no title: begin it with `# Title " \
            "{#" slug "}`")
}
function check_names(    i, k, key, name) {
    for (key in uses) {
        split(key, k, SUBSEP)
        if (k[1] == chapter && !(key in defined))
            complain(used_on[key], uses[key], "the chunk \"" k[2] "\" is not " \
                "defined: write it, or fix the name" nearest(k[2]))
    }
    for (i = 1; i <= chunks[chapter]; i++) {
        name = order[chapter, i]
        if (name !~ /^[a-z0-9]+\/[^ ]+$/ && !((chapter, name) in uses))
            impolite(page_of[chapter, name], defined[chapter, name],
                "the chunk \"" name "\" is used nowhere: refer to it, or take " \
                "it out")
        if (!((chapter, name) in done))
            walk(name, "")
    }
}

# follow the references of a chunk
function walk(name, trail,    part, k, i) {
    if (index(trail, "\n" name "\n")) {
        complain(page_of[chapter, name], defined[chapter, name],
            "the chunk \"" name "\" contains itself: break the circle")
        return
    }
    if ((chapter, name) in done)
        return
    k = split(calls[chapter, name], part, "\n")
    for (i = 2; i <= k; i++)
        walk(part[i], trail "\n" name "\n")
    done[chapter, name] = 1
}
function nearest(name,    i, l, best, guess) {
    for (i = 1; i <= chunks[chapter]; i++) {
        for (l = 0; l < length(name) && substr(order[chapter, i], 1, l + 1) == \
            substr(name, 1, l + 1); l++)
            ;
        if (l > best) { best = l; guess = order[chapter, i] }
    }
    return best >= 4 ? " (did you mean \"" guess "\"?)" : ""
}
