#!/bin/sh
# tests/weave-book.t: this book, tangled and woven: tangled/ is what it makes, its
# code looks back, its pages have all links, anchors, valid HTML.
# depends: book tangled figures bench/results README.md tests/*.t tests/weave-*.awk
. tests/tap.sh

[ -z "$ONLY" ] || done_testing
data=tests/data/weave
work=$tap_tmp/weave
root=$(pwd)
mkdir -p "$work"
TOOLS=$(cd "$TOOLS" && pwd)

# ids PAGE...: a line "page anchor" for each id
ids()
{
    for i_f in "$@"; do
        tr '\n<' ' \n' <"$i_f" |
            sed -n 's/^[a-z][^>]* id="\([^"]*\)".*/\1/p' |
            sed "s,^,$(basename "$i_f" .html) ,"
    done
}

# ---- the book ----------------------------------------------------------------
if have notangle; then
    w=$B/drift      # kept: the next time only pages that have changed are tangled
    [ -z "${FRESH-}" ] || rm -rf "$w"
    is "an OUT of the environment is not tangle's" \
        "$(OUT=astray $MAKE -s --eval='said: ; @echo "[$$OUT]"' said B="$work/said" SRC=tangled)" "[]"
    ok "the book tangles" $MAKE -s tangle B="$w" SRC="$w/src" OUT="$w/tangled"
    ok "tangled/ is what book/ tangles to (else: make tangle)" \
        diff -r tangled "$w/tangled"
    cp -R "$w/src" "$work/twin"
    find "$work/twin" -type f -exec sed -i '/^#line [0-9]* "book\/.*"$/d' {} +
    is "the two texts differ by #line alone" \
        "$(diff -rq "$work/twin" tangled 2>&1 | grep -v '^Only in tangled')" ""
else
    skip "tangled/ is what book/ tangles to" "needs notangle"
fi
is "tangled/ has no #line" "$(grep -rl '^#line' tangled)" ""
is "every folder of tangled/ has its chapter" \
    "$(for d in tangled/*/; do
        d=$(basename "$d")
        ls book/*-"$d".md >/dev/null 2>&1 || echo "$d"
    done)" ""
is "every file in tangled/ is in a chapter's folder" \
    "$(find tangled -maxdepth 1 -type f)" ""
is "no two files write the same chunk's file" \
    "$(awk -f "$TOOLS/roots.awk" book/*-*.md | cut -d' ' -f2 |
        sort | uniq -d)" ""

# code only looks back
arrows()
{
    awk -f tests/weave-arrows.awk "$1/book/toc.txt" $(cd "$1" &&
        find tangled -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' |
        sort | sed "s,^,$1/,")
}
is "code only looks back" "$(arrows .)" ""
is "an arrow that runs forward is seen" \
    "$(cd $data/arrows && awk -f ../../../weave-arrows.awk book/toc.txt \
        $(find tangled -type f | sort))" \
    "$(cat $data/arrows/expected)"

# every example in the table of all notation, in one chapter: no complaints
w=$work/notation
mkdir -p "$w/book"
for f in *; do [ "$f" = book ] || ln -s "$root/$f" "$w/$f"; done
cp book/*.md book/*.txt book/refs.bib "$w/book"
sed -i '/^26 /a 99 example begun Three times' "$w/book/toc.txt"
n=$(awk -v workshop="$w/book/99w-example-workshop.md" \
    -f tests/weave-notation.awk book/D-weave.md \
    2>&1 >"$w/book/99-example.md" | tr -dc 0-9)
ok "the table of all notation has its rows ($n)" test "${n:-0}" -ge 30
is "a chapter of all its examples has nothing that lint refuses" \
    "$(awk -f "$TOOLS/lint.awk" -- "$w"/book/99*-example*.md 2>&1)" ""
is "nor the weaver" "$(cd "$w" && sh "$TOOLS/weave.sh" --check 2>&1)" ""
if have notangle; then
    ok_run "and it tangles" env OUT="$w/out" TWIN="$w/twin" \
        sh "$TOOLS/tangle.sh" "$w/book/99-example.md"
else
    skip "and it tangles" "needs notangle"
fi
sed -n '/^| For | you type/,/^$/p' book/D-weave.md >"$w/table"
for word in $(sed -n 's/.*!~ \/^(\(before|.*\))\$\/.*/\1/p' \
    "$TOOLS/weave.awk" | tr '|' ' '); do
    ok "the box $word is in the table" \
        grep -q "\`::: [{.]*$word[\` ]" "$w/table"
