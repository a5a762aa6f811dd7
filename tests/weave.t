#!/bin/sh
# depends: book/*-tour*.md book/*-weave*.md tangled/tour tangled/weave tests/planted
# tests/weave.t: the tangler, the lint, and what make does with them.
#
# The golden chapters are tests/data/weave/good (what they must tangle to lies
# beside them, written by hand); the malformed ones tests/data/weave/bad, with
# what each must be told in the file "expected" there.  A planted bug in a tool
# runs the parts that it names ("only: golden bad"), with TOOLS set.
. tests/tap.sh

parts=$ONLY
ONLY=
data=tests/data/weave
work=$tap_tmp/weave
mkdir -p "$work"
TOOLS=$(cd "$TOOLS" && pwd)

# tangle DIR chapter...: into DIR/tangled and DIR/twin
tangle()
{
    t_dir=$1
    shift
    OUT=$t_dir/tangled TWIN=$t_dir/twin sh "$TOOLS/tangle.sh" "$@"
}

lint()
{
    awk -f "$TOOLS/lint.awk" -- "$@"
}

# same_tree A B: the same files with the same text
same_tree() { diff -r "$1" "$2"; }

# state DIR: every file, when it was written, and what it says
state()
{
    (cd "$1" && find . -type f -exec ls -l --time-style=full-iso {} + |
        sort -k 9 && find . -type f -exec cksum {} + | sort -k 3)
}

# files DIR: every file
files() { (cd "$1" 2>/dev/null && find . -type f | sort); }

