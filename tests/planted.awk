# tests/planted.awk: reads tests/planted/*.txt, which tests/planted.sh explains.
#   awk -f tests/planted.awk FILE           the list: name, control, needs, why
#   awk -v want=NAME -v dir=DIR ... FILE    one record: DIR/file, DIR/only, DIR/by, ...
# FILE.same has same: for only:, why: and by:.
# Fields of the list are parted by tabs. The control of a record is the first that has
# the same only:, and DIR/all has the by: and with: of all of these. What is wrong is said in
# one sentence on standard error; then the exit status is 2.

function bad(what)
{
    if (want != "" && name != "" && name != want) return
    print FILENAME ":" FNR ": " (name == "" ? "" : "bug " name ": ") what >"/dev/stderr"
    wrong = 1
}

function finish(    i, k, n, need)
{
    n = split("file " (reason == "same" ? "" : "only why ") reason " old new", need, " ")
    for (i = 1; i <= n; i++) {
        k = need[i]
        if (!(k in text) && !(k == "only" && text["file"] ~ /^weave\//))
            bad(k == "old" || k == "new" ? "there is no text under --- " k : \
                "it must say " k ":")
    }
    if (text["by"] == "*" && FILENAME ~ /^tests\/planted\//)
        bad("it must say which assertion catches it")
    if (text["old"] == "") bad("the old text is empty")
    if (text["old"] == text["new"]) bad("the old and the new text are the same")
    if ("limit" in text && text["limit"] !~ /^[1-9][0-9]*$/)
        bad("limit: " text["limit"] " is no number of seconds")
    if (!(text["only"] in control)) control[text["only"]] = name
    if (want == "")
        print name "\t" control[text["only"]] "\t" \
            (text["needs"] == "" ? "-" : text["needs"]) "\t" text["why"]
    else if (name == want) {
        for (k in text) printf "%s\n", text[k] >(dir "/" k)
        found = text["only"]
    }
    n = split(reason " with", need, " ")
    for (i = 1; i <= n; i++) {
        k = need[i]
        if (!(k in text) || (text["only"], text[k]) in named) continue
        all[text["only"]] = all[text["only"]] text[k] "\n"
        named[text["only"], text[k]] = 1
    }
    split("", text); split("", lines)
    name = part = ""
}

BEGIN { reason = ARGV[1] ~ /\.same$/ ? "same" : "by" }
part == "new" && $0 == "---" { finish(); next }
/^--- (old|new)$/ && name != "" && part != "new" {
    part = substr($0, 5)
    text[part] = ""
    next
}
part != "" { text[part] = text[part] (lines[part]++ ? "\n" : "") $0; next }
/^#/ || /^ *$/ { next }
/^[a-z]+: *[^ ]/ {
    k = $1; sub(/:$/, "", k)
    v = $0; sub(/^[a-z]+: */, "", v); sub(/ *$/, "", v)
    if (k == "name") {
        if (name != "") bad("it has no end, a line ---")
        name = v
        if (name !~ /^[a-z0-9-]+$/) bad("a name has small letters, digits and -")
        if (name in seen) bad("there are two of this name")
        seen[name] = 1
    } else if (name == "")
        bad("a bug begins with name:, not with " k ":")
    else if (index(" file only why limit needs with " reason " ", " " k " "))
        text[k] = v
    else
        bad("there is no field " k ":")
    next
}
{ bad("cannot read this line: " $0) }
END {
    if (name != "") bad("it has no end, a line ---")
    name = ""
    if (want != "" && !(want in seen)) bad("there is no bug called " want)
    if (wrong) exit 2
    if (want != "") {
        print control[found] >(dir "/control")
        printf "%s", all[found] >(dir "/all")
    }
}