done

# ---- this book ---------------------------------------------------------------
awk '/^[0-9A-Z]+[a-z]? /' book/toc.txt >"$work/toc"
is "toc.txt and the chapters agree" "$(
    while read -r num slug status title; do
        case $num in [0-9] | [0-9][a-z]) pre=0$num ;; *) pre=$num ;; esac
        md=book/$pre-$slug.md
        case $status in
        written | begun)
            [ -f "$md" ] || echo "toc.txt: there is no $md"
            ;;
        planned)
            [ ! -f "$md" ] || echo "toc.txt: $md is there, so not planned"
            continue
            ;;
        *) echo "toc.txt: $slug is \"$status\": written, begun or planned" ;;
        esac
        [ -f "$md" ] || continue
        h1=$(awk '/^```/ { f = !f } !f && /^# / { print; exit }' "$md")
        [ "$h1" = "# $title {#$slug}" ] ||
            echo "$md: its title is \"$h1\", toc.txt has \"$title\""
    done <"$work/toc"
    for md in book/*-*.md; do
        n=${md#book/}
        slug=${n#*-}
        case $slug in *-workshop*) continue ;; esac
        grep -Eq "^0?${n%%-*} ${slug%.md} |^$(echo "${n%%-*}" |
            sed 's/^0//') ${slug%.md} " "$work/toc" ||
            echo "$md is not in toc.txt"
    done
)" ""
is "toc.txt has no number and no slug twice" \
    "$(cut -d' ' -f1 "$work/toc" | sort | uniq -d
        cut -d' ' -f2 "$work/toc" | sort | uniq -d)" ""
is "each error of the source notes has its place and its test" "$(
    awk -f "$TOOLS/errors.awk" book/errors.txt book/toc.txt tests/*.t \
        $(sh "$TOOLS/pages.sh"))" ""
is "each chapter that is begun has its test" "$(
    while read -r num slug status title; do
        case $num:$status in
        [0-9]*:written | [0-9]*:begun)
            slug=${slug%%-*}
            [ -f "tests/$slug.t" ] || echo "there is no tests/$slug.t"
            ;;
        esac
    done <"$work/toc")" ""

h=$B/html
if ! have pandoc; then
    skip "the pages of the book" "needs pandoc"
elif [ ! -f "$TOOLS/weave.mk" ]; then
    fail "the pages of the book" "there is no $TOOLS/weave.mk"
else
    ok "the book is woven" $MAKE -s html
    ls "$h"/*.html >"$work/pages" 2>/dev/null
    is "a page for each chapter" "$(
        for md in book/*-*.md; do
            p=$(basename "$md" .md).html
            [ -f "$h/$p" ] || echo "there is no $p"
        done)" ""
    is "links, anchors, pictures, nothing fetched, no Markdown left" \
        "$(cd "$h" && LC_ALL=C awk -f "$root/tests/weave-site.awk" \
            $(find . -name '*.html') 2>&1 | head -n 40)" ""
    if [ -f "$TOOLS/links.awk" ]; then
        ok "the weaver's own search for broken links finds none" \
            env LC_ALL=C awk -v site="$h" -v anchors=book/anchors.txt \
            -f "$TOOLS/links.awk" "$h"/*.html
    fi
    is "the roman letters of formulas are upright" \
        "$(grep -l 'mstyle mathvariant="normal"' "$h"/*.html)" ""
    is "no style or script fetches anything" "$(grep -nE \
        '@import|url\(["'"'"' ]*(https?:)?//|(import|fetch) *\(|XMLHttpRequest' \
        "$h"/*.css "$h"/*.js | cut -c1-120)" ""
    if have tidy; then
        is "the HTML is valid (tidy)" "$(
            while read -r p; do
                tidy -q -e -utf8 --mute-id yes --drop-empty-elements no \
                    --mute PROPRIETARY_ATTRIBUTE,PROPRIETARY_ELEMENT \
                    "$p" 2>&1 | sed "s,^,${p##*/}: ,"
            done <"$work/pages" | head -n 40)" ""
    else
        skip "the HTML is valid" "needs tidy"
    fi
    ok "llms.txt is there" test -s "$h/llms.txt"
    is "and names every page that is there" "$(
        for md in book/*-*.md; do
            grep -q "$(basename "$md" .md)" "$h/llms.txt" ||
                echo "llms.txt: $(basename "$md" .md)"
        done)" ""
    is "what llms.txt links to is there" "$(
        grep -o ']([^)]*)' "$h/llms.txt" | tr -d '])(' |
            grep -v '^https:' | sed 's/#.*//' | while read -r f; do
            [ -f "$h/$f" ] || echo "$f"
        done)" ""
    is "the whole book as one text has every chapter" "$(
        awk '$3 != "planned" && /^[0-9A-Z]+[a-z]? /' book/toc.txt |
            while read -r num slug status title; do
                grep -Fq "$title" "$h/book.txt" || echo "$title"
            done)" ""
    # what a chunk is said to run on, and where its names lead
    ran() { grep -A3 "id=\"chunk-$1\"" "$h/02-stack.html" | grep -c 'run on: Loom'; }
    is "a kernel runs on Loom; what asks for the driver does not" \
        "$(ran compute-one-element-per-thread) $(
            ran load-a-module-and-say-how-long-it-took)" "1 0"
    is "no name outside of the solutions leads into them" \
        "$(grep -l '<a class="id" href="G-solutions' "$h"/0[1-9]*.html "$h"/K-*.html)" ""
    # the figures that can be moved: their tables are on the page, and a script that asks for them
    table() { awk '/<metadata id=/ { on = 1; next } /<[/]metadata>/ { on = 0 } on' "$1"; }
    is "the figure of chapter 3 brings the table that the threads wrote" \
        "$(table "$h/03-kernels.html")" "$(table figures/kernels_whose.svg)"
    is "a line for each of 40 launches" \
        "$(table "$h/03-kernels.html" | grep -Ec '^[1-5] [1-8] [-0-9]{80} [-0-9]{80}$')" 40
    is "the figure of chapter 17 brings the roots of unity" \
        "$(table "$h/17-dft.html")" "$(table figures/dft_draw.svg)"
    is "32 lines of 32 complex numbers" \
        "$(table "$h/17-dft.html" | awk 'NF == 64' | wc -l | tr -d ' ')" 32
    is "the figure of chapter 5 brings what the lanes read" \
        "$(table "$h/05-loom.html")" "$(table figures/loom_loads.svg)"
    is "six ways of eight loads" \
        "$(table "$h/05-loom.html" | sed 's/.*: //' | awk 'NF == 256' | wc -l | tr -d ' ')" 6
    ok "which the script of the page asks for" \
        grep -q 'querySelectorAll(".drawing metadata")' "$h/book.js"
    is "no other page has one" "$(grep -l '<metadata' $(cat "$work/pages") | sort)" \
        "$(printf '%s\n' "$h/03-kernels.html" "$h/05-loom.html" "$h/17-dft.html")"
    if [ -f book/anchors.txt ]; then
        ids $(cat "$work/pages") | LC_ALL=C sort -u >"$work/ids"
        is "every anchor that was ever there is there still" "$(
            awk '!/^#/ && NF && $2 != "->" { print $1, $2 }' book/anchors.txt |
                LC_ALL=C sort -u | LC_ALL=C comm -23 - "$work/ids" |
                head -n 20)" ""
    else
        fail "every anchor that was ever there is there still" \
            "there is no book/anchors.txt: make anchors"
    fi
fi

done_testing