# ---- golden chapters: with every awk that is here ---------------------------
if part golden; then
    for a in gawk mawk original-awk "busybox awk"; do
        w=$work/golden-${a%% *}
        t="golden chapters tangle to the text written by hand, with $a"
        if ! have "${a%% *}"; then
            skip "$t" "needs ${a%% *}"
            continue
        fi
        if ! have notangle; then
            skip "$t" "needs notangle"
            continue
        fi
        mkdir -p "$w/bin"
        printf '#!/bin/sh\nexec %s "$@"\n' "$a" >"$w/bin/awk"
        chmod +x "$w/bin/awk"
        path=$PATH
        PATH=$w/bin:$PATH
        ok "$t: no complaint" tangle "$w" $data/good/*.md
        ok "$t: tangled" same_tree $data/good/tangled "$w/tangled"
        ok "$t: with #line" same_tree $data/good/twin "$w/twin"
        ok "the lint has nothing to say about them, with $a" \
            lint $data/good/*.md
        PATH=$path
    done
fi

if part golden && have notangle; then
    w=$work/golden
    tangle "$w" $data/good/*.md >/dev/null 2>&1
    ok "a tangled script may be run" test -x "$w/tangled/shuttle/run.sh"
    ok "a tangled header may not" test ! -x "$w/tangled/loom/vec.h"

    # gcc must report an error at its line of the chapter
    sed 's/^y\[i\] += 1;$/y[i] += ;/' $data/good/01-loom.md >"$work/01-loom.md"
    tangle "$work/err" "$work/01-loom.md" >/dev/null 2>&1
    at=$(grep -n 'y\[i\] += ;' "$work/01-loom.md" | cut -d: -f1)
    cpp() { ${CC:-cc} -E -x c -I"$work/err/twin" "$work/err/twin/loom/vec.cu"; }
    cpp >"$work/cpp" 2>/dev/null
    is "the compiler sees a line of a chunk at its line of the chapter" \
        "$(awk '/^# [0-9]+ "/ { n = $2 - 1; f = $3; next } { n++ }
                /y\[i\] \+= ;/ { print f, n }' "$work/cpp")" \
        "\"$work/01-loom.md\" $at"

    # nothing is written that did not change
    touch -d 2001-01-01 "$w"/tangled/*/* "$w"/twin/*/*
    state "$w" >"$work/before"
    tangle "$w" $data/good/*.md >"$work/said" 2>&1
    state "$w" >"$work/after"
    ok "tangling again writes nothing" cmp "$work/before" "$work/after"
    is "and says nothing" "$(cat "$work/said")" ""
    sed 's/echo "done"/echo "all done"/' $data/good/02-shuttle.md \
        >"$work/02-shuttle.md"
    tangle "$w" "$work/02-shuttle.md" >/dev/null 2>&1
    is "a change of a chunk writes the files that use it and no other" \
        "$(find "$w/tangled" -type f -newermt 2002-01-01 | sort |
            sed "s,$w/,,")" \
        "tangled/shuttle/run.sh"

    # what the book no longer holds goes away
    sed '/^```make/,/^```$/d' $data/good/02-shuttle.md >"$work/02-shuttle.md"
    tangle "$w" "$work/02-shuttle.md" >/dev/null 2>&1
    is "a file that no chunk writes any more is removed" \
        "$(files "$w/tangled/shuttle")" "./page.sh
./run.sh
./shift.awk"
    is "and no other chapter's" "$(files "$w/tangled/loom")" "./vec.cu
./vec.h"
elif part golden; then
    skip "what tangling again writes" "needs notangle"
fi

# ---- malformed chapters ------------------------------------------------------
# told CHAPTER LINE ERE TEXT: TEXT has "CHAPTER:LINE: a sentence" that matches
told()
{
    printf '%s\n' "$4" | grep -E "^$1:$2: " | grep -Eq -e "$3"
}

# refused who chapter line ERE: the tangler or the lint says so, exits 1, and
# the files that were there are there as they were
refused()
{
    r_what="$1 refuses $(basename "$2" .md)"
    r_slug=$(basename "$2" .md)
    r_slug=${r_slug#*-}
    r_dir=$work/refused/$r_slug
    case $1 in
    tangle)
        rm -rf "$r_dir"
        mkdir -p "$r_dir/tangled/$r_slug" "$r_dir/twin/$r_slug"
        for r_f in tangled twin; do
            echo "as it was" >"$r_dir/$r_f/$r_slug/a.c"
        done
        files "$r_dir" >"$work/refused.before"
        r_said=$(tangle "$r_dir" "$2" 2>&1)
        r_st=$?
        files "$r_dir" >"$work/refused.after"
        ;;
    lint)
        r_said=$(lint "$2" 2>&1)
        r_st=$?
        ;;
    refs)
        r_said=$(sh "$TOOLS/refs.sh" "$2" 2>&1)
        r_st=$?
        ;;
    esac
    if [ "$r_st" != 1 ]; then
        fail "$r_what" "wanted exit status 1 and $2:$3: ... $4" \
            "got exit status $r_st: $r_said"
    elif ! told "$2" "$3" "$4" "$r_said"; then
        fail "$r_what" "wanted: $2:$3: ... $4
got:    $r_said"
    else
        pass "$r_what at line $3"
    fi
    [ "$1" = tangle ] || return 0
    if cmp -s "$work/refused.before" "$work/refused.after" &&
        [ "$(cat "$r_dir"/*/"$r_slug"/a.c)" = "as it was
as it was" ]; then
        pass "and leaves the files of $r_slug as they were"
    else
        fail "and leaves the files of $r_slug as they were" \
            "$(cd "$r_dir" && grep -r . .)"
    fi
}

# odd name text line ERE who: a malformed chapter made here, since an editor or
# git might fix it
odd()
{
    printf "$2" >"$work/01-$1.md"
    for o in $5; do
        refused "$o" "$work/01-$1.md" "$3" "$4"
    done
}

