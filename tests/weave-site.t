#!/bin/sh
# depends: book/page tangled/weave tests/weave-site.awk
# tests/weave-site.t: the weaver and what it weaves: a book in miniature
# (tests/data/weave/mini) with every kind of mark and every kind of mistake, then
# the pages of this book: links, anchors, valid HTML, nothing fetched.
# A planted bug in the weaver runs the parts that it names.
. tests/tap.sh

parts=$ONLY
ONLY=
data=tests/data/weave
work=$tap_tmp/site
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

# text PAGE: what a reader sees, a blank for each run of blanks of any kind
text()
{
    awk 'BEGIN { RS = "<" }
         NR == 1 { next }
         skip != "" { if (index($0, "/" skip) != 1) next; skip = "" }
         /^(script|style)[ >]/ { skip = $0; sub(/[ >].*/, "", skip); next }
         { sub(/^("[^"]*"|[^">])*>/, ""); printf "%s", $0 }' "$1" |
        sed -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&quot;/"/g' \
            -e "s/&#39;/'/g" -e 's/&nbsp;/ /g' -e 's/&amp;/\&/g' \
            -e "s/$(printf '\302\240')/ /g" -e "s/$(printf '\342\200\257')/ /g" \
            -e "s/$(printf '\342\200\211')/ /g" | tr '\n' ' ' | tr -s ' '
}

# pages that the checker of pages must find fault with
if part checker; then
    is "the checker of pages sees every fault of a bad site" \
        "$(cd $data/site && awk -f ../../../weave-site.awk index.html \
            sub/page.html | LC_ALL=C sort)" "$(cat $data/site/expected)"
    fails_run "so does the weaver's own, of links" 'nowhere\.html' \
        awk -v site=$data/site -v anchors=/dev/null -f "$TOOLS/links.awk" \
        $data/site/index.html
    fails_run "also of anchors" '#two' \
        awk -v site=$data/site -v anchors=/dev/null -f "$TOOLS/links.awk" \
        $data/site/index.html
    echo "index top
index gone" >"$work/anchors"
    prints "and of anchors that were lost" '^gone$' sh -c 'awk -v site="$1" \
        -v anchors="$2" -f "$3" "$1/index.html" | grep -o "gone" | sort -u' \
        sh $data/site "$work/anchors" "$TOOLS/links.awk"
fi

# ---- a book in miniature -----------------------------------------------------
mini=$work/mini
weaves()
{
    have pandoc && have notangle && [ -f "$TOOLS/weave.sh" ] &&
        [ -f "$TOOLS/weave.mk" ]
}
mmake()
{
    (cd "$mini" && unset B GPU SRC BACKENDS CHAPTER &&
        $MAKE --no-print-directory SRC=tangled TOOLS=tools REPO= "$@")
}
check() { (cd "$mini" && OUT=$work/checked GPU=h200 sh "$TOOLS/weave.sh" --check); }

