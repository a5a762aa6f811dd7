#!/bin/sh
# tests/check.t: make check in a house of two small chapters: what runs, what is kept,
# and what is refused.
. tests/tap.sh

h=$tap_tmp/house
mkdir -p "$h/book" "$h/tests" "$h/tangled/foo" "$h/tangled/bar"
cp Makefile .clang-format "$h"
cp -R "$TOOLS" "$h/tangled/weave"
cp tests/*.awk tests/*.sh tests/*.mk "$h/tests"
cd "$h" || exit 2
printf '1 bar begun Bar\n2 foo begun Foo\n' >book/toc.txt
: >book/refs.bib
: >book/errors.txt
printf '# Bar {#bar}\n\nWords.\n' >book/01-bar.md
printf '# Foo {#foo}\n\nWords.\n\n```console\n$ cat tangled/bar/list.txt\none\n```\n' \
    >book/02-foo.md
printf '#ifndef BAR_K_H\n#define BAR_K_H\n#define K 4\n#endif\n' >tangled/bar/k.h
echo one >tangled/bar/list.txt
cat >tangled/foo/four.c <<'END'
#include "bar/k.h"
#include <stdio.h>

int main(void)
{
    printf("%d\n", K);
    return 0;
}
END
cp .clang-format tangled/bar/other.txt
cat >tests/foo.t <<'END'
. tests/tap.sh
prints "four" "^4$" $B/loom/foo/four
transcripts foo
skip "what cannot be" "needs a GPU"
done_testing
END
printf '. tests/tap.sh\nis "bar" "${CHAPTER-}" ""\ndone_testing\n' >tests/bar.t

# check [VARIABLE=value]...: which tests ran, how many of them and of the planted bugs
# were kept, and make's exit status
check()
{
    (
        unset B SRC TOOLS BACKEND BACKENDS GPU_NAME TAP JOBS FRESH CHAPTER ONLY PLANTED
        NO_NVCC=1 $MAKE SRC=tangled NOTANGLE= PANDOC= check "$@"
    ) >said 2>&1 </dev/null
    echo "exit $?" >>said
    sed -n -e 's/^  \(ok\|not ok\)  *\([a-z]*\)[a-z\/]*: .*/\1 \2/p' \
        -e 's/^check: kept .*: \([0-9]* of [0-9]*\) tests, \(.*\) of 0 planted .*/\1/p' \
        -e 's/^check: kept .*: \([0-9]* of [0-9]*\) tests, \(.*\) planted .*/\1+\2/p' \
        -e 's/^Result: //p' -e '/^exit /p' said |
        # tests end in any order
        awk '{ print (/ok [a-z]*$/ ? $NF : "~" NR) "\t" $0 }' | LC_ALL=C sort | cut -f2 | tr '\n' ';'
}
# after "what was done" "what check does": does it?
after()
{
    got=$(check)
    is "$1" "$got" "$2"
    [ "$got" = "$2" ] || diag "$(cat said)"
}
after "from nothing all tests run" "ok bar;ok foo;0 of 2;PASS;exit 0;"
after "when nothing has changed all are kept" "2 of 2;PASS;exit 0;"
ok "a kept verdict is the one that was said" grep -q '^ok 1 - four$' build/tap-bare/foo.tap
is "FRESH=1 runs all" "$(check FRESH=1)" "ok bar;ok foo;0 of 2;PASS;exit 0;"
is "CHAPTER= runs one, and does not lose the others" "$(check CHAPTER=bar)" "1 of 1;PASS;exit 0;"
is "it takes several" "$(check CHAPTER="bar foo")" "2 of 2;PASS;exit 0;"
after "they are still kept" "2 of 2;PASS;exit 0;"
is "and CHAPTER does not reach a test, which may make in a tree of its own" \
    "$(check CHAPTER="bar foo" FRESH=1)" "ok bar;ok foo;0 of 2;PASS;exit 0;"

