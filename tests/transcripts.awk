# tests/transcripts.awk: the console fences of a chapter.
#
#   awk -v dir=DIR -f transcripts.awk part=take book/03-kernels.md
#       writes, for the n-th console fence, DIR/n/cmd.1, DIR/n/want.1, ... and
#       prints a line "n line commands attributes" for each
#   awk -f transcripts.awk part=same want got
#       exit status 0 when got is what want asks for, else 1 and what differs:
#       "…" in a line stands for anything, a line of only "…" for any lines
#
# Any awk will do: "…" is only ever used as a string.

part == "take" { take(); next }
part == "same" {
    sub(/[ \t\r]+$/, "")
    if (which) { if (m < 2000) g[++m] = $0 }
    else w[++n] = $0
}

END {
    if (part == "take")
        end_fence()
    if (part == "same")
        exit !same()
}

# --- take -------------------------------------------------------------------

function take(    run, info, c)
{
    if (fence == "") {
        if (!match($0, /^ ? ? ?(```+|~~~+)/))
            return
        run = substr($0, RSTART, RLENGTH)
        info = substr($0, RLENGTH + 1)
        gsub(/^ +/, "", run)
        fence = run
        gsub(/[{}]/, " ", info)
        gsub(/^ +| +$/, "", info)
        sub(/^\./, "", info)
        console = info ~ /^console( |$)/
        if (console)
            begin_fence(info)
        return
    }
    c = substr(fence, 1, 1)
    if (match($0, /^ ? ? ?(```+|~~~+)[ \t]*$/)) {
        run = $0
        gsub(/[ \t]/, "", run)
        if (substr(run, 1, 1) == c && length(run) >= length(fence)) {
            end_fence()
            fence = ""
            return
        }
    }
    if (console)
        line_of_fence()
}

function begin_fence(info)
{
    sub(/^console */, "", info)
    attrs = info
    number++
    at = FNR
    commands = 0
    more = 0
    system("mkdir -p '" dir "/" number "'")
}

function line_of_fence()
{
    if (more && /^> /) {
        print substr($0, 3) > cmd
        more = /\\$/
    } else if (/^\$ /) {
        if (commands) { close(cmd); close(want) }
        commands++
        cmd = dir "/" number "/cmd." commands
        want = dir "/" number "/want." commands
        print substr($0, 3) > cmd
        printf "" > want
        more = /\\$/
    } else if (commands) {
        more = 0
        print > want
    } else if ($0 != "") {
        commands = -1e6         # text before the first command: no transcript
    }
}

function end_fence()
{
    if (!console)
        return
    if (commands > 0) { close(cmd); close(want) }
    print number, at, (commands < 0 ? 0 : commands), attrs
    console = 0
}

# --- same -------------------------------------------------------------------

function any_lines(s)
{
    gsub(/[ \t]/, "", s)
    return s == "…"
}

# like: does line g match line w, in which … stands for anything?
function like(w, g,    p, k, i, at)
{
    if (index(w, "…") == 0)
        return w == g
    k = split(w, p, "…")
    if (substr(g, 1, length(p[1])) != p[1])
        return 0
    g = substr(g, length(p[1]) + 1)
    for (i = 2; i < k; i++) {
        if (p[i] == "")
            continue
        at = index(g, p[i])
        if (at == 0)
            return 0
        g = substr(g, at + length(p[i]))
    }
    return length(g) >= length(p[k]) && \
           substr(g, length(g) - length(p[k]) + 1) == p[k]
}

# same: align the two texts with the fewest lines over; none over is a match
function same(    i, j, a, b)
{
    while (n > 0 && w[n] == "") n--
    while (m > 0 && g[m] == "") m--
    for (i = 0; i <= n; i++)
        for (j = 0; j <= m; j++) {
            if (i == 0) { d[i, j] = j; how[i, j] = "+"; continue }
            free = any_lines(w[i])
            d[i, j] = d[i - 1, j] + !free
            how[i, j] = free ? "0" : "-"
            if (j > 0) {
                b = d[i, j - 1] + !free
                if (b <= d[i, j]) { d[i, j] = b; how[i, j] = free ? "*" : "+" }
                if (!free && d[i - 1, j - 1] <= d[i, j] && like(w[i], g[j])) {
                    d[i, j] = d[i - 1, j - 1]
                    how[i, j] = "="
                }
            }
        }
    if (d[n, m] == 0)
        return 1
    for (i = n; i > 0 || m > 0;) {
        a = i > 0 || m > 0 ? how[i, m] : ""
        if (a == "=") { out = "  " g[m] "\n" out; i--; m-- }
        else if (a == "+") { out = "+ " g[m] "\n" out; m-- }
        else if (a == "*") { out = "  " g[m] "\n" out; m-- }
        else { out = (a == "-" ? "- " : "  ") w[i] "\n" out; i-- }
    }
    printf "- wanted, + got:\n%s", out
    return 0
}
