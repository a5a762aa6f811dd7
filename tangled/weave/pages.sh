#!/bin/sh
# pages.sh [folder [slug]]: the pages of the book (or of one chapter) in their
# order: chapters, appendices, the workshop. Exits 1 if a name is malformed.
folder=${1:-book}
ls "$folder" | LC_ALL=C sed -n 's/\.md$//p' | LC_ALL=C sort |
    awk -v folder="$folder" -v only="${2:-}" '
    function wrong(page, what) {
        print folder "/" page ".md:1: " what | "cat >&2"
        bad = 1
    }
    !/-/ { next }
    {
        number = slug = $0
        sub(/-.*/, "", number)
        sub(/^[^-]*-/, "", slug)
        owner = slug
        sub(/-.*/, "", owner)
    }
    only != "" && owner != only { next }
    # sort a page by the form of its name
    /^([0-9][0-9]|[A-Z])w-[a-z0-9]+-workshop(-[a-z0-9]+)?$/ {
        sub(/w$/, "", number)
        workshop[++workshops] = $0
        home[workshops] = number "-" owner
        next
    }
    slug ~ /-workshop/ || !/^([0-9][0-9][a-v]?|[A-Z])-[a-z0-9]+(-[a-z0-9]+)*$/ ||
        (number ~ /[a-v]$/) != (slug ~ /-/) {
        wrong($0, "no name of a page: a chapter is 14-gemm.md, its second page " \
            "14a-gemm-word.md, its workshop 14w-gemm-workshop.md or " \
            "14w-gemm-workshop-word.md, an appendix D-weave.md")
        next
    }
    {
        there[$0]
        if (number ~ /^[0-9]/) chapters = chapters folder "/" $0 ".md\n"
        else appendices = appendices folder "/" $0 ".md\n"
    }
    END {
        for (i = 1; i <= workshops; i++)
            if (!(home[i] in there))
                wrong(workshop[i], "a workshop page without its chapter: " \
                    "there is no " folder "/" home[i] ".md")
            else list = list folder "/" workshop[i] ".md\n"
        if (!bad) printf "%s", chapters appendices list
        exit bad
    }'
