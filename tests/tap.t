#!/bin/sh
# tests/tap.t: what tests stand on, tested: a house in miniature whose tests
# fail in every way there is (tests/data/tap).
. tests/tap.sh

h=$tap_tmp/house
mkdir -p "$h/tests"
cp -R tests/data/tap/. "$h"
cp tests/tap.sh tests/transcripts.sh tests/transcripts.awk tests/planted.* \
    tests/again.c "$h/tests"
mkdir -p "$h/tangled/weave" "$h/bin"
cp "$TOOLS/pages.sh" "$h/tangled/weave"
# a notangle, whatever this machine has
printf '#!/bin/sh\n' >"$h/bin/notangle"
chmod +x "$h/bin/notangle"

mini()
{
    (cd "$h" && unset B SRC TOOLS LIMIT ONLY PLANTED &&
        PATH=$h/bin:$PATH BACKENDS=loom sh "tests/$1.t") >"$h/$1.out" 2>&1 </dev/null
    echo "exit $?" >>"$h/$1.out"
}
told() { grep -E '^(ok|not ok|1\.\.|exit) ?' "$h/$1.out"; }

for t in assert foo; do
    mini $t
    is "$t.t passes and fails where it must" "$(told $t)" \
        "$(cat tests/data/tap/expected.$t)"
done

has() { grep -Fqx -e "$2" "$h/$1.out"; }
ok "a command that dies is told by its signal" \
    has assert '# ended:   killed by SIGSEGV'
ok "one that hangs is told by the time limit" \
    has assert '# ended:   still running after 5 s (the time limit)'
is "and so is one that computes without end" \
    "$(grep -c '^# ended:   still running after [15] s' "$h/assert.out")" 2
ok "what a command said is shown" has assert '# | good thing'
ok "a transcript shows what was wanted" has foo '# - hellox'
ok "and what came" has foo '# + [exit 3]'
is "a transcript in a copy leaves the book as it was" \
    "$(cksum <"$h/book/03-foo.md")" "$(cksum <tests/data/tap/book/03-foo.md)"
is "planting a bug leaves the source as it was" \
    "$(cksum <"$h/tangled/foo/sum.c")" \
    "$(cksum <tests/data/tap/tangled/foo/sum.c)"
ok "a planted bug that was caught leaves no files" \
    test ! -e "$h/build/planted/foo/caught"
while IFS=: read -r bug said; do
    ok "of the planted bug $bug it is said: $said" grep -Fqx -e "# $said" -e "# | $said" "$h/foo.out"
done <<'END'
elsewhere:survived: "sum 0" is not red, or by a time limit alone, although another assertion is red
late:survived: "sum 10" is not red, or by a time limit alone, although nothing is wrong but that it does not end
absent:the old text does not occur in tangled/foo/sum.c
twice:the old text occurs more than once in tangled/foo/sum.c
broken:with the bug, foo/sum does not build: no test is needed for that
red:the control is red: without the bug tests/foo.t fails, too, with foo/solutions/three
nowhere:no assertion of tests/foo.t says "sum 10" and runs foo/sum.c
unknown:there is no program foo/sums
nofile:there is no file tangled/foo/sums.c
noassertion:no assertion of tests/foo.t says "sum of ten" and runs foo/sum
noby:tests/planted/foo.txt:168: bug noby: it must say by:
same:tests/planted/foo.txt:178: bug same: the old and the new text are the same
nofield:tests/planted/foo.txt:184: bug nofield: there is no field limits:
noend:tests/planted/foo.txt:209: bug noend: it has no end, a line ---
END

