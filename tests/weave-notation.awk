# weave-notation.awk: from the table of all notation in appendix D, a chapter
# "example" in which each of its examples is used.  For tests/weave-site.t.
# The file named by -v workshop receives its workshop page.
# A row is "| for | `what you type` | what to know |".
/^\| *For \| you type/ { on = 1; next }
on && !/^\|/ { on = 0 }
on && /^\|[-:]/ { next }
on {
    split($0, cell, / *\| */)
    s = cell[3]
    if (sub(/^`` /, "", s)) sub(/ ``$/, "", s)
    else { sub(/^`/, "", s); sub(/`$/, "", s) }
    row[++rows] = s
}
function fence(open, text) { print "Text.\n\n" open "\n" text "\n```\n" }
function box(open, text) { print open "\n" text "\n:::\n" }
END {
    for (i = 1; i <= rows; i++)
        if (row[i] ~ /^# Workshop: /) print row[i] "\n\nText." > workshop
        else if (row[i] ~ /^# /) print row[i] "\n"
    for (i = 1; i <= rows; i++) write(row[i])
    fence("```c", file "\n" use "\n@")
    fence("```c", name "\nint triple;\n" end)
    fence("```c", lost "\n" wrong "\nint main(void) { return lost; }\n@")
    print "# " rows " rows" > "/dev/stderr"
}
function write(s) {
    if (s ~ /^# /) return
    else if (s ~ /^##/) print s "\n\nText.\n"
    else if (s ~ /^<<.*\/wrong\/.*>>=$/) lost = s
    else if (s ~ /^<<.*\/.*>>=$/) file = s
    else if (s ~ /^<<.*>>=$/) name = s
    else if (s ~ /^<<.*>>$/) use = "    " s
    else if (s == "@") fence("```cuda", "<<example/empty.cu>>=\nint none;\n" s)
    else if (s ~ /^@ %def/) end = s
    else if (s ~ /^\/\* wrong:/) wrong = s
    else if (s ~ /^```console/) fence(s, "$ true")
    else if (s ~ /^```text/) fence(s, "anything")
    else if (s ~ /^```/) fence(s, "<<example/other.cu>>=\nint other;\n@")
    else if (s ~ /^::: before/) box(s, "Assumes: nothing.")
    else if (s ~ /\.said/) box(s, "A statement.\n\nWhat is true.")
    else if (s ~ /^:::/) box(s, "**Some words.** More.")
    else if (s ~ /^!\[/) print s "\n"
    else if (s ~ /^: /) print "| a |\n|---|\n| b |\n\n" s "\n"
    else print "As " s " says.\n"
}
