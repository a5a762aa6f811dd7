. tests/tap.sh
for n in 0 1 10; do
    ok_run "sum $n" $B/loom/foo/sum $n
done
ok_run "not sum" $B/loom/foo/solutions/two
ok "left out under ONLY" true
is "and this" a a
[ -z "$ONLY" ] || ok_run "three" $B/loom/foo/solutions/three
is "unless BY names it" "$($B/loom/foo/sum 4 2>&1)" "sum 10"
[ -n "$ONLY" ] || {
    transcripts foo
    wrongs foo
    wrongs nothing
    solutions
    planted foo
}
done_testing