# interrupted, what was said until then can be read, and is no verdict
printf '. tests/tap.sh\npass "half"\n: >begun\nsleep 60\ndone_testing\n' >tests/bar.t
(
    unset B SRC TOOLS BACKEND BACKENDS GPU_NAME TAP JOBS FRESH CHAPTER ONLY PLANTED
    # timeout passes the signal on to all that make has begun
    NO_NVCC=1 exec timeout 300 $MAKE SRC=tangled NOTANGLE= PANDOC= check
) >said 2>&1 </dev/null &
for i in $(seq 60); do [ -e begun ] || sleep 1; done
kill $!
wait
rm -f begun
is "a test that was interrupted leaves what it said" "$(head -n 1 build/tap-bare/bar.tap)" "ok 1 - half"
printf '. tests/tap.sh\npass "bar"\ndone_testing\n' >tests/bar.t
after "and it runs again" "ok bar;1 of 2;PASS;exit 0;"

# what a test depends on
echo '/* four */' >>tangled/bar/k.h
after "a comment in a header of another chapter: what includes it" \
    "ok bar;ok foo;0 of 2;PASS;exit 0;"
echo '# no more' >>tests/bar.t
after "a test" "ok bar;1 of 2;PASS;exit 0;"
printf '\nMore words.\n' >>book/02-foo.md
after "a page of its chapter" "ok foo;1 of 2;PASS;exit 0;"
printf '\nMore words.\n' >>book/01-bar.md
after "a page of another chapter: none" "2 of 2;PASS;exit 0;"
echo two >>tangled/bar/list.txt
after "a file that a transcript names" "ok bar;not ok foo;0 of 2;FAIL;exit 2;"
after "a failure is not kept" "not ok foo;1 of 2;FAIL;exit 2;"
ok "it is shown while make runs" grep -q '^not ok 2 - transcript at book/02-foo.md:5$' said
ok "and in prove's summary" grep -q 'Failed test: *2$' said
echo one >tangled/bar/list.txt
after "mended" "ok bar;ok foo;0 of 2;PASS;exit 0;"
is "a switch of the compiler" "$(check CFLAGS=-O1)" "ok bar;ok foo;0 of 2;PASS;exit 0;"
check >/dev/null
mkdir data
echo '# depends: data Makefile' >>tests/bar.t
echo one >data/list.txt
check >/dev/null
echo two >data/list.txt
after "what a test says that it depends on" "ok bar;1 of 2;PASS;exit 0;"

# the tools of this machine
mkdir bin
cp "$(command -v awk)" bin/awk
PATH=$PWD/bin:$PATH
check >/dev/null
ln bin/awk bin/awk-too
after "a link to a tool, as a profiler makes: none" "2 of 2;PASS;exit 0;"
touch -d 2001-01-01 bin/awk
after "another date of a tool" "ok bar;ok foo;0 of 2;PASS;exit 0;"

# verdicts that were damaged
sed -i 's/^ok 1/not ok 1/' build/tap-bare/foo.tap
after "a kept verdict that was edited" "ok foo;1 of 2;PASS;exit 0;"
head -n 1 build/tap-bare/foo.tap >cut && mv cut build/tap-bare/foo.tap
after "one that was cut off" "ok foo;1 of 2;PASS;exit 0;"
: >build/tap-bare/foo.sum
after "one without its seal" "ok foo;1 of 2;PASS;exit 0;"
cp build/tap-bare/bar.sum build/tap-bare/foo.sum
after "one with another's seal" "ok foo;1 of 2;PASS;exit 0;"
rm build/tap-bare/foo.tap
after "one that is gone" "ok foo;1 of 2;PASS;exit 0;"

