# rewrite.awk: CUDA's launches and dynamic shared memory as C++.
# Usage: awk -f rewrite.awk x.cu > y.cu      Exits 1 when it cannot read one.
{
    # note which file and line this is
    if (NR == 1) { file = FILENAME; line = 0 }
    at_file[NR] = file; at_line[NR] = ++line
    if ($0 ~ /^[ \t]*#[ \t]*line[ \t]+[0-9]+/) {
        line = $0
        sub(/^[ \t]*#[ \t]*line[ \t]+/, "", line)
        if (split(line, word, "\"") >= 3) file = word[2]
        line = line - 1
    }
    source = source $0 "\n"
    mask = mask blank($0) "\n"
}
END {
    if (NR == 0 || refused)
        exit refused
    if (ending != "")
        refuse_line(opened, "what begins here, a comment or a raw string, never ends", column)
    print "#line 1 \"" FILENAME "\""
    rewrite()
    printf "%s", out substr(source, done)
    name_variables()
}

# say what cannot be read
function refuse_line(n, what, column,    text, indent) {
    split(source, text, "\n")
    indent = substr(text[n], 1, column - 1)
    gsub(/[^\t]/, " ", indent)
    print at_file[n] ":" at_line[n] ": error: " what "\n" text[n] "\n" indent "^" > "/dev/stderr"
    refused = 1
    exit 1
}
function refuse(pos, what,    before, n) {
    before = substr(source, 1, pos - 1)
    n = gsub(/\n/, "\n", before)
    sub(/^.*\n/, "", before)
    refuse_line(n + 1, what, length(before) + 1)
}

# blank comments and strings
function spaces(n) { return n > 0 ? sprintf("%" n "s", "") : "" }
function blank(s,    code, c, n) {
    code = ""
    while (s != "") {
        if (ending != "") {
            # skip to the end of what began before
            n = index(s, ending)
            n = n ? n + length(ending) - 1 : length(s)
            if (ending == "\n")         # a line comment that a backslash continues
                ending = s ~ /\\$/ ? "\n" : ""
            else if (index(s, ending))
                ending = ""
            code = code spaces(n)
            s = substr(s, n + 1)
            continue
        }
        if (!match(s, /\/\/|\/\*|["']/)) { code = code s; break }
        code = code substr(s, 1, RSTART - 1)
        c = substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART)
        # begin a comment or a literal
        n = length(s)
        opened = NR; column = length(code) + 1
        if (c == "//") {
            if (s ~ /\\$/) ending = "\n"
        } else if (c == "/*") {
            ending = "*" "/"
            n = 2
        } else if (c == "\"" && code ~ /(^|[^A-Za-z0-9_])(u8|u|U|L)?R$/ && match(s, /^"[^(]*\(/)) {
            ending = ")" substr(s, 2, RLENGTH - 2) "\""
            n = RLENGTH
        } else if (c == "'" && code ~ /(^|[^A-Za-z0-9_])[0-9][A-Za-z0-9_.]*$/) {
            code = code "0"
            s = substr(s, 2)
            continue
        } else if (match(s, "^" c "([^" c "\\\\]|\\\\.)*" c)) {
            code = code c
            s = substr(s, 2)
            n = RLENGTH - 1
        } else if (s ~ /\\$/) {
            ending = c   # a literal that goes on in the next line
        }
        code = code spaces(n)
        s = substr(s, n + 1)
    }
    sub(/\\$/, " ", code)   # a macro goes on in the next line
    return code
}

# walk over the mask
function at(p) { return p > 0 ? substr(mask, p, 1) : "" }
function back(p) { while (at(p) ~ /[ \t\n]/) p--; return p }
function ahead(p) { while (at(p) ~ /[ \t\n]/) p++; return p }
function in_word(p) { return at(p) ~ /[A-Za-z0-9_]/ }
function word_start(p) { while (in_word(p - 1)) p--; return p }
function opening(p,    from, depth, c) {
    from = p; depth = 0
    if (at(p) == ">") {
        for (; p > 0; p--) {
            c = at(p)
            if (c ~ /[])]/) p = opening(p)
            else if (c == ">") depth++
            else if (c == "<" && --depth == 0) return p
            else if (c ~ /[;{}]/) break
        }
    } else {
        for (; p > 0; p--) {
            c = at(p)
            if (c ~ /[])}]/) depth++
            else if (c ~ /[[({]/ && --depth == 0) return p
        }
    }
    refuse(from, "the " at(from) " before this launch closes nothing")
}

# find where a kernel's name begins
function name_start(p,    q, r, w) {
    if (at(p) == ">")
        p = back(opening(p) - 1)
    while (at(p) ~ /[])]/) {
        value = 1
        q = opening(p)
        p = back(q - 1)
        if (!in_word(p) && at(p) !~ /[])]/) return q   # (a ? b : c)
        w = word_start(p)
        if (substr(mask, w, p - w + 1) ~ /^(return|if|while|for|else|do)$/) return q
    }
    if (!in_word(p))
        refuse(p, "a launch needs the name of a kernel before its <" "<<")
    p = word_start(p)
    q = back(p - 1)
    r = at(q) == "." ? q : at(q) == ">" && at(q - 1) == "-" ? q - 1 : 0
    if (r > 0) {
        value = 1
        return name_start(back(r - 1))
    }
    if (at(q) == ":" && at(q - 1) == ":") {
        r = back(q - 2)
        w = word_start(r)
        if ((in_word(r) || at(r) == ">") && substr(mask, w, r - w + 1) !~ /^(return|else|do)$/)
            return name_start(r)
        return q - 1
    }
    return p
}

