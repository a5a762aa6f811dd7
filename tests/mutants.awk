# tests/mutants.awk: changes one token at a time, at random.
#   awk -v seed=7 -v n=10 -v root=tangled/ -f tests/mutants.awk FILE...
# writes n records for tests/planted.sh, each a change of one of these files (named
# from root on); with n=0 one that adds a space. The same seed makes the same changes on
# every awk: the numbers are those of Park and Miller, which a double holds exactly. Of a
# file with a main only the kernels are changed and what else runs on the device: the rest
# of it prepares, compares and prints, and is the test of the chapter's code, not the tested; so is that of a header
# which is called trial, case, shapes or try_something. Nor is changed what
# Loom does not compile, and what a failed CHECK would print. A number of a launch is changed
# so that there are fewer threads: of more, guards send home those that have nothing to do;
# and an array is made smaller, never larger.

function draw(n)
{
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * n)
}

# blank: comments, strings, characters and directives as spaces
function blank(s,    out, i, c, two)
{
    if (!comment && (directive || s ~ /^[ \t]*#/)) {
        directive = s ~ /\\$/
        branch(s)
        if (s !~ /^[ \t]*#[ \t]*define/ && !macro) return ""
        macro = directive
        if (s ~ /^[ \t]*#/) return ""
    }
    out = ""
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1); two = substr(s, i, 2)
        if (comment) {
            if (two == "*/") { comment = 0; out = out " "; i++ }
            c = " "
        } else if (two == "/*") { comment = 1; c = " " }
        else if (two == "//") break
        else if (c == "\"" || c == "'") {
            two = c
            for (out = out " "; ++i <= length(s) && substr(s, i, 1) != two; ) {
                if (substr(s, i, 1) == "\\") { i++; out = out " " }
                out = out " "
            }
            c = "\""
        }
        out = out c
    }
    return out
}

# branch: is what follows this directive for a GPU alone?
function branch(s,    k)
{
    if (s ~ /^[ \t]*#[ \t]*if/)
        gpu[++deep] = s ~ /ifndef __LOOM__/ ? 1 : s ~ /ifdef __LOOM__/ ? 0 : -1
    else if (s ~ /^[ \t]*#[ \t]*el/ && gpu[deep] >= 0) {
        if (!gpu[deep]) taken_by_loom[deep] = 1
        gpu[deep] = deep in taken_by_loom ? 1 : s ~ /else/ ? 0 : -1
    } else if (s ~ /^[ \t]*#[ \t]*endif/) {
        delete gpu[deep]
        delete taken_by_loom[deep--]
    }
    unseen = 0
    for (k = 1; k <= deep; k++) if (gpu[k] == 1) unseen = 1
}

# site: the text from column a to b of this line may become instead
function site(a, b, instead)
{
    if (unseen || message) return
    sites++
    at_file[sites] = file; at_line[sites] = nr
    at_a[sites] = a; at_b[sites] = b
    becomes[sites] = instead
    if (!((file, nr, a) in known)) places++
    known[file, nr, a]
}

function word(w, a, b, rest,    k)
{
    rest = substr(code, b + 1)
    if (w in fence) {
        if (match(rest, /^\([^()]*\)/)) site(a, b + RLENGTH, "(void)0")
    } else if (w in twin && substr(code, b + 1, 1) ~ /[.[]/)
        site(a, b, twin[w])
}

function number(w, a, b)
{
    if (w ~ /^[0-9]+$/) {
        if (launch ? divides(substr(code, 1, a - 1)) : substr(code, b + 1, 1) != "]" || !declares(substr(code, 1, b + 1)))
            site(a, b, w + 1)
        if (w > 0 && !(launch && divides(substr(code, 1, a - 1)))) site(a, b, w - 1)
    } else
        site(a, b, w ~ /^0?\.?0*f?$/ ? "1" : "(2 * " w ")")
}

# divides: in a launch, does the number behind this text divide threads into blocks?
# (n + 255) / 256, blocks_for(n, 256)
function divides(s)
{
    return s ~ /\/ $/ || s ~ /, $/ && launch > 1 && callee[launch] ~ /[a-z]/ && callee[launch] != "dim3"
}

function scan(    i, w, rest, before, after, k, part)
{
    code = blank(line[file, nr])
    if (code ~ /__global__|__device__/) device = 1
    if (has_main[file] && !device) return
    if (code ~ /^}|;$/ && code ~ /^[^ \t]/) device = 0
    for (i = 1; i <= length(code); i += length(w)) {
        rest = substr(code, i)
        before = substr(code, i - 1, 1)
        if (match(rest, /^[A-Za-z_][A-Za-z0-9_]*/)) {
            w = substr(rest, 1, RLENGTH)
            word(w, i, i + RLENGTH - 1)
            if (w == "CHECK") asked = 1
        } else if (match(rest, /^(0[xX][0-9a-fA-F.]+([pP][-+]?[0-9]+)?|[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?|[0-9]+\.)[fFuUlL]*/)) {
            w = substr(rest, 1, RLENGTH)
            number(w, i, i + RLENGTH - 1)
        } else if (match(rest, /^(<<<|>>>)/)) {
            w = "   "
            launch = rest ~ /^</
        } else if (match(rest, /^(<<=|>>=|[-+*\/%&|^]=|[<>=!]=|&&|\|\||<<|>>|\+\+|--|->|[-+*\/%&|^<>!\]])/)) {
            w = substr(rest, 1, RLENGTH)
            after = substr(code, i + RLENGTH, 1)
            if (w == "++" || w == "--") site(i, i + 1, other[w])
            else if (w == "!" && after ~ /[A-Za-z_(]/) site(i, i, "")
            else if (w == "]" && before !~ /[[ ]/ && !declares(substr(code, 1, i)))
                site(i, i, " + 1]")
            else if (w in other && before == " " && (after == " " || after == "")) {
                k = split(other[w], part, " ")
                while (k) site(i, i + RLENGTH - 1, part[k--])
            }
        } else {
            w = substr(rest, 1, 1)
            if (launch && w == "(") {
                callee[++launch] = substr(code, 1, i - 1)
                sub(/^.*[^A-Za-z0-9_]/, "", callee[launch])
            } else if (launch > 1 && w == ")") launch--
            if (w == "\"") message = asked
            if (w == ";") message = asked = launch = 0
        }
    }
}

# declares: is the last bracket of this text a declaration's?
function declares(s)
{
    gsub(/__align__\([0-9]+\) /, "", s)
    return s ~ /^[ \t]*((extern|static|const|volatile|__shared__|__device__|__constant__|unsigned|signed|struct|enum) )*[A-Za-z_][A-Za-z0-9_]* (\*|const )*[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])*\[[^]]*\]$/ && s !~ /^[ \t]*(return|else|case|goto) /
}

# once: does this text stand in the file once, in longer lines, too?
function once(text,    i)
{
    i = index(all[file], text)
    return !index(substr(all[file], i + 1), text)
}

function record(s,    k, old, new, first, l)
{
    file = at_file[s]; l = at_line[s]
    old = line[file, l] "\n"
    k = substr(old, at_a[s], at_b[s] - at_a[s] + 1)
    new = substr(old, 1, at_a[s] - 1) becomes[s] substr(old, at_b[s] + 1)
    for (first = l; !once(substr(old, 1, length(old) - 1)) && first > 1; first--) {
        old = line[file, first - 1] "\n" old
        new = line[file, first - 1] "\n" new
    }
    name = file
    sub(/^.*\//, "", name)
    printf "name: s%d-%d\nfile: %s\nby: *\n", seed, ++records, substr(file, length(root) + 1)
    if (none) k = "nothing"
    printf "why: %s:%d: %s becomes %s\n", name, l, k, none ? "a space" : becomes[s] == "" ? "nothing" : becomes[s]
    printf "--- old\n%s--- new\n%s---\n", old, new
}

BEGIN {
    split("__syncthreads __syncwarp __threadfence __threadfence_block __threadfence_system", list, " ")
    for (i in list) fence[list[i]] = 1
    twin["threadIdx"] = "blockIdx"; twin["blockIdx"] = "threadIdx"
    twin["blockDim"] = "gridDim"; twin["gridDim"] = "blockDim"
    k = split("< <=,>= <= <,> > >=,<= >= >,< == != != == + - - + * /,+ / * % / << >> >> << & | | & ^ | " \
        "&& || || && += -= -= += *= /= /= *= %= /= <<= >>= >>= <<= &= |= |= &= ^= |= ++ -- -- ++", list, " ")
    for (i = 1; i < k; i += 2) {
        gsub(/,/, " ", list[i + 1])
        other[list[i]] = list[i + 1]
    }
    for (f = 1; f < ARGC; f++) {
        file = ARGV[f]
        comment = directive = macro = device = deep = unseen = message = asked = launch = 0
        while ((getline text <file) > 0) if (text ~ /^int main\(/) has_main[file] = 1
        close(file)
        if (file ~ /\/(trial|case|shapes|try_[a-z]*)\.c?u?h$/) has_main[file] = 1
        all[file] = "\n"
        for (nr = 1; (getline text <file) > 0; nr++) {
            line[file, nr] = text
            all[file] = all[file] text "\n"
            scan()
        }
    }
    none = !n
    if (none) n = 1
    if (n > places) n = places
    state = seed % 2147483646 + 1
    for (i = 0; i < 10; i++) draw(1)
    while (records < n) {
        s = 1 + draw(sites)
        if (none) { at_b[s] = at_a[s] - 1; becomes[s] = " " }
        place = at_file[s] ":" at_line[s] ":" at_a[s]
        if (!(place in taken)) record(s)
        taken[place] = 1
    }
}