# planted bugs
mkdir tests/planted
bug() # name file old new
{
    printf 'name: %s\nfile: %s\nonly: foo/four\nby: four\nwhy: x\n--- old\n%s\n--- new\n%s\n---\n' "$@"
}
{ bug five bar/k.h 'K 4' 'K 5'; bug none foo/four.c K 5; } >tests/planted/foo.txt
after "planted bugs are tried, and nothing else" "2 of 2+0 of 2;PASS;exit 0;"
after "and kept" "2 of 2+2 of 2;PASS;exit 0;"
bug six bar/k.h 'K 4' 'K 6' >>tests/planted/foo.txt
after "a new one is tried, and no other" "2 of 2+2 of 3;PASS;exit 0;"
rm -r build/planted
bug seven bar/k.h 'K 4' 'K 7' >>tests/planted/foo.txt
after "whatever became of their controls" "2 of 2+3 of 4;PASS;exit 0;"
# what was seen caught is noted in the house, for those who have it from elsewhere
(unset B SRC TOOLS TAP; NO_NVCC=1 $MAKE -s SRC=tangled NOTANGLE= caught)
is "caught: each has a line" "$(grep -c '^planted/foo/' tests/planted/caught.txt)" 4
check TESTS=bar >/dev/null
(unset B SRC TOOLS TAP; NO_NVCC=1 $MAKE -s SRC=tangled NOTANGLE= caught)
is "after a check of another test, too" "$(grep -c '^planted/foo/' tests/planted/caught.txt)" 4
rm -r build/tap-bare/planted build/tap-bare/planted-* build/planted
after "what is noted as caught is not tried" "2 of 2+4 of 4;PASS;exit 0;"
ok "and not even built" [ ! -e build/planted/foo ]
sed -i 's/^name: seven/name: eight/' tests/planted/foo.txt
rm -r build/tap-bare/planted
after "but a record that was changed is" "2 of 2+3 of 4;PASS;exit 0;"
sed -i 's/^name: eight/name: seven/' tests/planted/foo.txt
cp tests/foo.t foo.t
echo '# elsewhere' >>tests/foo.t
rm -r build/tap-bare/planted
is "a line of the test that is not about it changes nothing" "$(check | sed 's/.*;\([0-9]*\) of 2+/\1+/')" "1+4 of 4;PASS;exit 0;"
sed -i 's/"^4$"/"^[4]$"/' tests/foo.t
rm -r build/tap-bare/planted
is "but one that is does" "$(check | sed 's/.*;\([0-9]*\) of 2+/\1+/')" "1+0 of 4;PASS;exit 0;"
cp foo.t tests/foo.t
echo '/* as before */' >>tangled/bar/k.h
rm -r build/tap-bare/planted
is "so are those in a file that was" "$(check | sed 's/.*;\([0-9]* of 2+\)/\1/')" "0 of 2+1 of 4;PASS;exit 0;"
sed -i '$d' tangled/bar/k.h
sed -i 's/^planted.foo.five .*/planted\/foo\/five x y z/' tests/planted/caught.txt
rm -r build/tap-bare/planted
is "a damaged note is none" "$(check | sed 's/.*;\([0-9]* of 2+\)/\1/')" "0 of 2+3 of 4;PASS;exit 0;"
rm tests/planted/caught.txt
check >/dev/null
bug same bar/k.h 'K 4' 'K 04' >>tests/planted/foo.txt
after "one that is not caught is red" "not ok planted;2 of 2+4 of 5;FAIL;exit 2;"
after "and not kept" "not ok planted;2 of 2+4 of 5;FAIL;exit 2;"
{ bug five bar/k.h 'K 4' 'K 5' | sed '/^by:/d'; } >tests/planted/foo.txt
after "one that is malformed is red" "not ok planted;2 of 2+0 of 1;FAIL;exit 2;"
ok "and it is said why" grep -q 'foo.txt:.*bug five: it must say by:' build/tap-bare/planted-foo.tap
rm -r tests/planted

# what runs when all others have ended
printf '. tests/tap.sh\nsleep 2\n: >ended\npass "bar"\ndone_testing\n' >tests/bar.t
printf '. tests/tap.sh\nok "all others have ended" [ -e ended ]\ndone_testing\n' >tests/bar-alone.t
is "a test called -alone begins when the others have ended" "$(check JOBS=3)" "ok bar;1 of 3;PASS;exit 0;"
rm tests/bar-alone.t

