# tag.awk: a noweb filter. Ends each line of code with \001, its line in the book
# and the page, writes a chunk's name in a comment above its use, and starts each file
# (a chunk whose name is a path) with a line of \002 and its name.
BEGIN {
    split("c cuda css js awk sh make python toml yaml lua tex html", word, " ")
    split("/* ,/* ,/* ,/* ,# ,# ,# ,# ,# ,# ,-- ,% ,<!-- ", before, ",")
    for (i in word) opening[word[i]] = before[i]
}

# follow the stream of noweb
/^@file /       { line = 1; page = substr($0, 7) }
/^@text ```/    { if (!code) { lang = $2; sub(/^`+/, "", lang) } }
/^@begin code/  { code = 1; head = 1; indent = "" }
/^@end code/    { code = 0 }
code && /^@defn / { name = substr($0, 7) }
code && /^@text [ \t]*$/ { indent = substr($0, 7) }
code && /^@use / && lang in opening {
    c = opening[lang]
    e = c == "/* " ? " */" : c == "<!-- " ? " -->" : ""
    print "@text " (indent == "" ? "\003" : "") c substr($0, 6) e "\001" line " " page
    print "@nl"
    if (indent != "")
        print "@text " indent
}

# tag the end of a line
/^@nl$/ && code && !head { print "@text \001" line " " page }
{ print }
/^@nl$/ {
    if (code && head && name ~ /^[a-z0-9]+\/[^ ]+$/ && !(name in begun)) {
        begun[name] = 1
        print "@text \002" name "\n@nl"
    }
    if (code) head = 0
    indent = ""
}
/^@nl$/ || /^@index nl$/ { line++ }