# What a mutant's run may say, by: *
cat >"$h/mutants" <<'END'
name: late
file: foo/sum.c
only: foo/sum
by: *
limit: 1
why: only a time limit ends it
--- old
    if (n < 0) {
--- new
    while (n == 10) {
    }
    if (n < 0) {
---
name: spins
file: foo/sum.c
only: foo/sum
by: *
why: so does Loom's
--- old
    if (n < 0) {
--- new
    if (n == 10) {
        puts("sum.cu:1: the kernel does not end: for 1 seconds (LOOM_LIMIT) no block has ended");
        return 1;
    }
    if (n < 0) {
---
name: wrong
file: foo/sum.c
only: foo/sum
by: *
why: ten is off
--- old
    if (n < 0) {
--- new
    sum += n == 10;
    if (n < 0) {
---
name: nothing
file: foo/sum.c
only: foo/sum
by: *
why: a space
--- old
    if (n < 0) {
--- new
    if (n < 0)  {
---
END
mutant()
{
    (cd "$h" && unset B SRC TOOLS LIMIT ONLY PLANTED &&
        BUGS=mutants BUGS_DIR=build/mutant BACKENDS=loom sh tests/planted.sh "$@" 2>&1)
}
mutant base foo >"$h/base" && mutant control foo late >>"$h/base"
for m in late spins; do
    is "a mutant that a time limit ends is not caught: $m" \
        "$(mutant bug foo $m | sed -n 's/^\(survived\):.*/\1/p')" survived
done
is "one that is wrong is caught by its first red line" "$(mutant bug foo wrong)" "not ok 3 - sum 10"
is "one that changes nothing is not caught by what is red without it, too" \
    "$(mutant bug foo nothing | sed -n 's/^\(survived\):.*/\1/p')" survived

is "ONLY runs the commands of one program" \
    "$(cd "$h" && unset B SRC LIMIT && ONLY=foo/sum BACKENDS=loom \
        sh tests/foo.t)" "ok 1 - sum 0
ok 2 - sum 1
ok 3 - sum 10
1..3"
# of a check for a GPU alone, what Loom would run is skipped; programs in C run
is "BACKENDS=gpu skips what runs on Loom" \
    "$(cd "$h" && : >tangled/foo/k.cu && unset B SRC LIMIT && BACKENDS=gpu sh -c '
        . tests/tap.sh
        ok_run "a kernel" env X=1 $B/loom/foo/k 5
        prints "within sh" x sh -c "true && $B/loom/foo/k"
        also "and more" x
        ok "with the checker" $B/inst/foo/k
        have inst || skip "the checker" "needs it"
        fails_run "in C" "say how many" $B/loom/foo/sum -1
        done_testing' tests/x.t)" \
    "ok 1 - a kernel # SKIP needs Loom as a back end
ok 2 - within sh # SKIP needs Loom as a back end
ok 3 - with the checker # SKIP needs Loom as a back end
ok 4 - the checker # SKIP needs it
ok 5 - in C
1..5"
is "an assertion that takes five seconds says so" \
    "$(cd "$h" && BACKENDS=loom sh -c '. tests/tap.sh
        ok "slow" sleep 5
        done_testing' tests/x.t | sed 's/ [56] s$/ N s/')" "ok 1 - slow
# that took N s
1..1"
is "a benchmark for the GPU runs as it is linked for tests" \
    "$(cd "$h" && unset B SRC LIMIT && mkdir -p build/loom/foo && for f in gpu/foo/bench-quick gpu/foo/bench \
        loom/foo/bench-quick loom/foo/bench; do
            printf '#!/bin/sh\necho $0 $1\n' >build/$f && chmod +x build/$f; done
        BACKENDS="loom gpu" sh -c '. tests/tap.sh
            for b in loom gpu; do
                prints "the $b" foo $B/$b/foo/bench -s
                cat $tap_out
            done' tests/x.t | grep -v ok)" "build/loom/foo/bench -s
build/gpu/foo/bench-quick -s"
# a compute-sanitizer whose racecheck finds what has the argument 3
cat >"$h/bin/compute-sanitizer" <<'END'
#!/bin/sh
sleep 1
case $* in *--less*) echo less of $2 ;; esac
echo "$2: $*" | sed 's/--.* no //'
case $2:$* in racecheck:*3) exit 99 ;; esac
END
chmod +x "$h/bin/compute-sanitizer"
is "under sanitizers each program for the GPU runs once, with all tools at once, and one is enough" \
    "$(cd "$h" && unset B SRC LIMIT && PATH=$h/bin:$PATH SANITIZE=1 BACKENDS=gpu sh -c '
        . tests/tap.sh
        ok_run "one" build/gpu/foo/sum 1
        ok_run "one again" build/gpu/foo/sum 2
        ok_run "not on Loom" build/loom/foo/sum 1
        ok_run "no benchmark" build/gpu/foo/bench
        cp build/gpu/foo/sum build/gpu/foo/two
        SANITIZERS="memcheck racecheck" RACECHECK=--less
        ok_run "two" build/gpu/foo/two 3
        done_testing' tests/x.t | sed 's/^# command:.*//')" "ok 1 - one
not ok 2 - two

# ended:   exit status 99
# | memcheck: build/gpu/foo/two 3
# | less of racecheck
# | racecheck: build/gpu/foo/two 3
1..2"
prints "a test run from elsewhere says where to run it" "house's root" \
    sh -c 'cd /; sh "$0" || true' "$(pwd)/tests/tap.sh"
done_testing
