#!/bin/sh
# Appendix K, C for CUDA: its programs, and what it says about C.
. tests/tap.sh

T=$B/loom/primer
tmp=$(mktemp -d "${TMPDIR:-/tmp}/primer.XXXXXX") || exit 2
trap 'rm -rf "$tap_tmp" "$tmp"' EXIT

for p in declare pointers fill lives halves; do
    ok_run "$p" "$T/$p"
done

# --- whole numbers, memory --------------------------------------------------
prints "E37: int16 ends at 32767 and uint16 at 65535, says the compiler" \
    '^int ends at 2147483647, size_t at ' "$T/ranges"
says_cc() # claim flag: the compiler confirms it
{
    printf '#include <stddef.h>\n#include <stdint.h>\n' >"$tmp/claim.c"
    echo "_Static_assert($1, \"claimed\");" >>"$tmp/claim.c"
    ${CC:-cc} "$2" -ffreestanding -fsyntax-only "$tmp/claim.c"
}
fails_run "E37: an int16 does not go up to 65536" claimed \
    says_cc 'INT16_MAX == 65536' -O0
if echo 'int x;' | ${CC:-cc} -m32 -ffreestanding -fsyntax-only -x c - 2>/dev/null
then
    ok "E37: size_t has 32 bits on a 32-bit machine" \
        says_cc 'sizeof(size_t) == 4' -m32
    fails_run "E37: and not on this one" claimed \
        says_cc 'sizeof(size_t) == 4' -m64
else
    skip "E37: size_t has 32 bits on a 32-bit machine" "needs cc -m32"
fi
cat >"$tmp/regions.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    int local = 0, c;

    printf("local %p\nmalloc %p\n", (void *)&local, malloc(100));
    while (maps != NULL && (c = getc(maps)) != EOF)
        putchar(c);
    return maps == NULL;
}
END
regions() # the names of the regions in which its two addresses lie
{
    ${CC:-cc} -o "$tmp/regions" "$tmp/regions.c" && "$tmp/regions" | awk '
        function hex(s) {
            sub(/^0x/, "", s)
            return substr("x0000000000000000", 1, 17 - length(s)) s
        }
        /^(local|malloc) / { at[$1] = hex($2); next }
        split($1, ends, "-") == 2 {
            for (what in at)
                if (hex(ends[1]) <= at[what] && at[what] < hex(ends[2]))
                    print what, $6
        }'
}
prints "E38: what malloc gives is not on the stack" '^local \[stack\]$' regions
prints "E38: malloc takes from the heap" '^malloc (\[heap\])?$' regions

users() # a program that uses the type and does not know its parts
{
    printf '%s\n' '#include "primer/jar.h"' \
        'int main(void) { struct jar *j; int bad = jar_create(&j);' \
        'if (!bad) bad = jar_put(j, 3) || jar_sum(j) != 3; jar_destroy(j);' \
        'return bad; }' \
        >"$tmp/user.c"
    ${CC:-cc} -std=c11 -I"$SRC" "$tmp/user.c" "$SRC/primer/jar.c" \
        -o "$tmp/user" -lm && "$tmp/user"
}
ok "E19: an opaque type is used without its source in sight" users

# the jar and the set: what they answer, and each byte that they ask for
own() # what the program of tests/data/primer says, with the chapter's two files in it
{
    [ -x "$tmp/own" ] || {
        for f in jar.c solutions/set.c; do
            ${CC:-cc} -std=c11 -D_DEFAULT_SOURCE -g -I"$SRC" -fsanitize=address,undefined -Dcalloc=counted \
                -Dfree=freed -c -o "$tmp/$(basename $f .c).o" "$SRC/primer/$f"
        done
        ${CC:-cc} -std=c11 -I"$SRC" -fsanitize=address,undefined -o "$tmp/own" \
            tests/data/primer/own.c "$tmp/jar.o" "$tmp/set.o"
    }
    ASAN_OPTIONS=detect_leaks=0 "$tmp/own" "$@" 2>&1
}
is "the jar adds up, refuses what is no number, and says when there is no memory" \
    "$(own | grep '^jar')" "jar: 1 111 2.5, 8 bytes, 0 left, 1"
is "sets of 0 to 257 numbers hold what was put in, in as few words as can be" "$(own | grep '^set')" \
    "set of 0: 0, 0; 0 wrong; 2 counts: 1, 8 bytes, 0 left
set of 1: 0, 1; 0 wrong; 2 counts: 1, 8 bytes, 0 left
set of 63: 31, 63; 0 wrong; 2 counts: 1, 8 bytes, 0 left
set of 64: 32, 64; 0 wrong; 2 counts: 1, 8 bytes, 0 left
set of 65: 32, 65; 0 wrong; 2 counts: 1, 16 bytes, 0 left
set of 257: 128, 257; 0 wrong; 2 counts: 1, 40 bytes, 0 left"
for i in -1 64 65; do
    ok "a set of 64 numbers refuses $i" sh -c 'echo "$1" | grep -q -e "$2 is not from 0 to 63"' - "$(own 64 $i)" $i
done
is "and none of them" "$(own 64 0; own 64 63)" ""
ok "there is no set of -1 numbers" sh -c 'echo "$1" | grep -q "a set of -1 numbers"' - "$(own -1 0)"

wrongs primer
solutions
transcripts primer
done_testing
