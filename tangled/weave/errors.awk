# errors.awk: has each error of the source notes its place and a test that ran?
# Usage: awk [-v has="loom gpu nvcc"] -f errors.awk errors.txt toc.txt tests/*.t
#        book/*.md [build/tap/*.tap bench/results/GPU/check.tap]
# Without .tap files it asks only that tests/X.t has the assertion. Exits 1 when
# it has found something.
FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    fence = 0
}
name == "errors.txt" { take_error(); next }
name == "toc.txt" { if (NF >= 4) status[$2] = $3; next }
name ~ /\.t$/ { take_assertions($0); next }
name ~ /\.tap$/ { take_result(); next }

# find the boxes and the lines of appendix E
/^```/ {
    match($0, /^`+/)
    if (!fence) fence = RLENGTH
    else if (RLENGTH >= fence && /^`+[ \t]*$/) fence = 0
}
!fence && /^:::+ *([{][^}]*\.said|said)/ {
    owner = name
    sub(/^[^-]*-/, "", owner); sub(/[-.].*/, "", owner)
    if (!match($0, /#[^ }]+/)) {
        wrong("a said box without an id: give it one of errors.txt, such as #E12")
        next
    }
    id = substr($0, RSTART + 1, RLENGTH - 1)
    if (attr($0, "source") != "many")
        found(id, owner, attr($0, "test"))
}
!fence && name ~ /^E-/ && /^- \[E[0-9]/ {
    id = $2
    sub(/^\[/, "", id); sub(/\].*/, "", id)
    if (attr_id($0) != id)
        wrong("the line of " id " has the anchor \"" attr_id($0) "\": write [" id \
            "]{#" id "}")
    s = $0
    if (!sub(/.*\]\(\.\.\/tests\//, "", s)) s = ""
    sub(/\.t\).*/, "", s)
    owner = (id in chapter) ? chapter[id] : ""
    if (owner != "" && $0 !~ "\\]\\([0-9A-Z]+[a-z]?-" owner "[-.]")
        wrong("the line of " id " links no page of its chapter, " owner)
    found(id, owner, s)
}
END {
    for (i = 1; i <= last; i++) if (("E" i) in chapter) judge("E" i)
    exit bad
}

# read errors.txt
function take_error(    n) {
    if (/^#/) return
    if (!/^E[1-9][0-9]* ([a-z]+ [^ ].*|-)$/) {
        wrong("\"" $0 "\": a line is an id, the slug of a chapter and what was " \
            "said, or an unused id and a -")
        return
    }
    n = substr($1, 2) + 0
    if ($1 in line)
        wrong($1 " has this line and line " line[$1] ": give each error one")
    else if (n != last + 1)
        wrong($1 " follows E" last ": E" last + 1 " is missing")
    if (n > last) last = n
    line[$1] = FNR
    list = FILENAME
    if ($2 != "-") chapter[$1] = $2
}

# read what the tests assert and what ran
function take_assertions(s,    t) {
    t = name
    sub(/\.t$/, "", t)
    while (match(s, /"E[0-9]+: /)) {
        asserts[t, substr(s, RSTART + 1, RLENGTH - 3)] = 1
        s = substr(s, RSTART + RLENGTH)
    }
}
function take_result(    id, t) {
    taps = 1
    if (!/^(not )?ok [0-9]+ - E[0-9]+: /) return
    id = $0
    sub(/^[^E]*/, "", id); sub(/:.*/, "", id)
    t = name
    sub(/\.tap$/, "", t)
    if (/^not ok/) wrong(id ": this assertion failed")
    else if (!/# SKIP/) ran[name == "check.tap" ? "kept" : t, id] = 1
}

# judge where an error stands
function found(id, owner, t) {
    if (!(id in chapter)) {
        wrong("there is no error " id " in " list ", which goes from E1 to E" last)
        return
    }
    if (id in place) {
        wrong(id " has a place already, " place[id] ": give each error one")
        return
    }
    place[id] = FILENAME ":" FNR
    place_file[id] = FILENAME; place_line[id] = FNR
    needs[id] = attr($0, "needs"); test[id] = t
    if (owner != chapter[id])
        wrong(id " stands in chapter " owner ", and " list ":" line[id] \
            " says " chapter[id])
    if (t == "")
        wrong(id " names no test: say which shows it, such as " \
            (name ~ /^E-/ ? "[test](../tests/" : "test=\"") chapter[id] \
            (name ~ /^E-/ ? ".t)" : "\""))
    if (needs[id] !~ /^(gpu|nvcc|cudnn)?$/)
        wrong(id " needs \"" needs[id] "\": only gpu, nvcc and cudnn can be needed")
}
function judge(id,    c, at) {
    c = chapter[id]
    if (!(c in status))
        complain(list, line[id], id " belongs to \"" c "\", which is no chapter " \
            "of toc.txt")
    else if (!(id in place) && status[c] == "written")
        complain(list, line[id], id " has no box and no line in appendix E, and " \
            "its chapter, " c ", is written")
    if (!(id in place) || test[id] == "") return
    at = id " names tests/" test[id] ".t, "
    if (!((test[id], id) in asserts))
        complain(place_file[id], place_line[id], at "which has no assertion \"" \
            id ": ...\"")
    else if (!taps) return
    else if ((test[id], id) in ran) {
        if (needs[id] != "" && index(" " has " ", " " needs[id] " ") == 0)
            complain(place_file[id], place_line[id], id " ran without " \
                needs[id] ": take needs=" needs[id] " away")
    } else if (needs[id] == "")
        complain(place_file[id], place_line[id], at "where no assertion of it " \
            "ran: all were skipped or left out; needs=gpu if Loom cannot run it")
    else if (!(("kept", id) in ran))
        complain(place_file[id], place_line[id], at "where no assertion of it " \
            "ran, neither here nor in the recorded check.tap")
}

# say what is wrong with an error
function complain(file, at, what) {
    print file ":" at ": " what
    bad = 1
}
function wrong(what) { complain(FILENAME, FNR, what) }
function attr(s, key) {
    if (!match(s, "[ {]" key "=\"?[^ \"}]+")) return ""
    s = substr(s, RSTART + 1, RLENGTH - 1)
    sub(/^[^=]*="?/, "", s)
    return s
}
function attr_id(s) {
    return match(s, /[{]#[^ }]+/) ? substr(s, RSTART + 2, RLENGTH - 2) : ""
}