if part bad; then
    while read -r name who line re <&4; do
        case $name in '' | '#'*) continue ;; esac
        md=$data/bad/01-$name.md
        case $who in
        tangle)
            if have notangle; then
                refused tangle "$md" "$line" "$re"
            else
                skip "tangle refuses $name" "needs notangle"
            fi
            refused lint "$md" "$line" "$re"
            ;;
        lint) refused lint "$md" "$line" "$re" ;;
        refs)
            if [ -f "$TOOLS/refs.sh" ]; then
                refused refs "$md" "$line" "$re"
            else
                fail "refs refuses $name" "there is no $TOOLS/refs.sh"
            fi
            ;;
        *) fail "$data/bad/expected: $name" "who is \"$who\"?" ;;
        esac
    done 4<$data/bad/expected
    for md in $data/bad/*.md; do
        name=$(basename "$md" .md)
        grep -q "^${name#01-} " $data/bad/expected ||
            fail "$md is tested" "it has no line in $data/bad/expected"
    done

    both="lint"
    if have notangle; then both="tangle lint"; fi
    odd crlf '# Odd {#crlf}\r\n\r\nWords.\r\n\r\n```c\r\n<<crlf/a.c>>=\r\nint a;\r\n@\r\n```\r\n' \
        1 'LF' "$both"
    odd crlfcode '# Odd {#crlfcode}\n\nWords.\n\n```c\n<<crlfcode/a.c>>=\nint a;\r\n@\n```\n' \
        7 'LF' "$both"
    odd tab '# Odd {#tab}\n\nWords.\n\n```c\n<<tab/a.c>>=\n\tint a;\n@\n```\n' \
        7 'tab' "$both"
    odd zero '' 1 'empty' "$both"
    odd blank '\n\n' 1 'title|empty' lint
    odd cut '# Odd {#cut}\n\nWords.\n\n```c\n<<cut/a.c>>=\nint a;\n@' \
        5 'never closed' "$both"
    odd cutcode '# Odd {#cutcode}\n\nWords.\n\n```c\n<<cutcode/a.c>>=\nint a;' \
        5 'never closed' "$both"
    odd twice '# Odd {#twice}\n\nWords.\n\n```c\n<<twice/a.c>>=\n<<hold on>>\n```\n\n```c\n<<twice/a.c>>=\n@\n```\n' \
        '[0-9]+' 'not defined|open|empty' "$both"

    # a good chapter that lacks any one line of its fences and chunks
    if have notangle; then
        for md in $data/good/*.md; do
            slug=$(basename "$md" .md)
            slug=${slug#*-}
            d=$work/lack
            mkdir -p "$d/tangled/$slug"
            echo "as it was" >"$d/tangled/$slug/a.c"
            is "$slug.md without any one line that opens or closes is refused" \
                "$(awk '/^````/ { shown = !shown; print FNR; next }
                    !shown && /^(```|@|<<.*>>=)/ { print FNR }' "$md" |
                    while read -r n; do
                        sed "${n}d" "$md" >"$work/$(basename "$md")"
                        tangle "$d" "$work/$(basename "$md")" >"$work/said" 2>&1
                        st=$?
                        [ $st = 1 ] && grep -q ".md:[0-9]*: " "$work/said" &&
                            [ "$(files "$d")" = "./tangled/$slug/a.c" ] ||
                            echo "line $n: exit status $st: $(cat "$work/said"
                                files "$d")"
                    done)" ""
            rm -rf "$d"
        done

        t="a chapter without a newline at its end is tangled whole"
        printf '# Odd {#end}\n\nWords.\n\n```c\n<<end/a.c>>=\nint a;\n@\n```' \
            >"$work/01-end.md"
        tangle "$work/end" "$work/01-end.md" >/dev/null 2>&1
        is "$t" "$(cat "$work/end/tangled/end/a.c" 2>&1)" "int a;"

        t="a reference behind a tab keeps the tab, or is refused"
        printf '# Odd {#behindtab}\n\nWords.\n\n```make\n<<behindtab/a.mk>>=\nall:\n\t<<do it>>\n@\n```\n\nHere.\n\n```make\n<<do it>>=\ndate\ndate\n@\n```\n' \
            >"$work/01-behindtab.md"
        if tangle "$work/end" "$work/01-behindtab.md" >"$work/said" 2>&1; then
            is "$t" "$(cat "$work/end/tangled/behindtab/a.mk")" \
                "$(printf 'all:\n\t# do it\n\tdate\n\tdate')"
        else
            ok "$t" grep -q '01-behindtab.md:8: ' "$work/said"
        fi

        ok "a chapter without code is no error" \
            tangle "$work/end" $data/none/01-none.md
        fails_run "a chapter that is not there is one" 'nosuch' \
            env OUT="$work/x" TWIN="$work/y" sh "$TOOLS/tangle.sh" \
            book/99-nosuch.md
        is "which writes nothing" "$(files "$work/x")$(files "$work/y")" ""

        # a notangle that dies in the middle
        mkdir -p "$work/bin"
        printf '#!/bin/sh\necho half\nexit 1\n' >"$work/bin/notangle"
        chmod +x "$work/bin/notangle"
        w=$work/half
        tangle "$w" $data/good/*.md >/dev/null 2>&1
        state "$w" >"$work/before"
        sed 's/echo "done"/echo "all done"/' $data/good/02-shuttle.md \
            >"$work/02-shuttle.md"
        (PATH=$work/bin:$PATH && tangle "$w" "$work/02-shuttle.md") \
            >/dev/null 2>&1
        is "tangle fails when notangle does" "$?" "1"
        state "$w" >"$work/after"
        ok "and then leaves every file as it was" \
            cmp "$work/before" "$work/after"
    else
        skip "tangle when notangle dies" "needs notangle"
    fi
fi

# ---- pages and their names -----------------------------------------------------
if part pages; then
    w=$work/pages
    mkdir -p "$w"
    for p in 22-b 22a-b-more 22w-b-workshop-z 22w-b-workshop 05-a D-d Dw-d-workshop \
        05w-a-workshop; do
        echo "# P {#p}" >"$w/$p.md"
    done
    touch "$w/toc.txt" "$w/notes.txt"
    pages() { sh "$TOOLS/pages.sh" "$w" "$@" | sed "s,$w/,,; s/\.md//" | tr '\n' ' '; }
    is "pages come in the order of the book" "$(pages)" "05-a 22-b 22a-b-more D-d \
05w-a-workshop 22w-b-workshop 22w-b-workshop-z Dw-d-workshop "
    is "or those of a chapter" "$(pages b)" \
        "22-b 22a-b-more 22w-b-workshop 22w-b-workshop-z "
    for p in 14w-gemm 14-gemm-workshop 14-gemm-more 14b-gemm 4-gemm 14w-gemm-word \
        14w-gemm-workshop-a-b Dd-x 14-Gemm; do
        : >"$w/$p.md"
        fails_run "$p is no name of a page" "^[^ ]*/$p.md:1: no name of a page" \
            sh "$TOOLS/pages.sh" "$w"
        rm "$w/$p.md"
    done
    : >"$w/14w-gemm-workshop.md"
    fails_run "a workshop page wants its chapter" \
        '/14w-gemm-workshop.md:1: a workshop page without its chapter.*14-gemm.md' \
        sh "$TOOLS/pages.sh" "$w"

    # the pages of a chapter share their chunks
    w=$work/shared
    mkdir -p "$w"
    page() { printf '# %s\n\nWords.\n\n```c\n<<%s>>=\n%s\n@\n```\n' "$@"; }
    { page 'S {#s}' s/a.c '<<do it>>'; echo
      page x 'do it' 'int a;' | tail -n +3; } >"$w/01-s.md"
    page 'Workshop: S {#s-workshop}' s/b.c '<<do it>>' >"$w/01w-s-workshop.md"
    ok "stage and workshop use each other's chunks" lint "$w"/01*.md
    { page 'Workshop: S {#s-workshop}' s/b.c '<<do it>>'; echo
      page x 'do it' 'int b;' | tail -n +3; } >"$w/01w-s-workshop.md"
    for r in lint tangle; do
        if [ $r = tangle ] && ! have notangle; then
            skip "the tangler refuses a chunk of two pages" "needs notangle"
            continue
        fi
        case $r in
        lint) r_said=$(lint "$w"/01*.md 2>&1) ;;
        tangle) r_said=$(tangle "$w/out" "$w/01w-s-workshop.md" 2>&1) ;;
        esac
        is "a chunk that stage and workshop define is refused ($r)" "$? $r_said" \
            "1 $w/01w-s-workshop.md:14: the chunk \"do it\" is defined in \
$w/01-s.md:14 too, and the pages of a chapter share their chunks: rename one"
    done
    is "and nothing is written" "$(files "$w/out")" ""
    { page 'S {#s}' s/a.c '<<do it>>'; echo "Time: an hour."; } >"$w/01-s.md"
    fails_run "a time that somebody typed is refused" '01-s.md:10: the reading time' \
        lint "$w/01-s.md"
    page 'S {#s}' s/a.c '<<do that>>' >"$w/01-s.md"
    fails_run "and a chunk of stage that no page defines" \
        '01-s.md:7: the chunk "do that" is not defined' lint "$w"/01*.md
