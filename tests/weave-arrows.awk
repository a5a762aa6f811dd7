# tests/weave-arrows.awk: code only looks back.
#
#   awk -f weave-arrows.awk book/toc.txt tangled/tour/a.c ...
#
# Prints file:line and the mend for every #include "..." that is not rooted
# (slug/file.h), names a chapter that toc.txt does not, or runs forward.  Every
# program may stand on loom/ and on measure/bench.h (simt also on its stats.h);
# Loom serves cuRAND by the generators of chapter 12.

FNR == NR {
    if ($1 ~ /^[0-9]+$|^[A-Z]$/)
        order[$2] = FNR
    next
}
FNR == 1 {
    slug = FILENAME
    sub(/^(.*\/)?tangled\//, "", slug)
    sub(/\/.*/, "", slug)
    if (!(slug in order))
        say("toc.txt has no chapter " slug)
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    to = part[2]
    if (to !~ /^[a-z0-9]+\/./) {
        say("#include \"" to "\" is not rooted: write \"" slug "/" to "\"")
        next
    }
    sub(/\/.*/, "", to)
    if (!(to in order))
        say("#include \"" part[2] "\": toc.txt has no chapter " to)
    else if (order[to] > order[slug] && to != "loom" && \
             part[2] != "measure/bench.h" && !(part[2] == "measure/stats.h" && slug == "simt") && \
             !(to == "random" && FILENAME ~ /loom\/curand[^\/]*$/))
        say("#include \"" part[2] "\" runs forward, from " slug " to " to \
            ": move what is needed to " slug " or to an earlier chapter")
}

function say(what)
{
    print FILENAME ":" FNR ": " what
}
