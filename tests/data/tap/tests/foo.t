. tests/tap.sh
for n in 0 1 10; do
    ok_run "sum $n" $B/loom/foo/sum $n
done
ok_run "not sum" $B/loom/foo/solutions/two
ok "left out under ONLY" true
is "and this" a a
[ -z "$ONLY" ] || ok_run "three" $B/loom/foo/solutions/three
[ -z "${BUGS-}" ] || for n in 4 5; do prints "twice" 10 $B/loom/foo/sum $n; done
is "unless BY names it" "$($B/loom/foo/sum 4 2>&1)" "sum 10"
[ -n "$ONLY" ] || {
    transcripts foo
    wrongs foo
    wrongs nothing
    solutions
    sh tests/planted.sh list foo >bugs 2>wrong || fail "foo.txt can be read" "$(cat wrong)"
    sh tests/planted.sh base foo >base 2>&1 || fail "foo.txt: what has no bug is built" "$(cat base)"
    for c in $(cut -f 2 bugs | sort -u); do sh tests/planted.sh control foo "$c"; done >control
    for bug in $(cut -f 1 bugs); do planted foo "$bug"; done
}
done_testing