if part mini || part mistakes || part claims || part again; then
    cp -R $data/mini "$mini"
    cp Makefile "$mini"
    cp -R book/page "$mini/book/page"
    cp -R "$TOOLS" "$mini/tools"
    if [ -f book/logo.svg ]; then cp book/logo.svg "$mini/book"; fi
    if have notangle; then
        (cd "$mini" && OUT=tangled TWIN=$work/twin sh "$TOOLS/tangle.sh" \
            book/*-*.md) >/dev/null
    fi
fi

if ! weaves; then
    for p in mini mistakes claims again; do
        if ! part $p; then :
        elif ! have pandoc; then skip "a book in miniature" "needs pandoc"
        elif ! have notangle; then skip "a book in miniature" "needs notangle"
        else fail "a book in miniature" "there is no $TOOLS/weave.sh"
        fi
    done
else
    if part mini; then
        ok "a book in miniature is woven" mmake -j4 html
        h=$mini/build/html
        is "into pages without a fault" "$(cd "$h" && awk \
            -f "$root/tests/weave-site.awk" $(find . -name '*.html') 2>&1)" ""
        text "$h/01-loom.html" >"$work/loom"
        text "$h/02-shuttle.html" >"$work/shuttle"
        text "$h/G-solutions.html" >"$work/solutions"
        says() { grep -Fq -e "$2" "$work/$1"; }
        silent() { ! grep -Eq -e "$2" "$work/$1"; }
        linked() { grep -Eq "href=\"$2\"" "$h/$1.html"; }
        ok "a number is that of the results, with its unit" \
            says loom 'It reaches 1230 GB/s'
        ok "unit=no leaves the unit out" says loom 'or 1230,'
        ok "a count is printed whole" says loom 'with 65 536 bytes'
        ok "and one that outgrows 32 bits" says loom 'of 4 350 000 000'
        for a in mawk gawk; do
            have $a || { skip "woven the same with $a" "needs $a"; continue; }
            mkdir -p "$work/$a"
            ln -s "$(command -v $a)" "$work/$a/awk"
            (cd "$mini" && PATH=$work/$a:$PATH OUT=$work/by-$a GPU=h200 \
                REFS=build/weave/refs.json sh "$TOOLS/weave.sh")
            ok "woven the same with $a" diff -r "$work/by-$a" "$work/by-mawk"
        done
        ok "a result that is not there is a dash" says loom 'on Loom —'
        ok "a claim that holds leaves nothing but its words" eval \
            'says loom "Wide threads are twice as fast, 2468 GB/s, and a weft takes few bytes." &&
                ! grep -Eq "holds|unheld|‡" "$h/01-loom.html"'
        ok "a table of results has its rows" \
            eval 'says loom wide && says loom 2468'
        ok "a launch is printed as a launch" \
            says loom 'weft<<<1, 1>>>(1 << 3);'
        ok "a heredoc is printed as a heredoc" says shuttle 'cat << EOF >> "$1"'
        ok "a chunk's name is printed as it is" says loom 'count "a" & b'
        ok "a transcript is printed as it is" says loom '<tag>'
        ok "mathematics is MathML" grep -q '<math' "$h/01-loom.html"
        ok "whose parentheses in a line of text do not grow" eval \
            'grep -q "display=.inline" "$h/01-loom.html" && ! grep -q "stretchy=.true" "$h/01-loom.html"'
        ok "a term leads to the glossary" linked 01-loom 'C-glossary.html#warp'
        is "once in a chapter" \
            "$(grep -o 'href="C-glossary.html#warp"' "$h/01-loom.html" |
                wc -l | tr -d ' ')" 1
        ok "and again in the next" linked 02-shuttle 'C-glossary.html#warp'
        ok "a link to a section of another chapter" \
            linked 01-loom '02-shuttle.html#throwing'
        ok "a chapter that is planned is no link" \
            eval '! linked 01-loom "03-dye[^\"]*"'
        ok "but is named" says loom 'dyeing'
        ok "a citation leads to the work" linked 01-loom '[^"]*#ref-knuth1984'
        ok "whose title is printed" says loom 'Literate Programming'
        ok "a figure is numbered" grep -Eq 'Figure 1\.1' "$work/loom"
        ok "and referred to" linked 01-loom '#fig:threads'
        ok "its drawing needs no file" grep -q '<svg' "$h/01-loom.html"
        ok "and brings its table along" grep -qx '1 2 0001' "$h/01-loom.html"
        ok "but not what it says of itself" silent loom 'drawn by hand'
        ok "a name in the prose leads to where it is defined" \
            linked 02-shuttle '01-loom.html#[^"]+'
        ok "a statement that is wrong is printed as such" \
            says loom 'A thread is a rope.'
        ok "a hint stands with its exercise" says loom 'Throw one twice.'
        ok "a solution does not" silent loom SOLUTIONTEXT
        ok "but with the solutions" says solutions SOLUTIONTEXT
        ok "with a link there" linked 01-loom 'G-solutions.html#[^"]+'
        ok "and back" linked G-solutions '01-loom.html#ex-two'
        # the workshop
        text "$h/01w-loom-workshop.html" >"$work/workshop"
        ok "a page says how long it takes" says loom 'Time: about 5 minutes.'
        ok "and where its workshop is" linked 01-loom '01w-loom-workshop.html'
        ok "all of it" linked 01-loom '01w-loom-workshop-more.html'
        ok "a workshop page has its chapter's number" says workshop 'Workshop 1w'
        ok "and the title without the word" \
            grep -q '<title>1w The loom ' "$h/01w-loom-workshop.html"
        ok "the next one has a number of its own" \
            grep -q '<title>1w2 The loom, more ' "$h/01w-loom-workshop-more.html"
        ok "it leads to its chapter" linked 01w-loom-workshop '01-loom.html'
        ok "a chunk on stage leads to the workshop's" linked 01-loom \
            '01w-loom-workshop.html#chunk-wind-the-warp'
        ok "and back" linked 01w-loom-workshop '01-loom.html#chunk-set-the-reed'
        ok "a workshop says no time" silent workshop 'Time:'
        ok "the workshop is in the contents" linked index '01w-loom-workshop.html'
        ok "behind everything else" sh -c 'awk "/G-solutions.html/ { g = NR }
            /01w-loom-workshop.html/ { w = NR } END { exit !(g && w > g) }" "$1"' \
            sh "$mini/build/weave/index.md"
        ok "and in the search" grep -q 'loom-workshop.html#reed' "$h/search.js"
        ok "a formula is found by what it says" grep -q 'f(x^2) < 3' "$h/search.js"
        ok "a page that was renamed leads on" linked 01-frame '01-loom.html'
        is "a chunk of two pages can be copied whole from either" "$(
            for p in 01-loom 01w-loom-workshop; do
                sed -n 's/.* data-key="\(1 wind the warp\)".*/\1/p' \
                    "$mini/build/html/$p.html" | sort -u
            done)" "1 wind the warp
