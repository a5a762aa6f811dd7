#!/bin/sh
# count.sh PROGRAM [ARGUMENTS]: run a program of this chapter on Loom,
# and print what its warps' requests cost, as Loom counted it.
p=build/inst/memory/$1
[ -x "$p" ] || make -s "$p" || exit 1
shift
LOOM_THREADS=1 LOOM_COUNT=csv:memory,count,1 "$p" "$@" 2>/dev/null | awk -F, '
    !/^memory,count/ { print; next }
    $4 ~ /_requests$/ { requests = $5 }
    $4 ~ /_(sectors|passes)$/ && requests {
        split($4, f, "_")
        printf "%s %s: %d requests, %g %s each\n", f[1], f[2], requests,
            $5 / requests, f[3]
    }'