# find where the configuration ends
function config_end(p,    from, depth, c, n) {
    from = p; commas = depth = 0
    for (; (c = at(p)) != ""; p++) {
        if (c ~ /[[({]/) depth++
        else if (c ~ /[])}]/ && --depth < 0) break
        else if (depth == 0 && c == ";") break
        else if (depth == 0 && c == ",") commas++
        else if (depth == 0 && c == ">") {
            for (n = 1; at(p + n) == ">"; ) n++
            if (n > 2 && at(ahead(p + n)) == "(") return p + n - 3
            p += n - 1
        }
    }
    refuse(from, "this launch has no end: write kernel<" "<<grid, block>" ">>(arguments)")
}

# find arguments that are zero
# Fills zero[] and zeros[] with the places and texts of such arguments.
function zero_arguments(p,    c, n, depth, from, word) {
    n = depth = 0
    for (from = p + 1; (c = at(p)) != ""; p++) {
        if (depth == 1 && c ~ /[,)]/) {
            word = substr(mask, from, p - from)
            if (match(word, /[^ \t\n]+/) && substr(word, RSTART) ~ /^(0|NULL)[ \t\n]*$/) {
                zero[++n] = from + RSTART - 1
                zeros[n] = substr(word, RSTART, RLENGTH)
            }
            from = p + 1
        }
        if (c ~ /[[({]/) depth++
        else if (c ~ /[])}]/ && --depth == 0) break
    }
    return n
}

