#!/bin/sh
# count.sh N C H W K: what the forward kernels ask of memory, counted by
# Loom, for K filters of 3 x 3 with padding 1.
p=build/inst/conv/forward
[ $# = 5 ] && [ "$1" -gt 0 ] 2>/dev/null || {
    echo "count.sh: give five numbers from 1 on: N C H W K" >&2
    exit 2
}
[ -x "$p" ] || make -s "$p" >/dev/null || exit 1
for k in direct tiled im2col implicit chosen; do
    counts=$(LOOM_THREADS=1 LOOM_COUNT=csv:conv,$k,1 "$p" "$@" --only $k) || exit
    echo "$counts" | awk -F, -v k=$k -v all=$(($1 * $2 * $3 * $4 * $5 * 9)) '
        { n[$4] = $5 }
        END {
            asked = n["global_read_requests"] + n["shared_read_requests"]
            printf "%-8s %7d sectors read, %.2f requests a multiply-add\n",
                k, n["global_read_sectors"], 32 * asked / all
        }'
done