1 wind the warp"
        is "two volumes hold each page once" "$(cd "$mini/build/weave" &&
            sed -n 's/.*input{.weave\/\(.*\).tex}/\1/p' body.tex |
            tr '\n' ' '; echo; sed -n 's/.*input{.weave\/\(.*\).tex}/\1/p' \
            body-workshop.tex | tr '\n' ' ')" "01-loom 02-shuttle C-glossary G-solutions 
01w-loom-workshop 01w-loom-workshop-more "
        ok "a link from one to the other leads into the other file" \
            eval 'mmake build/weave/tex/01-loom.tex &&
                grep -q "chunkuseaway{loom-workshop.chunk-wind-the-warp}" \
                    "$mini/build/weave/tex/01-loom.md"'
        for f in llms.txt book.txt; do
            ok "$f names every chapter" eval "grep -q 'The loom' '$h/$f' &&
                grep -q 'The shuttle' '$h/$f' && grep -q Glossary '$h/$f'"
        done
        for i in chunks identifiers figures terms; do
            ok "there is an index of $i" test -s "$h/$i.html"
        done
        ok "which lists a chunk" grep -q 'throw the weft' "$h/chunks.html"
        ok "an identifier" grep -q 'weft' "$h/identifiers.html"
        text "$h/figures.html" >"$work/figures"
        ok "a figure" says figures 'Threads on a loom'
        ok "a term" grep -q 'warp' "$h/terms.html"
    fi

    # mistakes: each text is put at the end of chapter 1; the weaver must name
    # its line there, say what is wrong, and exit 1
    if part mistakes; then
        ok "the miniature itself is without a mistake" check
        cp "$mini/book/01-loom.md" "$work/01-loom.md"
        mistake()
        {
            { cat "$work/01-loom.md"; printf '\n%b\n' "$2"; } \
                >"$mini/book/01-loom.md"
            # the lines that were put there, and the one after them
            m_line="($(($(wc -l <"$work/01-loom.md") + 2))"
            for m_i in 3 4 5 6 7; do
                m_line="$m_line|$(($(wc -l <"$work/01-loom.md") + m_i))"
            done
            m_line="${4:-$m_line)}"
            m_said=$(check 2>&1)
            m_st=$?
            if [ "$m_st" = 1 ] && printf '%s\n' "$m_said" |
                grep -E "^book/01-loom.md:$m_line: " | grep -Eq -e "$3"; then
                pass "the weaver refuses $1"
            else
                fail "the weaver refuses $1" \
                    "wanted: exit status 1 and book/01-loom.md:$m_line: ... $3
got:    $m_st, $m_said"
            fi
            cp "$work/01-loom.md" "$mini/book/01-loom.md"
        }
        mistake "a number that the results lack" \
            'It is [loom/plain@4096:tflops]{.n}.' 'loom/plain@4096:tflops'
        mistake "a number that is no key" 'It is [fast]{.n}.' 'fast'
        claim() { mistake "a claim that $1" "It is [so]{.holds if=\"$2\"}." "$3"; }
        plain='{loom/plain@4096:gbps}'
        wide='{loom/wide@4096:gbps}'
        claim "is false" "$plain > 2 * $wide" \
            'the claim "so" is false: .* is 1234.5 > 4936 in the results'
        claim "is false in its second part" "$plain < $wide and $plain > 5e3" \
            'so. is false: .* is 1234.5 < 2468, 1234.5 > 5000 in'
        claim "is false in the middle of a chain" "1 < $wide < $plain < 9999" \
            'is false: .* is 1 < 2468, 2468 < 1234.5, 1234.5 < 9999 in'
        claim "is false by a parenthesis" "($wide - $plain) * 2 < -$plain + $wide" \
            'is 2467 < 1233.5 in'
        claim "names a result that is absent" "$plain < {loom/wide@5000:gbps}" \
            'names [{]loom/wide@5000:gbps[}], which is not in bench/results/h200/loom.csv: fix'
        claim "names a chapter without results" "{dye/red@1:us} > 1" \
            'names [{]dye/red@1:us[}], which is not in bench/results/h200/dye.csv: fix'
        claim "divides by zero" "$wide / ($plain - $plain) > 1" \
            'divides by zero: \([{]loom.* - [{]loom.*\) is 0'
        claim "compares nothing" "$plain / $wide" 'compares nothing: write what'
        claim "has no result" "$plain < $wide and 1 < 2" \
            'compares nothing: it names no result'
        claim "holds a result against itself" "$plain < 2 * $plain" \
            'compares nothing: both sides are made of the same result'
        claim "is empty" "" 'does not parse at ""'
        claim "has a sign that is none" "$plain == $wide" 'does not parse at "== [{]'
        claim "lacks a parenthesis" "($plain < $wide" 'does not parse at "< [{]'
        claim "stops too early" "$plain < $wide and" 'does not parse at ""'
        claim "forgets the braces" "$plain < loom/wide@4096:gbps" \
            'does not parse at "loom/wide'
        claim "stays true with its sides exchanged" \
            "$plain < $wide and {loom/plain@4096:bytes} <= 65536" \
            'stays true when its sides are exchanged \(65536 <= 65536\)'
        mistake "a claim without its condition" '[So]{.holds}.' 'does not parse at ""'
        mistake "a claim over two lines, in the first of them" \
            'It is [so]{.holds if="1 <\n2"}.' 'names no result' \
            $(($(wc -l <"$work/01-loom.md") + 2))
        mistake "a number behind it, in its own" \
            'It is [so]{.holds if="1 <\n{loom/plain@4096:us}"},\n[fast]{.n}.' 'fast' \
            $(($(wc -l <"$work/01-loom.md") + 4))
        is "make claims lists what is claimed, the narrowest first" \
            "$(mmake claims)" "\
   0.5 %  book/01-loom.md:15: \"twice as fast, 2468 GB/s\": 1.99 < 1.99919, \
1.99919 < 2.1, 6.1 < 12.345
  67.2 %  book/01-loom.md:17: \"few bytes\": 32768 <= 100000"
        mistake "a term that the glossary lacks" 'A [wrap]{.term}.' 'wrap'
        mistake "a work that is not listed" 'So [@nobody1999].' 'nobody1999'
        mistake "a second work that is not listed" \
            'So [@knuth1984; @nobody1999, p. 3].' 'nobody1999'
        mistake "such a work in the text" 'As @nobody1999 says.' 'nobody1999'
        mistake "a figure that is not there" 'See @fig:nothing.' 'nothing'
        mistake "a table that is not there" 'See @tbl:nothing.' 'nothing'
        mistake "a picture that is not there" \
            '![A.](../figures/loom_nothing.svg){#fig:n}' 'loom_nothing.svg'
        mistake "a picture without an anchor" \
            '![A.](../figures/loom_threads.svg)' 'anchor|fig:'
        mv "$mini/book/01w-loom-workshop.md" "$mini/book/03w-dye-workshop.md"
        fails_run "the weaver refuses a workshop without its chapter" \
            '^book/03w-dye-workshop.md:1: a workshop page without its chapter' check
        mv "$mini/book/03w-dye-workshop.md" "$mini/book/01w-loom-workshop.md"
        sed -i 's/^# Workshop: The/# The/' "$mini/book/01w-loom-workshop.md"
        fails_run "and one whose title does not say what it is" \
            '^book/01w-loom-workshop.md:1: .*begins with Workshop:' check
        cp $data/mini/book/01w-loom-workshop.md "$mini/book"
        echo '01-old -> 01-nowhere' >>"$mini/book/anchors.txt"
        fails_run "and a page renamed into none" \
            'anchors.txt:[0-9]+: .*01-nowhere' check
        cp $data/mini/book/anchors.txt "$mini/book"
        mistake "a link to no chapter" 'See [it](09-nothing.md).' '09-nothing'
        mistake "a link to no section" \
            'See [it](02-shuttle.md#nothing).' '#nothing'
        mistake "a link to no section of this chapter" \
            'See [it](#nothing).' '#nothing'
        mistake "a link to no file" 'See [it](../nothing.txt).' 'nothing.txt'
        mistake "an anchor used twice" '## Again {#throwing}' 'throwing'
        mistake "a box that closes nothing" ':::' ':::'
        mistake "a box that is not closed" '::: {.exercise #ex-b}\nText.' \
            'open|closed'
        mistake "a box that is not known" '::: nothing\nText.\n:::' 'nothing'
        mistake "a statement without its source" \
            '::: {.said #E2 source=nobody test="loom"}\nX.\n\nY.\n:::' 'nobody'
        mistake "an exercise without an anchor" \
            '::: exercise\n**A.** B.\n:::' 'anchor'
        mistake "a solution of nothing" \
            '::: {.solution for=ex-nothing}\nText.\n:::' 'ex-nothing'
        mistake "a table that selects nothing" \
            '::: {.results of=loom rows=variant cols=metric size=7 metrics=us}\n: A. {#tbl:b}\n:::' \
            'loom'
        sed -i 's/^1 loom written The loom/1 loom written A loom/' \
            "$mini/book/toc.txt"
        mistake "a title that toc.txt does not have" 'Text.' 'toc.txt' 1
        cp $data/mini/book/toc.txt "$mini/book/toc.txt"
    fi

    # claims, with the results of another GPU
    if part claims; then
        h=$mini/build/html
        mkdir "$mini/bench/results/other"
        sed 's/plain,4096,gbps,1234.5/plain,4096,gbps,2000/' \
            "$mini/bench/results/h200/loom.csv" >"$mini/bench/results/other/loom.csv"
        ok "what is false of another GPU is no error" mmake GPU=other html
        text "$h/01-loom.html" >"$work/loom"
        is "but is marked, and nothing else" "$(tr '\n' ' ' <"$h/01-loom.html" |
            grep -o '<span class="unheld".*' | sed "s/<sup.*//; s/$(printf '\302\240')/ /")" \
            '<span class="unheld" title="not so on other: 1.99 &lt; 1.234, 1.234 &lt; 2.1, 6.1 &lt; 12.345">twice as <em>fast</em>, <span class="number" title="loom/wide@4096:gbps, other">2468 GB/s</span>'
        ok "with a sign" grep -Fq 'GB/s‡, and a weft takes few bytes.' "$work/loom"
        ok "that the page explains" \
            grep -q '‡ True of the book.s own measurements (h200)' "$work/loom"
        ok "and no other page" eval '! grep -q ‡ "$h/02-shuttle.html"'
        ok "and in LaTeX" eval 'mmake GPU=other build/weave/tex/01-loom.tex &&
            grep -q "textsuperscript{‡}}, and" "$mini/build/weave/tex/01-loom.tex"'
        mmake GPU=none html >/dev/null 2>&1
        is "so is what nobody measured there" "$(grep -o 'title="not known of [a-z]*"' \
            "$h/01-loom.html")" 'title="not known of none"