# rewrite a launch
function rewrite_launch(i,    b, e, q, k, n, name, text) {
    e = back(i - 1)
    if (at(i + 3) == "<")
        refuse(i, "this is no launch: is it the mark of a merge conflict?")
    value = 0
    b = name_start(e)
    q = config_end(i + 3)
    if (commas < 1 || commas > 3)
        refuse(i, "a launch takes a grid and a block, then perhaps bytes of shared memory and a stream; this one has " (commas + 1) " of the four")
    n = zero_arguments(ahead(q + 3))
    text = name = substr(source, b, e - b + 1)
    gsub(/\\?[ \t\n]+/, " ", name)
    gsub(/["\\]/, "\\\\&", name)
    out = out substr(source, done, b - done) "loom_kernel(\"" name "\", "
    if (value)
        out = out "[loom_k = " text "](auto... loom_a) { loom_k(loom_a...); })"
    else
        out = out (n ? "LOOM_ZEROS(" text ")" : "[=](auto... loom_a) { " text "(loom_a...); }") ")"
    out = out substr(source, e + 1, i - e - 1) "(loom_config(" substr(source, i + 3, q - i - 3) "))"
    for (e = q + 3; k++ < n; e = zero[k] + length(zeros[k]))
        out = out substr(source, e, zero[k] - e) "loom_zero()"
    return e
}

# rewrite dynamic shared memory
function in_function(p,    depth, c, head) {
    for (depth = 0; p > 0; p--) {
        c = at(p)
        if (c == "}") depth++
        else if (c == "{" && depth-- == 0) {
            depth = 0
            head = substr(mask, 1, p - 1)
            sub(/^.*[;{}]/, "", head)
            if (head ~ /\(/ || head !~ /(^|[^A-Za-z0-9_])(namespace|extern)([^A-Za-z0-9_]|$)/)
                return 1
        }
    }
    return 0
}
function rewrite_shared(b,    n, text, type, breaks) {
    n = index(substr(mask, b), ";")
    text = substr(mask, b, n - 1)
    breaks = text
    gsub(/[^\n]/, "", breaks)
    gsub(/[ \t\n]+/, " ", text)
    sub(/^extern __shared__ /, "", text)
    gsub(/(__align__|alignas) ?\([^)]*\) ?/, "", text)
    type = text
    if (n == 0 || !sub(/ ?[A-Za-z_][A-Za-z0-9_]* ?\[ ?\] ?$/, "", type) || type == "" || type ~ /[[]/)
        refuse(b, "write this as extern __shared__ T name[]; with one name")
    text = substr(text, length(type) + 1)
    gsub(/[] []/, "", text)
    out = out substr(source, done, b - done) (in_function(b - 1) ? "LOOM_DYNAMIC_SHARED(" : "LOOM_DYNAMIC_GLOBAL(") text ", " type ");" breaks
    return b + n
}

# drop a cast
function drop_cast(b, n,    text, first, breaks) {
    text = substr(mask, b, n)
    first = index(text, "(")
    breaks = substr(text, first + 1)
    gsub(/[^\n]/, "", breaks)
    out = out substr(source, done, b + first - done) breaks
    return b + n
}

# rewrite all there is
function rewrite(    p, i) {
    p = done = 1
    while (match(substr(mask, p), /<<<|extern[ \t\n]+__shared__|cudaLaunch(Cooperative)?Kernel[ \t\n]*\([ \t\n]*\((const[ \t\n]+)?void[ \t\n]*\*[ \t\n]*\)/)) {
        i = p + RSTART - 1
        if (at(i) == "e" && !in_word(i - 1))
            p = done = rewrite_shared(i)
        else if (at(i) == "c")
            p = done = drop_cast(i, RLENGTH)
        else if (at(i) == "<" && substr(mask, word_start(back(i - 1)), 8) != "operator")
            p = done = rewrite_launch(i)
        else
            p = i + RLENGTH
    }
}

# name what belongs to the device
# The names that a declaration with __device__ or the like gives to variables,
# or with __global__ to a kernel.
function declared(p, word,    name, names, c, e) {
    kind = word == "managed" ? "managed " : ""
    for (; (c = at(p)) != "" && c !~ /[;{})]/; p++)
        if (c == "(") {
            e = ahead(ahead(p + 1) + 1)
            if (name ~ /^(__align__|__launch_bounds__|alignas|__attribute__|decltype)$/)
                p = closing(p)
            else if (at(ahead(p + 1)) == "*" && in_word(e))
                return names " " word_at(e)     # a pointer to a function
            else {
                kind = "kernel "
                return word == "global" ? name : ""
            }
        } else if (c ~ /[=\[]/) {
            while ((c = at(p)) !~ /[;,]/ && c != "")
                p = c ~ /[[({]/ ? closing(p) + 1 : p + 1
            p--
        } else if (c == ",") {
            names = names " " name
        } else if (in_word(p)) {
            name = word_at(p)
            p += length(name) - 1
            if (name == "__managed__") kind = "managed "
        }
    return c == ";" || c == "{" ? names " " name : ""
}
function word_at(p) {
    match(substr(mask, p), /^[A-Za-z0-9_]+/)
    return substr(mask, p, RLENGTH)
}
function closing(p,    depth, c) {
    for (; (c = at(p)) != ""; p++) {
        if (c ~ /[[({]/) depth++
        else if (c ~ /[])}]/ && --depth == 0) break
    }
    return p
}
function name_variables(    p, list, n, i, name) {
    p = 1
    while (match(substr(mask, p), /__(device|constant|managed|global)__/)) {
        p += RSTART + RLENGTH - 1
        list = declared(p, substr(mask, p - RLENGTH + 2, RLENGTH - 4))
        n = split(list, name, " ")
        for (i = 1; i <= n; i++)
            printf "__asm__(\".pushsection .loom,\\\"\\\";.string \\\"%s%s\\\";.popsection\");\n", kind, name[i]
    }
}
