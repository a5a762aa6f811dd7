# rewrite.awk: CUDA's launches, kernels and dynamic shared memory as C++.
# Usage: awk -f rewrite.awk x.cu > y.cu      Exits 1 when it cannot read one.
#    or: g++ -E ... | awk -v loom=FOLDER -v shared=__thread -v libraries=F:F -v included=F:F -f rewrite.awk
# In what g++ -E wrote, CUDA's words are replaced as well, but not in the headers
# of libraries, unless the command line has named their folder.
BEGIN {
    folders = split(libraries, folder, ":"); marks = 0
    for (i = 1; i <= folders; i++) known[folder[i]]
    for (i = split(included, own, ":"); i; i--) if (!(own[i] in known)) ours[own[i]]
}
{
    # note which file and line this is
    if (NR == 1) { file = FILENAME; line = 0 }
    line++
    if (/^[ \t]*#([ \t]*line)?[ \t]+[0-9]/) {
        marker = $0
        sub(/^[ \t]*#([ \t]*line)?[ \t]+/, "", marker)
        line = marker - 1
        if (split(marker, word, "\"") >= 3) file = word[2]
        if (loom) home = owner(file)
    }
    # let the libraries pass
    if (loom && (home != "" || /^# [0-9]/) && ending == "") {
        if (!passing) take("\001", "\001")
        passing = 1
        if (home == "loom" && /^# [0-9]/ && !/" [0-9 ]*3/) $0 = $0 " 3"   # no warnings of it
        passed[marks, ++count[marks]] = home == "loom" ? plain_words($0) : $0
        next
    }
    if (passing) marks++
    passing = 0
    take($0, blank($0))
}
END {
    if (NR == 0 || refused)
        exit refused
    if (ending != "")
        refuse_line(opened, "what begins here, a comment or a raw string, never ends", column)
    source = source some_source; mask = mask some_mask
    if (!loom) print "#line 1 \"" FILENAME "\""
    name_variables()
    name_clusters()
    rewrite()
    put_out(out)
    printf "%s", named
}

# keep the text
# A line and its mask are added to the text, a few hundred at a time.
function take(line_source, line_mask) {
    at_file[++lines] = file; at_line[lines] = line
    some_source = some_source line_source "\n"
    some_mask = some_mask line_mask "\n"
    if (lines % 300) return
    source = source some_source; mask = mask some_mask
    some_source = some_mask = ""
}
function owner(f,    i) {
    if (index(f, loom) == 1) return "loom"
    for (i in ours)
        if (i != "" && index(f, i "/") == 1) return ""
    for (i = 1; i <= folders; i++)
        if (folder[i] != "" && index(f, folder[i]) == 1) return "library"
    return f ~ /^<.*>$/ ? "library" : ""
}
# Where a mark stands, its lines are written.
function put_out(text,    n, i, mark, part) {
    n = split(text, part, "\001\n")
    for (mark = 0; mark < n; mark++) {
        printf "%s", part[mark + 1]
        for (i = 1; i <= count[mark]; i++) print passed[mark, i]
    }
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
function back(p) { while (at(p) ~ /[ \t\n\001]/) p--; return p }
function ahead(p) { while (at(p) ~ /[ \t\n\001]/) p++; return p }
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
# ended: the place behind its mark, which may be written >> >.
function config_end(p,    from, depth, c, n, q) {
    from = p; commas = depth = 0
    for (; (c = at(p)) != ""; p++) {
        if (c ~ /[[({]/) depth++
        else if (c ~ /[])}]/ && --depth < 0) break
        else if (depth == 0 && c == ";") break
        else if (depth == 0 && c == ",") commas++
        else if (depth == 0 && c == ">") {
            for (n = 1; at(p + n) == ">"; ) n++
            ended = p + n
            if (n > 2 && at(ahead(ended)) == "(") return ended - 3
            q = ahead(ended)
            ended = q + 1
            if (n == 2 && at(q) == ">" && at(ahead(ended)) == "(") return p
            p += n - 1
        }
    }
    refuse(from, "this launch has no end: write kernel<" "<<grid, block>" ">>(arguments)")
}

# write the text
# put in order: what is to stand before a place that has not been reached
function put_before(p, text,    k) {
    for (k = later++; k > 0 && before_at[k] > p; k--) {
        before_at[k + 1] = before_at[k]; before_text[k + 1] = before_text[k]
    }
    before_at[k + 1] = p; before_text[k + 1] = text
}
function copy_to(p,    k) {
    while (later && before_at[1] <= p) {
        put(substr(source, done, before_at[1] - done) before_text[1])
        done = before_at[1]
        for (k = 1; k < later; k++) {
            before_at[k] = before_at[k + 1]; before_text[k] = before_text[k + 1]
        }
        later--
    }
    put(substr(source, done, p - done))
    done = p
}
function put(text) {
    out_part = out_part text
    if (length(out_part) < 20000) return
    out = out out_part
    out_part = ""
}

# rewrite a launch
function rewrite_launch(i, len,    b, e, q, a, name, launched, breaks) {
    e = back(i - 1)
    if (at(i + len) == "<")
        refuse(i, "this is no launch: is it the mark of a merge conflict?")
    b = name_start(e)
    q = config_end(i + len)
    if (commas < 1 || commas > 3)
        refuse(i, "a launch takes a grid and a block, then perhaps bytes of shared memory and a stream; this one has " (commas + 1) " of the four")
    a = closing(ahead(ended))
    if (at(a) == "")
        refuse(i, "the arguments of this launch have no end")
    name = substr(source, b, e - b + 1)
    gsub(/\\?[ \t\n\001]+/, " ", name)
    gsub(/["\\]/, "\\\\&", name)
    launched = name
    gsub(/<.*|.*::| /, "", launched)
    if (("device", launched) in declares && !(("global", launched) in declares))
        refuse(i, "a __device__ function call cannot be configured: only a __global__ function is launched")
    copy_to(b)
    breaks = substr(source, i, len) substr(source, q, ended - q)
    gsub(/[^\n]/, "", breaks)
    put("(loom_config(\"" name "\", " substr(source, i + len, q - i - len) breaks "), " substr(source, b, i - b))
    done = ended
    put_before(a + 1, ")")
    return done
}

# read the parameters of a kernel
# The names in the list between p and q, as "a, b..."; types gets "decltype(a), ...".
function parameters(p, q,    c, depth, from, names) {
    names = types = ""
    depth = nameless = 0
    for (from = p + 1; p <= q; p++) {
        c = at(p)
        if (c ~ /[[({<]/) depth++
        if ((depth == 1 && c == ",") || p == q) {
            names = names parameter(from, p)
            from = p + 1
        }
        if (c ~ /[])}>]/ && at(p - 1) != "-") depth--
    }
    sub(/, $/, "", names); sub(/, $/, "", types)
    return names
}
function parameter(b, e,    text, name, rest, dots, n) {
    text = substr(mask, b, e - b)
    strict = text ~ /restrict/
    gsub(/[ \t\n\001]+/, " ", text)
    n = default_at(text)
    if (n) text = substr(text, 1, n - 1)
    while (sub(/ *\[[^]]*\] *$/, "", text)) ;
    sub(/ +$/, "", text)
    if (text ~ /^ *(void)?$/) return ""
    dots = text ~ /\.\.\./ ? "..." : ""
    if (match(text, /\( *[*&][ *]*((const|__restrict__) )*[A-Za-z_][A-Za-z0-9_]*/))
        text = name = substr(text, RSTART, RLENGTH)
    else {
        name = text
        rest = text
        sub(/[A-Za-z_][A-Za-z0-9_]*$/, "", rest)
        gsub(/(^| )(const|volatile|struct|class|enum|union|typename|__grid_constant__|__restrict__|__restrict)($| )/, " ", rest)
        if (rest ~ /^ *$/ || rest ~ /::$/ || text ~ /(^|[^A-Za-z0-9_])(int|char|float|double|long|short|unsigned|signed|bool|const|volatile|__restrict__|__restrict|restrict)$/ || text !~ /[A-Za-z0-9_]$/) {
            name = "loom_p" ++nameless
            put_before(n ? b + index(substr(mask, b), "=") - 1 : e, " " name)
        }
    }
    sub(/^.*[^A-Za-z0-9_]/, "", name)
    types = types (strict ? "loom_plain<decltype(" name ")>" : "decltype(" name ")") dots ", "
    return name dots ", "
}
# The place of a "=" outside of all brackets, or 0.
function default_at(text,    i, c, depth) {
    for (i = 1; (c = substr(text, i, 1)) != ""; i++) {
        if (c ~ /[[({<]/) depth++
        else if (c ~ /[])}>]/) depth--
        else if (c == "=" && depth == 0) return i
    }
    return 0
}

# name the parameters of a template
# The arguments for which a template is itself: template <class T, int N> is <T, N>.
function template_arguments(p,    b, q, c, depth, from, text, list, n) {
    for (b = back(p - 1); b > 0 && at(b) !~ /[;{}>]/; b--)
        if (at(b) == ")" || at(b) == "]") b = opening(b)
    if (at(b) != ">") return ""
    q = b; b = opening(q)
    if (word_at(word_start(back(b - 1))) != "template") return ""
    depth = 0
    for (from = b + 1; b <= q; b++) {
        c = at(b)
        if (c ~ /[[({<]/) depth++
        if ((depth == 1 && c == ",") || b == q) {
            text = substr(mask, from, b - from)
            gsub(/[ \t\n\001]+/, " ", text)
            n = default_at(text)
            if (n) text = substr(text, 1, n - 1)
            sub(/ +$/, "", text)
            if (text !~ /[^A-Za-z0-9_][A-Za-z_][A-Za-z0-9_]*$/ || text ~ /(^|[ .])(class|typename|int|bool|unsigned|char|long|short)$/)
                break
            n = text ~ /\.\.\./
            sub(/^.*[^A-Za-z0-9_]/, "", text)
            list = list (list == "" ? "" : ", ") text (n ? "..." : "")
            from = b + 1
        }
        if (c ~ /[])}>]/) depth--
    }
    return list == "" ? "" : "<" list ">"
}

# rewrite a kernel
# The head of a kernel's body starts the kernel if a launch has called it.
function rewrite_kernel(p,    c, b, e, q, text, list, args) {
    for (e = p + 10; (c = at(e)) != "" && c !~ /[;{})=]/; e++)
        if (c == "(") {
            if (text !~ /^(__align__|__launch_bounds__|alignas|__attribute__|decltype|__cluster_dims__|__maxnreg__)$/) break
            e = closing(e)
        } else if (c == "<") {
            e = angle(e)
            text = text substr(source, q = e + 1 - angled, angled)
        } else if (in_word(e)) {
            if (substr(mask, e - 2, 2) != "##") { b = e; text = "" }
            text = text word_at(e)
            e += length(word_at(e)) - 1
        } else if (c == "#")
            text = text c
    if (c != "(" || text == "") return
    q = closing(e)
    for (c = ahead(q + 1); in_word(c); c = ahead(c + length(word_at(c)))) ;
    if (at(c) != "{") return
    list = parameters(e, q)
    if (text !~ />$/) text = text template_arguments(p)
    put_before(c + 1, " if (loom_pending) return loom_go<static_cast<void (*)(" types ")>(" text ")>(" list ");")
}
# The > that closes the < at p; angled: how long both and what is between are.
function angle(p,    from, depth, c) {
    for (from = p; (c = at(p)) != "" && c !~ /[;{}]/; p++) {
        if (c == "(" || c == "[") p = closing(p)
        else if (c == "<") depth++
        else if (c == ">" && --depth == 0) break
    }
    angled = p - from + 1
    return p
}

# rewrite dynamic shared memory
# The braces that are open at walked, and how many of them are not a namespace's;
# asked from front to back, so that the whole text is walked over once.
function in_function(p,    c, head) {
    if (p < walked) walked = braces = inner = head_from = 0
    while (match(substr(mask, walked + 1, 4000), /[;{}]/) || walked + 4000 < p) {
        if (walked + (RSTART ? RSTART : 4000) > p) break
        walked += RSTART ? RSTART : 4000
        if (!RSTART) continue
        c = at(walked)
        if (c == "{") {
            head = substr(mask, head_from + 1, walked - 1 - head_from)
            brace[++braces] = head ~ /\(/ || head !~ /(^|[^A-Za-z0-9_])(namespace|extern)([^A-Za-z0-9_]|$)/
            inner += brace[braces]
        } else if (c == "}" && braces)
            inner -= brace[braces--]
        head_from = walked
    }
    return inner > 0
}
function rewrite_shared(b,    n, text, name, more, breaks) {
    n = index(substr(mask, b), ";")
    text = substr(mask, b, n - 1)
    breaks = text
    gsub(/[^\n\001]/, "", breaks)
    gsub(/[ \t\n\001]+/, " ", text)
    sub(/^extern /, "", text); sub(/__shared__ ?/, "", text)
    gsub(/(__align__|alignas) ?\([^)]*\) ?/, "", text)
    gsub(/__attribute__ ?\(\([^()]*(\([^()]*\))?[^()]*\)\) ?/, "", text)
    if (n == 0 || !match(text, /[A-Za-z_][A-Za-z0-9_]* ?\[ ?\]( ?\[[^]]*\])* ?$/))
        refuse(b, "write this as extern __shared__ T name[]; with one name")
    name = more = substr(text, RSTART)
    text = substr(text, 1, RSTART - 1)
    sub(/ ?\[.*/, "", name); sub(/^[^]]*\] ?/, "", more); sub(/ $/, "", text)
    if (text == "" || text ~ /[[]/)
        refuse(b, "write this as extern __shared__ T name[]; with one name")
    copy_to(b)
    if (!in_function(b - 1))
        put("extern __thread " text " " name "[]" more " __asm__(\"loom_dynamic\");" breaks)
    else if (more == "")
        put(text " *const " name " __attribute__((unused)) = (" text " *)loom_dynamic;" breaks)
    else
        put(text " (*const " name ")" more " __attribute__((unused)) = (" text " (*)" more ")loom_dynamic;" breaks)
    done = b + n
    return done
}

# replace a word
# What a word of CUDA's is in C++; the word itself if it is none.
function meaning(w) {
    if (w ~ /^__(global|device|host|constant|managed|grid_constant)__$/) return ""
    if (w == "__shared__") return "static " shared
    if (w == "__forceinline__") return "inline __attribute__((always_inline))"
    if (w == "__noinline__") return "__attribute__((noinline))"
    return w
}
function plain_words(s,    t, w) {
    while (match(s, /__[a-z_]*[a-z]__/)) {
        w = substr(s, RSTART, RLENGTH)
        t = t substr(s, 1, RSTART - 1)
        s = substr(s, RSTART + RLENGTH)
        if (w == "__align__") { t = t "__attribute__((aligned"; sub(/\)/, ")))", s) }
        else if (w == "__launch_bounds__") sub(/^ *\([^)]*\)/, "", s)
        else t = t (t ~ /[A-Za-z0-9_]$/ || s ~ /^[A-Za-z0-9_]/ || (w == "__noinline__" && t ~ /\( *$/) ? w : meaning(w))
    }
    return t s
}
function rewrite_word(p, w,    q, text) {
    q = ahead(p + length(w))
    if (w == "printf") {
        # std::printf and ::printf are the same; x.printf and int printf(...) are others
        text = in_word(back(p - 1)) ? word_at(word_start(back(p - 1))) : "else"
        if (text !~ /^(return|else|do)$/) return p + length(w)
        if (at(q) != "(" || at(p - 1) == "." || (at(p - 1) == ">" && at(p - 2) == "-")) return p + length(w)
        text = substr(mask, p - 5, 5)
        if (text == "std::") copy_to(p - 5 - 2 * (substr(mask, p - 7, 2) == "::"))
        else copy_to(p)
        put("loom_printf")
        return done = p + length(w)
    }
    if (w == "__global__") rewrite_kernel(p)
    if (!loom) return p + length(w)
    if (w ~ /^__(launch_bounds|align|maxnreg|block_size|cluster_dims)__$/ && at(q) == "(") {
        copy_to(p)
        text = substr(source, p + length(w), closing(q) - p - length(w) + 1)
        if (w == "__align__") put("__attribute__((aligned" text "))")
        else { gsub(/[^\n\001]/, "", text); put(text) }
        return done = closing(q) + 1
    }
    if (w == "__noinline__" && at(back(p - 1)) == "(") return p + length(w)
    if (meaning(w) == w) return p + length(w)
    copy_to(p)
    put(meaning(w))
    return done = p + length(w)
}

# rewrite all there is
# The next of what is rewritten, at p or behind it, or 0; found has its length.
function next_find(p,    i) {
    for (; p <= length(mask); p += 7800)
        if (match(substr(mask, p, 8000), /<<[ \t\n]*<|extern[ \t\n]([^;(){}=]|\([^()]*\))*__shared__|(__)?asm(__)?[ \t\n]*((__)?volatile(__)?[ \t\n]*)?\(|__[a-z_]*[a-z]__|printf|namespace[ \t\n\001]*[{]/)) {
            found = RLENGTH
            return p + RSTART - 1
        }
    return 0
}
function rewrite(    p, i) {
    p = done = 1
    while (p = next_find(i = p)) {
        i = p
        if (at(i) == "<") {
            if (substr(mask, word_start(back(i - 1)), 8) == "operator") p = i + found
            else p = rewrite_launch(i, found)
        } else if (at(i + found - 1) == "(") {
            p = !in_word(i - 1) && in_function(i - 1) ? rewrite_asm(i, found) : 0
            if (!p) p = i + found
        } else if (in_word(i - 1) || (in_word(i + found) && at(i) != "n"))
            p = i + found
        else if (at(i) == "e")
            p = rewrite_shared(i)
        else if (at(i) == "n") {
            p = i + found
            if (names == "") continue
            copy_to(i); put("inline namespace loom_anonymous {"); done = p
        }
        else
            p = rewrite_word(i, substr(mask, i, found))
    }
    copy_to(length(source) + 1)
    out = out out_part
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
                declares[word, name]
                note_function(word, name, p)
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
    match(substr(mask, p, 300), /^[A-Za-z0-9_]*/)
    return substr(mask, p, RLENGTH)
}
function bracket(p) {
    for (; p <= length(mask); p += 200)
        if (match(substr(mask, p, 200), /[][(){}]/)) return p + RSTART - 1
    return length(mask) + 1
}
function closing(p,    depth) {
    for (; (p = bracket(p)) <= length(mask); p++) {
        if (at(p) ~ /[[({]/) depth++
        else if (--depth == 0) break
    }
    return p
}
function name_variables(    p, list, n, i, name, word) {
    p = 1
    while (p = next_find(p)) {
        p += found
        word = substr(mask, p - found, found)
        if (word !~ /^__(device|constant|managed|global)__$/) continue
        list = declared(p, substr(word, 3, found - 4))
        n = split(list, name, " ")
        for (i = 1; i <= n; i++)
            named = named "__asm__(\".pushsection .loom,\\\"\\\";.string \\\"" kind name[i] "\\\";.popsection\");\n"
        if (names != "" && kind != "kernel ") note_variables(p, n, name)
    }
}

# name the shapes of clusters
# The kernel behind each __cluster_dims__, and its arguments.
function name_clusters(    p, b, name) {
    p = 1
    while (match(substr(mask, p), /__cluster_dims__[ \t\n]*\(/)) {
        b = p + RSTART + RLENGTH - 2
        p = closing(b) + 1
        name = kernel_behind(p)
        if (name != "")
            named = named "static loom_cluster_of loom_cluster_" name " __attribute__((unused))(\"" name "\", " substr(source, b + 1, p - b - 2) ");\n"
    }
}
function kernel_behind(p,    name, q) {
    for (; at(p) != "" && at(p) !~ /[;{}]/; p++)
        if (in_word(p)) {
            name = word_at(p)
            p += length(name) - 1
            q = ahead(p + 1)
            if (at(q) != "(") continue
            if (name !~ /^__|^alignas$/) return name
            p = closing(q)
        }
    return ""
}

# rewrite inline PTX
# Inline PTX becomes a call: the text, then an object for each operand.
function rewrite_asm(i, len,    b, e, p, c, depth, section, from, text, all, ops, breaks) {
    b = i + len - 1
    e = closing(b)
    section = depth = 0
    from = b + 1
    for (p = b + 1; p <= e; p++) {
        c = at(p)
        if (p == e || (depth == 0 && (c == ":" || (c == "," && section > 0)))) {
            if (section == 0)
                text = substr(source, from, p - from)
            else if (section < 3 && substr(mask, from, p - from) ~ /\(/) {
                c = asm_operand(section, substr(source, from, p - from), substr(mask, from, p - from))
                if (c == "") return 0      # another processor's
                ops = ops ", " c
            }
            from = p + 1
            section += at(p) == ":"
        } else if (c ~ /[[({]/) depth++
        else if (c ~ /[])}]/) depth--
    }
    all = substr(source, i, e - i + 1)
    breaks = gsub(/\n/, "\n", all) - gsub(/\n/, "\n", text) - gsub(/\n/, "\n", ops)
    copy_to(i)
    put("loom_inline_ptx(loom_place(), " text ops)
    while (breaks-- > 0) put(all ~ /\\\n/ ? "\\\n" : "\n")
    put(")")
    return done = e + 1
}
function asm_operand(section, text, masked,    name, how, q) {
    q = index(masked, "\"")
    how = substr(text, q, index(masked, "(") - q)
    gsub(/["\\ \t\n]/, "", how)
    if (how !~ /^[=+]?[&]?[hrlfdqnC]$/) return ""
    if (match(substr(masked, 1, q), /[A-Za-z_0-9]+/)) name = substr(masked, RSTART, RLENGTH)
    q = index(masked, "(")
    text = substr(text, q)
    sub(/[ \t\\\n]+$/, "", text)
    return (section == 1 ? "loom_out" : "loom_in") "(\"" name "\", \"" how "\", " text ")"
}

# note what two halves share
function statement_start(p,    from) {
    for (; p > 1; p = from) {
        from = p > 300 ? p - 300 : 1
        if (match(substr(mask, from, p - from), /[;{}][^;{}]*$/)) return from + RSTART
    }
    return p
}
function note_function(word, name, p,    b) {
    if (names == "" || word != "device") return
    b = statement_start(p)
    if (substr(mask, b, p - b) !~ /__host__/)
        print "function", name >> names
}
function note_variables(p, n, name,    b, i, text) {
    b = statement_start(p)
    if (in_function(b - 1)) return
    text = substr(mask, b, p - b) substr(mask, p, index(substr(mask, p, 400), ";"))
    for (i = 1; i <= n; i++)
        print "variable", name[i] >> names
    if (!match(text, /(^|[^A-Za-z0-9_])static[^A-Za-z0-9_]/)) return
    i = b + index(substr(mask, b), "static") - 1
    put_before(i, "/*"); put_before(i + 6, "*/")
    for (i = 1; i <= n; i++)
        print "static", name[i] >> names
}
