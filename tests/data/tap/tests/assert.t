. tests/tap.sh
ok "true is" true
ok "false is not, nor is #1" false
ok_run "a command that exits 0" sh -c 'echo hi'
ok_run "a command that dies" sh -c 'echo hi; kill -SEGV $$'
LIMIT=1
ok_run "a command that hangs" sleep 30
fails_run "nor is work without end a failure" ".*" sh -c "while :; do :; done"
fails_run "a failure that is told" 'bad.*thing' sh -c 'echo bad thing >&2; exit 3'
fails_run "one that is not" 'bad.*thing' sh -c 'echo good thing >&2; exit 3'
fails_run "dying is no failure" 'bad.*thing' sh -c 'echo bad thing; kill -ABRT $$'
fails_run "success is no failure" 'bad.*thing' sh -c 'echo bad thing;'
fails_run "a missing program is no failure" '.*' ./nosuch
prints "what it prints" '^x' echo xy
prints "what it does not print" '^y' echo xy
prints "what it prints when it fails" '^x' sh -c 'echo x; exit 1'
is "the same text" "a
b" "a
b"
is "another text" "a
b" "a
c"
skip "what cannot be" "needs a GPU"
fn() { echo in fn; return 3; }
ok_run "a function" fn
ok "programs are built when they are not there" test ! -e $B/loom/foo/sum
prints "so this one is" '^sum 10$' $B/loom/foo/sum 4
fails_run "and says what is wrong" 'from 0 on' $B/loom/foo/sum -4
mkdir -p $B/gpu/foo && cp $B/loom/foo/sum $B/gpu/foo
for b in loom gpu; do
    ok_run "once with each line of arguments, $b" runs $B/$b/foo/sum "0
4"
    fails_run "a line that fails is told, $b" 'with the arguments -4' \
        runs $B/$b/foo/sum "4
-4
4"
done
P=$B/gpu/foo b=gpu
each "from 0 to @" sum 0 4
each sum 0 -4 1
have nvcc-of-another-world && fail "it is not there"
done_testing