# tests that end in other ways
printf '. tests/tap.sh\npass "bar"\nkill -9 $$\n' >tests/bar.t
after "a test that dies in the middle" "not ok bar;1 of 2;FAIL;exit 2;"
after "is run again" "not ok bar;1 of 2;FAIL;exit 2;"
printf '. tests/tap.sh\npass "bar"\necho 1..2\n' >tests/bar.t
after "a plan that does not match" "not ok bar;1 of 2;FAIL;exit 2;"
printf '. tests/tap.sh\npass "bar"\necho 1..1\nexit 3\n' >tests/bar.t
after "an exit status that is not 0" "not ok bar;1 of 2;FAIL;exit 2;"
printf '. tests/tap.sh\npass "bar"\ndone_testing\n' >tests/bar.t
echo 'int main(void) { return 0 }' >tangled/foo/four.c
after "a program that does not compile fails its tests" "ok bar;0 of 2;FAIL;exit 2;"
ok "it is said why" grep -q 'not ok 1 - it was not run' build/tap-bare/foo.tap

# mutants of a header, and how they are counted
mkdir -p tests/planted
cat >tangled/foo/plus.h <<'END'
#ifndef FOO_PLUS_H
#define FOO_PLUS_H
static inline int plus(int n)
{
    return n + 3;
}
#endif
END
sed 's,bar/k.h,foo/plus.h,; s/K)/plus(1))/' >tangled/foo/four.c <<'END'
#include "bar/k.h"
#include <stdio.h>

int main(void)
{
    printf("%d\n", K);
    return 0;
}
END
# mutants [VARIABLE=value]...: the lines that count, and make's exit status
mutants()
{
    (
        unset B SRC TOOLS BACKEND BACKENDS JOBS CHAPTER ONLY PLANTED SEED N
        NO_NVCC=1 $MAKE SRC=tangled NOTANGLE= mutants "$@"
    ) >said 2>&1 </dev/null
    echo "exit $?" >>said
    sed -n -e 's/^mutants of //p' -e '/^exit /p' said | tr '\n' ';'
}
counts() # "what" "lines" VARIABLE=value...
{
    t=$1 want=$2
    shift 2
    got=$(mutants CHAPTER=foo "$@")
    is "mutants: $t" "$got" "$want"
    [ "$got" = "$want" ] || diag "$(cat said)"
}
counts "all that there are, for each seed" "foo, seed 1: 2 caught, 0 survived, 0 same, 0 not built, 0 errors;foo, seed 2: 2 caught, 0 survived, 0 same, 0 not built, 0 errors;exit 0;" \
    SEED="1 2" N=9
# a line that stands in a longer one, too
cp tangled/foo/plus.h plus.h
printf 'static inline int plus(int n)\n{\n    n += 6;\n    if (n == 7) {\n        n -= 3;\n    }\n    n -= 3;\n    return n + 3;\n}\n' >tangled/foo/plus.h
counts "whose line stands in another one" "foo, seed 1: 10 caught, 0 survived, 0 same, 0 not built, 0 errors;exit 0;" \
    SEED=1 N=99