fi

# ---- how long a page takes -----------------------------------------------------
if part stage; then
    printf '%s\n' '# One {#one}' '' '::: before' 'Assumes: nothing.' ':::' '' \
        'Ten words stand here, and these are the last three.' '' '![A b.](x.svg){#fig:x}' '' \
        '```c' '<<one/a.c>>=' 'int a;' '' 'int b;' '@' '```' '' '```text' 'not counted' '```' '' \
        '| a | b |' '|---|---|' '| c | d |' '' \
        '::: {.results of=x}' ': C. {#tbl:c}' ':::' '' \
        '::: {.exercise #ex-a}' '**Do.** It now.' '' '::: hint' 'Try.' ':::' ':::' '' \
        '::: {.solution for=ex-a}' 'So.' '' '```c' '<<one/solutions/a.c>>=' 'int c;' '@' '```' ':::' \
        >"$work/01-one.md"
    is "words, lines, figures and minutes are counted as the appendix says" \
        "$(awk -f "$TOOLS/stage.awk" -- "$work/01-one.md" | tr '\t' ' ')" \
        "01-one stage 20 2 3 6
01-one exercise 4 0 0 0
01-one solution 1 1 0 0"
    is "and added up" "$(awk -v table=1 -f "$TOOLS/stage.awk" -- "$work/01-one.md" |
        tr -s ' ' | tail -n 1)" "= stage 20 2 3 6 -"
