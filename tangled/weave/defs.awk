# defs.awk: a noweb filter. Adds "@index defn name" for what C, CUDA, awk, Lua
# and shell define: functions, kernels, macros, types, variables of a file.
/^@text ```/ {
    if (!code) {
        lang = substr($0, 7)
        sub(/^`+ */, "", lang)
        sub(/ .*/, "", lang)
    }
}
/^@begin code / { code = 1; line = "" }
/^@end code/    { code = 0 }
code && /^@text / { line = line substr($0, 7) }
{ print }
/^@nl$/ && code { if (line != "") scan(line); line = "" }
function scan(s) {
    if (lang == "c" || lang == "cuda") scan_c(s)
    else if (lang == "awk" || lang == "lua") scan_function(s)
    else if (lang == "sh" && match(s, /^[a-z_][a-z_0-9]*\(\)/))
        defines(substr(s, 1, RLENGTH - 2))
}
BEGIN {
    n = split("return else if for while do switch case goto using namespace", w, " ")
    while (n) statement[w[n--]]
}
function defines(name) { if (name != "main") print "@index defn " name }

# find a function of awk or Lua
function scan_function(s) {
    if (!match(s, /^(local )?function [A-Za-z_][A-Za-z_0-9]*/))
        return
    s = substr(s, 1, RLENGTH)
    sub(/.* /, "", s)
    defines(s)
}

# find a definition in C or CUDA
function scan_c(s,    head) {
    if (match(s, /^#define[ \t]+[A-Za-z_][A-Za-z_0-9]*/)) {
        head = substr(s, 1, RLENGTH)
        sub(/^#define[ \t]+/, "", head)
        if (head !~ /_H$/)
            defines(head)
        return
    }
    s = without_attributes(s)
    if (s !~ /^[A-Za-z_]/ || (first_word(s) in statement))
        return
    head = s
    sub(/^typedef +/, "", head)
    if (s !~ /\(/ && match(head, /^(struct|union|enum) +[A-Za-z_][A-Za-z_0-9]* *([{]|$)/)) {
        head = substr(head, 1, RLENGTH)
        sub(/ *[{]?$/, "", head)
        defines(last_word(head))
    } else if (match(s, /^[^(=;]*[ *][A-Za-z_][A-Za-z_0-9]* *\(/)) {
        head = substr(s, 1, RLENGTH - 1)
        if (s !~ /;[ \t]*$/ || s ~ /[{]/)
            defines(last_word(head))
    } else
        scan_variable(s)
}
function scan_variable(s) {
    if (s ~ /[;=\[]/ && s ~ /^(static|extern|__constant__|__device__|__managed__) /) {
        sub(/[=;\[].*/, "", s)
        defines(last_word(s))
    }
}
function first_word(s) {
    match(s, /^[A-Za-z_0-9]+/)
    return substr(s, 1, RLENGTH)
}
function without_attributes(s) {
    gsub(/(__launch_bounds__|__align__|alignas) *\([^)]*\)/, "", s)
    gsub(/__attribute__\(\([^()]*(\([^()]*\))?[^()]*\)\) */, "", s)
    sub(/^extern "C" */, "", s)
    sub(/^template *<[^>]*> */, "", s)
    return s
}
function last_word(s) {
    sub(/[ \t]+$/, "", s)
    return match(s, /[A-Za-z_][A-Za-z_0-9]*$/) ? substr(s, RSTART) : ""
}
