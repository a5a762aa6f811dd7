# split.awk: tagged text -> the clean files under out/, and for C and CUDA their
# twins under twin/, the same text with #line where the numbering jumps.
# Variables: out, twin. Prints the name of each file.
/^\002/ {
    # begin the next file
    if (file != "") { close(clean); if (lines) close(lined) }
    split($0, p, "\001"); file = substr(p[1], 2)
    clean = out "/" file; lined = twin "/" file
    lines = file ~ /\.(c|h|cu|cuh)$/
    folder = file; sub(/\/[^\/]*$/, "", folder)
    system("mkdir -p '" out "/" folder "' '" twin "/" folder "'")
    last = 0; last_page = ""
    print file
    next
}
{
    n = split($0, p, "\001")
    at = n > 1 ? p[2] + 0 : last + 1
    page = n > 1 ? substr(p[2], index(p[2], " ") + 1) : last_page
    text = p[1] ~ /^[ \t]*$/ ? "" : p[1]
    if (sub(/^\003/, "", text) && last && before != "") {
        print "" > clean
        if (lines) print "" > lined
        last++
    }
    sub(/\003/, "", text)                       # inside a chunk that is used indented
    before = text
    print text > clean
    if (lines && (at != last + 1 || page != last_page))
        printf "#line %d \"%s\"\n", at, page > lined
    if (lines)
        print text > lined
    last = at; last_page = page
}