fi

# ---- the errors of the source notes ---------------------------------------------
if part errors; then
    w=$work/errors
    mkdir -p "$w/good/tap"
    (
        cd "$w/good" || exit
        printf '%s\n' '# Errors.' 'E1 loom a rope' 'E2 dye a color' 'E3 -' \
            'E4 loom a knot' 'E5 loom a speed' >errors.txt
        printf '%s\n' 'part I Cloth' '1 loom written The loom' \
            '2 dye planned Dyeing' 'E errata begun Slips' >toc.txt
        printf '%s\n' '# The loom {#loom}' '' \
            '::: {.said #E1 source=talk test="loom"}' 'A rope.' '' 'No.' ':::' '' \
            '::: {.said #E5 source=talk test="loom" needs=gpu}' 'Slow.' '' 'No.' \
            ':::' '' '```text' '::: {.said #E9}' '```' >01-loom.md
        printf '%s\n' '# Slips {#errata}' '' \
            '- [E4]{#E4} *A knot.* None. [It](01-loom.md#a), [loom](../tests/loom.t).' \
            >E-errata.md
        printf '%s\n' 'ok "E1: no rope" true' 'is "E4: no knot" 0 0' \
            'skip "E5: fast" "needs a GPU"' >loom.t
        printf '%s\n' 'ok 1 - E1: no rope' 'ok 2 - E4: no knot' \
            'ok 3 - E5: fast # SKIP needs a GPU' >tap/loom.tap
        printf '%s\n' 'ok 1 - E1: no rope' 'ok 3 - E5: fast' >tap/check.tap
    )
    errors()
    {
        (cd "$w/$1" && awk -v has=loom -f "$TOOLS/errors.awk" errors.txt toc.txt \
            loom.t 01-loom.md E-errata.md ${2-tap/loom.tap tap/check.tap} 2>&1)
    }
    is "each error has a place and a test that ran: no complaint" "$(errors good)" ""
    # slip DESC FILE SED ERE: the change of a file is refused, with its line
    slip()
    {
        rm -rf "$w/bad"
        cp -R "$w/good" "$w/bad"
        sed "$3" "$w/good/$2" >"$w/bad/$2"
        fails_run "refused: $1" "$4" errors bad
    }
    slip "a line that is none" errors.txt '2s/.*/E1/' \
        '^errors.txt:2: "E1": a line is an id, the slug'
    slip "an id twice" errors.txt '6s/E5/E4/' \
        '^errors.txt:6: E4 has this line and line 5: '
    slip "an id left out" errors.txt 3d '^errors.txt:3: E3 follows E1: E2 is missing'
    slip "a chapter that is none" errors.txt 's/dye/die/' \
        '^errors.txt:3: E2 belongs to "die", which is no chapter of toc.txt'
    slip "an error without a place" toc.txt s/planned/written/ \
        '^errors.txt:3: E2 has no box and no line in appendix E, .* dye, is written'
    slip "a box of no error" 01-loom.md '3s/E1/E7/' \
        '^01-loom.md:3: there is no error E7 in errors.txt, which goes from E1 to E5'
    slip "a box of a number that is not used" 01-loom.md '3s/E1/E3/' \
        '^01-loom.md:3: there is no error E3 '
    slip "a box without an id" 01-loom.md '3s/#E1 //' \
        '^01-loom.md:3: a said box without an id'
    slip "a box without a test" 01-loom.md '3s/ test="loom"//' \
        '^01-loom.md:3: E1 names no test: .* test="loom"'
    slip "a line without a test" E-errata.md 's/, .loom.*//' \
        '^E-errata.md:3: E4 names no test: .*\(../tests/loom.t\)'
    slip "a line without its chapter" E-errata.md 's/01-loom/02-dye/' \
        '^E-errata.md:3: the line of E4 links no page of its chapter, loom'
    slip "a line with another anchor" E-errata.md 's/#E4/#E1/' \
        '^E-errata.md:3: the line of E4 has the anchor "E1"'
    slip "two places" 01-loom.md '9s/E5/E1/' \
        '^01-loom.md:9: E1 has a place already, 01-loom.md:3: '
    slip "a box and a line" E-errata.md 's/E4/E1/g' \
        '^E-errata.md:3: E1 has a place already, 01-loom.md:3: '
    slip "a box in another chapter" errors.txt '2s/loom/dye/' \
        '^01-loom.md:3: E1 stands in chapter loom, and errors.txt:2 says dye'
    slip "a test that asserts nothing of it" loom.t 1d \
        '^01-loom.md:3: E1 names tests/loom.t, which has no assertion "E1: ...'
    slip "an assertion that was left out" tap/loom.tap 1d \
        '^01-loom.md:3: E1 names tests/loom.t, where no assertion of it ran: all '
    slip "a skip, though it ran elsewhere" tap/loom.tap '1s/$/ # SKIP bored/' \
        '^01-loom.md:3: E1 names tests/loom.t, where no assertion of it ran: all '
    slip "an assertion that failed" tap/loom.tap '1s/ok/not ok/' \
        '^tap/loom.tap:1: E1: this assertion failed'
    slip "what needs a GPU and ran on none" tap/check.tap 2d \
        '^01-loom.md:9: E5 names .* ran, neither here nor in the recorded check.tap'
    slip "what needs no GPU and says so" tap/loom.tap '3s/ #.*//' \
        '^01-loom.md:9: E5 ran without gpu: take needs=gpu away'
    slip "a need that cannot be" 01-loom.md '9s/gpu/time/' \
        '^01-loom.md:9: E5 needs "time": only gpu, nvcc and cudnn'
    is "without results only the assertion is asked for" "$(errors good "")" ""