title="not known of none"'
        rm -r "$mini/bench/results/other"
    fi

    # again: what make does the second time, and with a mistake
    if part again; then
        mmake html >/dev/null 2>&1
        h=$mini/build/html
        mark()
        {
            find "$mini" -type f -exec touch -d 2001-01-01 {} +
        }
        new()
        {
            (cd "$h" && find . -name '*.html' -newermt 2002-01-01 | sort)
        }
        mark
        mmake html >"$work/said" 2>&1
        is "a second make html does nothing" \
            "$(cd "$mini" && find . -type f -newermt 2002-01-01)" ""
        is "and says nothing but that" \
            "$(grep -Ev 'Nothing to be done|up to date' "$work/said")" ""
        rm "$h/02-shuttle.html"
        mmake html >/dev/null 2>&1
        is "a page that was lost is woven again, alone" "$(new)" \
            "./02-shuttle.html"
        mark
        sed -i 's/^The same name as/Now the same name as/' \
            "$mini/book/02-shuttle.md"
        ok "a change of prose" mmake html
        is "weaves its page and no other" "$(new)" "./02-shuttle.html"
        mark
        printf '\n## More {#more}\n\nSee [it](#nothing).\n' \
            >>"$mini/book/02-shuttle.md"
        (cd "$h" && find . -type f -exec cksum {} + | sort) >"$work/before"
        ok "a mistake stops make" eval '! mmake html'
        (cd "$h" && find . -type f -exec cksum {} + | sort) >"$work/after"
        ok "and leaves all pages as they were" \
            cmp "$work/before" "$work/after"
        cp $data/mini/book/02-shuttle.md "$mini/book"

        ok "make anchors" mmake anchors
        ok "lists the anchor of a section" \
            grep -qx '02-shuttle throwing' "$mini/book/anchors.txt"
        ok "and none of a chunk" \
            eval '! grep -q chunk "$mini/book/anchors.txt"'
        cp "$mini/book/anchors.txt" "$work/anchors"
        mmake anchors >/dev/null 2>&1
        ok "a second time, nothing new" \
            cmp "$work/anchors" "$mini/book/anchors.txt"
        sed -i 's/{#throwing}/{#casting}/' "$mini/book/02-shuttle.md"
        sed -i 's/02-shuttle.md#throwing/02-shuttle.md#casting/' \
            "$mini/book/01-loom.md"
        sed -i 's/^02-shuttle throwing$/& -> casting/' "$mini/book/anchors.txt"
        mmake html >/dev/null 2>&1
        is "an anchor that was renamed is there under both names" \
            "$(ids "$h/02-shuttle.html" | grep -Ex '.* (throwing|casting)' |
                sort)" "02-shuttle casting
02-shuttle throwing"
        echo '01-loom sley -> summary' >>"$mini/book/anchors.txt"
        mmake html >/dev/null 2>&1
        ok "an old anchor that is added is on its page" \
            sh -c 'grep -q "id=.sley." "$1"' sh "$h/01-loom.html"
        cp $data/mini/book/*.md "$mini/book"

        if have epubcheck; then
            printf '\n<blink>now</blink>\n' >>"$mini/book/02-shuttle.md"
            ok "make epub stops at what epubcheck does not take, and says where" \
                eval 'mmake epub 2>&1 | grep -q "RSC-005.*ch002.*blink"'
            is "which makes no book" "$(ls "$mini"/build/*.epub 2>/dev/null)" ""
            cp $data/mini/book/02-shuttle.md "$mini/book"
        else
            skip "make epub stops at what epubcheck does not take" "needs epubcheck"
        fi
    fi
fi

ONLY=$parts
done_testing
