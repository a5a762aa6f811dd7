# tests/coverage.awk: the chunks that no test has executed.
#
#   gcov -t -r *.gcno | awk -f tests/coverage.awk tests/coverage.txt -
#
# A chunk with executable lines of which none was executed is printed, with its
# place; so is a line of coverage.txt that excuses a chunk for nothing. Exits 1
# when there are any.

FILENAME == "tests/coverage.txt" {
    if (/^[^#]/ && split($0, part, /  +/) == 3)
        excused[part[1] "\t" part[2]] = FNR
    next
}
/^ *-: *0:Source:/ { file = $0; sub(/^[^:]*:[^:]*:Source:/, "", file); next }
file ~ /^book\// && !/^ *-:/ {
    split($0, part, ":")
    line = part[2] + 0
    code[file, line] = 1
    files[file] = 1
    if (part[1] !~ /[#=]/) ran[file, line] = 1
}
END {
    for (file in files) read_chapter(file)
    for (key in excused) {
        split(key, part, "\t")
        say("tests/coverage.txt:" excused[key], part[2] ": " \
            (key in done ? "is executed" : "is no chunk of " part[1]) ", so this line can go")
    }
    print "coverage: " chunks " chunks that Loom compiles, " missed + 0 " not executed"
    exit missed > 0
}

function read_chapter(file,    s, n, name, start, has, did) {
    while ((getline s < file) > 0) {
        n++
        if (match(s, /^<[<].*>[>]=$/)) {
            name = substr(s, 3, RLENGTH - 5); start = n; has = did = 0
        } else if (name != "" && s ~ /^@( |$)/) {
            if (has) judge(file, start, name, did)
            name = ""
        } else if ((file, n) in code) {
            has = 1
            if ((file, n) in ran) did = 1
        }
    }
    close(file)
}
function judge(file, start, name, did,    key) {
    chunks++
    key = file "\t" name
    if (did) done[key] = 1
    else if (key in excused) delete excused[key]
    else say(file ":" start, "<" "<" name ">" ">: no test executes it on Loom")
}
function say(where, what) { print where ": " what; missed++ }
