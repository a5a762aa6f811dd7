# tests/weave-arrows.awk: code only looks back.
#
#   awk -f weave-arrows.awk book/toc.txt tangled/tour/a.c ...
#
# Prints file:line and the fix for every #include "..." that is not rooted
# (slug/file.h), names a chapter that toc.txt does not, or runs forward.  Every
# program may stand on the foundations: loom/, measure/bench.h, measure/stats.h.
# What can be installed of Loom, which is all of it but its programs (with a
# main, or in wrong/ or solutions/), includes only from loom/.

FNR == NR {
    if ($1 ~ /^[0-9]+$|^[A-Z]$/)
        order[$2] = FNR
    next
}
FNR == 1 {
    slug = FILENAME
    sub(/^(.*\/)?tangled\//, "", slug)
    program[FILENAME] = slug ~ /\/(wrong|solutions)\//
    sub(/\/.*/, "", slug)
    if (!(slug in order))
        say("toc.txt has no chapter " slug)
}
/^(int[ \t]+)?main[ \t]*\(/ { program[FILENAME] = 1 }
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
    else if (slug == "loom" && to != "loom") {
        at[++n] = FILENAME ":" FNR; of[n] = FILENAME; what[n] = part[2]
        forward[n] = runs_forward(part[2], to)
    } else if (runs_forward(part[2], to))
        say("#include \"" part[2] "\" runs forward, from " slug " to " to \
            ": move what is needed to " slug " or to an earlier chapter")
}
END {
    for (i = 1; i <= n; i++)
        if (!program[of[i]])
            print at[i] ": #include \"" what[i] "\": what is installed of Loom " \
                "includes only from loom/"
        else if (forward[i])
            print at[i] ": #include \"" what[i] "\" runs forward: a program of " \
                "chapter loom looks back"
}

function runs_forward(file, to)
{
    return order[to] > order[slug] && to != "loom" && \
        file != "measure/bench.h" && file != "measure/stats.h"
}
function say(message)
{
    print FILENAME ":" FNR ": " message
}
