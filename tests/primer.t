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


wrongs primer
solutions
transcripts primer
done_testing
