#!/bin/sh
# The glossary: its form, its order, and that every term used is in it.
. tests/tap.sh

[ -z "$ONLY" ] || done_testing
g=book/C-glossary.md

# One line per entry: name, anchor, other names, sentences; tabs between.
awk '
    function out() {
        if (name == "") return
        gsub(/`[^`]*`/, "x", text)
        gsub(/\[@[^]]*\]/, "", text)
        n = gsub(/[.!?]\)?( |$)/, "&", text)
        printf "%s\t%s\t%s\t%d\t%d\n", name, id, aka, n, length(text)
        name = ""
    }
    /^### / {
        out()
        name = $0; sub(/^### /, "", name); sub(/ \{.*/, "", name)
        id = $0; sub(/.*\{#/, "", id); sub(/[ }].*/, "", id)
        aka = ""
        if (match($0, /aka="[^"]*"/)) aka = substr($0, RSTART + 5, RLENGTH - 6)
        if ($0 !~ /\.entry[ }]/) print "no .entry: " $0 > "/dev/stderr"
        text = ""; next
    }
    /^## / { out(); next }
    name != "" { text = text (text == "" ? "" : " ") $0 }
    END { out() }
' $g >"$tap_tmp/entries" 2>"$tap_tmp/said"
is "every entry is marked .entry" "$(cat "$tap_tmp/said")" ""
ok "there are entries" test "$(wc -l <"$tap_tmp/entries")" -gt 50
is "every entry has from one to seven sentences" \
    "$(awk -F'\t' '$4 < 1 || $4 > 8 || $5 < 40 { print $1 ": " $4 }' "$tap_tmp/entries")" ""
is "the entries are in order" "$(cut -f1 "$tap_tmp/entries")" \
    "$(awk -F'\t' '{ k = tolower($1); gsub(/[^a-z0-9+ -]/, "", k); print k "\t" $1 }' \
        "$tap_tmp/entries" | LC_ALL=C sort | cut -f2)"
is "an anchor is the name, in small letters and dashes" \
    "$(awk -F'\t' '{ k = tolower($1); gsub(/\+\+/, "pp", k); gsub(/[^a-z0-9 -]/, "", k)
        gsub(/ /, "-", k); if (k != $2) print $1 ": #" $2 ", not #" k }' "$tap_tmp/entries")" ""

# all names a term can be called by
awk -F'\t' '{
    print tolower($1)
    k = split($3, a, / *, */)
    for (i = 1; i <= k; i++) print tolower(a[i])
}' "$tap_tmp/entries" >"$tap_tmp/names"
is "no name stands for two entries" "$(sort "$tap_tmp/names" | uniq -d)" ""

# what a talk on documentation wished that a glossary had
is "E61: each term of the wish list has an entry" "$(
    printf '%s\n' "bank conflict" occupancy coarsening coalescing warpgroup \
        "thread block cluster" "atomic operation" barrier dcgm \
        "thermal design power" pcie sxm nvlink nccl "nvlink switch" nic \
        ethernet tcp/ip infiniband triton | grep -vxFf "$tap_tmp/names")" ""

# every [word]{.term} and [word]{.term of="…"} of the book
for chapter in book/*-*.md; do
    awk -v chapter="$chapter" '
        FNR == NR { known[$0]; next }
        function there(s) {
            s = tolower(s)
            if (s in known) return 1
            if (s ~ /ies$/ && (substr(s, 1, length(s) - 3) "y") in known) return 1
            if (s ~ /es$/ && substr(s, 1, length(s) - 2) in known) return 1
            return s ~ /s$/ && substr(s, 1, length(s) - 1) in known
        }
        /^```/ {
            match($0, /^`+/); t = substr($0, 1, RLENGTH)
            if (fence == "") fence = t
            else if (length(t) >= length(fence) && $0 == t) fence = ""
        }
        fence != "" { next }
        {
            line = $0
            gsub(/`[^`]*`/, "", line)
            while (match(line, /\[[^][]*\]\{\.term( of="[^"]*")?\}/)) {
                s = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (s ~ / of="/) { sub(/.* of="/, "", s); sub(/"\}$/, "", s) }
                else { sub(/^\[/, "", s); sub(/\]\{\.term\}$/, "", s) }
                n++
                if (!there(s)) print chapter ":" FNR ": no entry for \"" s "\""
            }
        }
    ' "$tap_tmp/names" "$chapter" >"$tap_tmp/unknown"
    is "the terms of $chapter have entries" "$(cat "$tap_tmp/unknown")" ""
done
# in the woven glossary the entries lead to each other
page=$B/html/C-glossary.html
if [ -f "$page" ]; then
    ok "woven: the entry of SIMT links to that of warp" \
        sh -c 'sed -n "/id=\"simt\"/,/id=\"loom\"/p" "$1" |
            grep -Eq "href=\"(C-glossary.html)?#warp\""' sh "$page"
else
    skip "woven: entries link to each other" "needs the woven book (make book)"
fi
done_testing