mv plus.h tangled/foo/plus.h
printf '. tests/tap.sh\nprints "four" "^[45]$" $B/loom/foo/four\ndone_testing\n' >tests/foo.t
for s in 1 2 3 4 5 6; do mutants CHAPTER=foo SEED=$s >/dev/null; ! grep -q '3 becomes 4' said || break; done
counts "one that survives is red" "foo, seed $s: 1 caught, 1 survived, 0 same, 0 not built, 0 errors;exit 2;" SEED=$s
ok "and its record is shown" grep -Fqx '    return n + 4;' said
counts "the control, a space more, survives" "foo, seed 1: 0 caught, 1 survived, 0 same, 0 not built, 0 errors;exit 0;" N=0
cp tests/foo.t foo.t
printf '. tests/tap.sh\nprints "three" "return n . 3;" sh -c "cat $SRC/foo/plus.h; $B/loom/foo/four"\ndone_testing\n' >tests/foo.t
for s0 in 1 2 3 4 5 6; do mutants CHAPTER=foo N=0 SEED=$s0 >/dev/null; ! grep -q '^foo.*caught' said || break; done
counts "if it does not, the tests are wrong" "foo, seed $s0: 1 caught, 0 survived, 0 same, 0 not built, 0 errors;exit 2;" N=0 SEED=$s0
mv foo.t tests/foo.t
same() { printf 'name: %s\nfile: foo/plus.h\nsame: %s\n--- old\n%s\n--- new\n%s\n---\n' "$@"; }
same five "the test takes 5 as well" 'n + 3' 'n + 4' >tests/planted/foo.same
counts "one that is argued to change nothing" "foo, seed $s: 1 caught, 0 survived, 1 same, 0 not built, 0 errors;exit 0;" SEED=$s
same five "the test takes 5 as well" 'n + 7' 'n + 4' >tests/planted/foo.same
counts "an argument whose code is gone is an error" "exit 2;" SEED=$s
ok "in one sentence" grep -Fqx 'the old text does not occur in tangled/foo/plus.h' said
same five "" 'n + 3' 'n + 4' | sed 2,3d >tests/planted/foo.same
counts "so is one without same:" "exit 2;" SEED=$s
ok "in one sentence, too" grep -q 'foo.same:.*bug five: it must say same:' said
rm tests/planted/foo.same
# what is red alone, since it stands on what was run before it, has the whole run as its
# control, made once; what is red there, too, is passed over
cat >tests/foo.t <<'END'
. tests/tap.sh
is "never right" a b
ok "four is kept" sh -c "$B/loom/foo/four >$tap_tmp/four; echo >>runs"
is "what was kept" "$(cat "$tap_tmp/four")" 4
done_testing
END
counts "what stands on an earlier command catches" "foo, seed $s: 2 caught, 0 survived, 0 same, 0 not built, 0 errors;exit 0;" SEED=$s
is "that has run for each mutant and for one control" "$(wc -l <runs | tr -d ' ')" 3
printf '. tests/tap.sh\nis "never right" a b\ndone_testing\n' >tests/foo.t
counts "where nothing is right without a mutant" "foo, seed $s: 0 caught, 0 survived, 0 same, 0 not built, 2 errors;exit 2;" SEED=$s
printf '. tests/tap.sh\nprints "four" "^4$" $B/loom/foo/four\ndone_testing\n' >tests/foo-more.t
counts "but right in another test" "foo, seed $s: 2 caught, 0 survived, 0 same, 0 not built, 0 errors;exit 0;" SEED=$s
rm tests/foo-more.t
printf '. tests/tap.sh\nprints "four" "^4$" $B/loom/foo/four\ndone_testing\n' >tests/foo.t
sed -i '/^prints/s/.*/pass "nothing"/' tests/foo.t
counts "a test that runs nothing of it catches none" "foo, seed $s: 0 caught, 2 survived, 0 same, 0 not built, 0 errors;exit 2;" SEED=$s
for a in SEED=x SEED=1x SEED=-1 N=x SEED=1234567890; do
    counts "refused: $a" "exit 2;" $a
    ok "in one sentence: $a" grep -Fqx "mutants: $a: say a whole number of at most nine digits" said
done
for a in nosuch bar; do
    is "mutants: refused: CHAPTER=$a" "$(mutants CHAPTER=$a SEED=1)" "exit 2;"
    ok "in one sentence: CHAPTER=$a" grep -Eq "^mutants: .* $a|no chapter called $a" said
done

# what is refused
for a in CHAPTER=nosuch CHAPTER=workshop JOBS=x JOBS=0 BACKEND=foo BACKEND=gpu; do
    is "refused: $a" "$(check $a)" "exit 2;"
    ok "in one sentence: $a" grep -Eq "${a#*=}.*(takes|needs)" said
done
cd "$OLDPWD" || exit 2
done_testing