fi

# ---- what results are held against ----------------------------------------------
if part hash; then
    w=$work/hash
    mkdir -p "$w/tangled/a" "$w/tangled/b"
    printf '#include "b/h.h"\nint main(void) { return f("/* x"); }\n' \
        >"$w/tangled/a/bench.cu"
    printf '#ifndef B_H\n#define B_H\nint f(char *); /* f */\n#endif\n' \
        >"$w/tangled/b/h.h"
    printf '#include "b/h.h"\nint f(char *s) { return *s; }\n' >"$w/tangled/b/h.c"
    h() { (cd "$w" && sh "$TOOLS/hash.sh" "${1:-a/bench}"); }
    first=$(h)
    ok "a program has a hash and a name" eval \
        'echo "$first" | grep -Eqx "[0-9a-f]{12} a/bench"'
    printf '/* new\n   words */\n#include "b/h.h"\n\nint  main(void) { // x\n  return f("/* x"); }\n' \
        >"$w/tangled/a/bench.cu"
    printf 'int other;\n' >"$w/tangled/a/other.c"
    is "comments, blanks and other files do not change it" "$(h)" "$first"
    mkdir "$w/tangled/c"
    mv "$w/tangled/b/h.h" "$w/tangled/b/h.c" "$w/tangled/c"
    sed -i 's,b/h.h,c/h.h,' "$w"/tangled/*/*.*
    is "nor does moving what it includes" "$(h)" "$first"
    sed -i 's/return \*s/return s[1]/' "$w/tangled/c/h.c"
    ok "code of a module behind a header does" eval '[ "$(h)" != "$first" ]'
    second=$(h)
    sed -i 's,"/\* x","/* y",' "$w/tangled/a/bench.cu"
    ok "and what a string says" eval '[ "$(h)" != "$second" ]'
    fails_run "a program that is not there is said" 'no program or folder a/none' \
        h a/none
fi

# ---- make --------------------------------------------------------------------
# a copy of the house, in which the book has a chapter and the appendix of the tools
copy()
{
    mkdir -p "$1"
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -co --exclude-standard
    else
        find . -path "./$B" -prune -o -type f -print
    fi | sed 's,^\./,,' | grep -E '^(Makefile$|tests/|(book/[0-9A-Z]*w?-|tangled/)(tour|weave))' |
        while IFS= read -r f; do [ -e "$f" ] && printf '%s\n' "$f"; done |
        tar -cf - -T - | tar -xpf - -C "$1"
    cp book/toc.txt "$1/book"
}

if part make; then
    h=$work/house
    copy "$h"
    unset B SRC BACKENDS
    hmake() { (cd "$h" && unset TOOLS && $MAKE --no-print-directory "$@"); }

    if have notangle; then
        hmake tangle >/dev/null 2>&1
        (cd "$h" && find tangled -type f -exec cksum {} + | sort -k 3) \
            >"$work/before"
        rm -rf "$h/tangled" "$h/build"
        ok "make -j4 tangle without tangled/" hmake -j4 tangle
        (cd "$h" && find tangled -type f -exec cksum {} + | sort -k 3) \
            >"$work/after"
        ok "writes the same text again, with noweb alone" \
            diff "$work/before" "$work/after"
        is "and its scripts may be run" \
            "$(find "$h/tangled" -name '*.sh' ! -perm -100)" ""

        state "$h" >"$work/before"
        hmake tangle >"$work/said" 2>&1
        state "$h" >"$work/after"
        ok "a second make tangle does nothing" cmp "$work/before" "$work/after"
        is "and says nothing but that" \
            "$(grep -v 'Nothing to be done' "$work/said")" ""

        # one chapter's prose
        find "$h" -type f -exec touch -d 2001-01-01 {} +
        printf '\nA last word.\n' >>"$h/book/01-tour.md"
        hmake tangle >"$work/said" 2>&1
        is "a change of prose re-tangles its chapter and nothing else" \
            "$(cd "$h" && find . -type f -newermt 2002-01-01 |
                grep -v '^./book/' | sort)" "./build/tangle/01-tour.stamp"

        # a malformed chapter stops make and harms nothing
        state "$h/tangled" >"$work/before"
        printf '\n```c\nint a;\n```\n' >>"$h/book/01-tour.md"
        ok "make tangle stops at a malformed chapter" eval '! hmake tangle'
        prints "with its line" '01-tour.md:[0-9]+: .*must be a chunk' \
            eval 'hmake tangle; true'
        state "$h/tangled" >"$work/after"
        ok "and tangled/ is as it was" cmp "$work/before" "$work/after"
    else
        skip "make tangle without tangled/" "needs notangle"
    fi

    # a machine without noweb
    copy "$work/bare"
    h=$work/bare
    mkdir "$work/nobin"
    for d in /usr/local/bin /bin /usr/bin; do
        ln -sf "$d"/* "$work/nobin/" 2>/dev/null
    done
    rm -f "$work/nobin/notangle" "$work/nobin/noweave" "$work/nobin/noweb"
    path=$PATH
    PATH=$work/nobin
    state "$h/tangled" >"$work/before"
    ok "without noweb make tangle is no error" hmake tangle
    state "$h/tangled" >"$work/after"
    ok "and leaves tangled/ as it is" cmp "$work/before" "$work/after"
    prints "and tangled/ is what is compiled" '-Itangled( |$)' \
        eval 'hmake -n V=1 build/loom/tour/sum'
    PATH=$path
    unset path
fi

if [ -z "$parts" ]; then transcripts weave; fi
ONLY=$parts
done_testing
