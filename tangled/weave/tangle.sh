#!/bin/sh
# tangle.sh chapter.md ...: write every file that the chapters hold.
# OUT (tangled) receives the clean text, TWIN (build/src) the one with #line.
set -eu
tools=$(dirname "$0")
out=${OUT:-tangled} twin=${TWIN:-build/src}
mkdir -p "$out" "$twin"
tmp=$(mktemp -d "$twin.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

for chapter; do
    # find the pages of the chapter
    [ -f "$chapter" ] || {
        echo "tangle.sh: there is no chapter $chapter" >&2
        exit 1
    }
    slug=$(basename "$chapter" .md)
    slug=${slug#*-}
    slug=${slug%%-*}
    pages=$("$tools/pages.sh" "$(dirname "$chapter")" "$slug")
    # collect the chapter's files in [[$tmp]]
    # shellcheck disable=SC2086
    awk -v structure=1 -f "$tools/lint.awk" -- $pages >&2
    mkdir -p "$tmp/out/$slug" "$tmp/twin/$slug"
    # shellcheck disable=SC2086
    roots=$(awk -f "$tools/roots.awk" -- $pages |
        awk '!seen[$2]++ { printf " -R%s", $2 }')
    if [ -n "$roots" ]; then
        # shellcheck disable=SC2086
        notangle $roots -filter "awk -f $tools/tag.awk" \
            -markup "awk -f $tools/front.awk --" $pages > "$tmp/tagged"
        awk -v out="$tmp/out" -v twin="$tmp/twin" \
            -f "$tools/split.awk" "$tmp/tagged" > "$tmp/files"
    else
        : > "$tmp/files"
    fi
    # move what has changed into place
    while read -r file; do
        case $file in
        *.sh) chmod +x "$tmp/out/$file" ;;
        esac
    done < "$tmp/files"
    for side in "out $out" "twin $twin"; do
        from=$tmp/${side%% *} to=${side#* }
        [ ! -d "$to/$slug" ] && ! rmdir "$from/$slug" 2> /dev/null &&
            mv -T "$from/$slug" "$to/$slug" 2> /dev/null && whole=yes || whole=
        while read -r file; do
            if [ -z "$whole" ]; then
                [ -f "$from/$file" ] && ! cmp -s "$from/$file" "$to/$file" || continue
                [ -d "$to/${file%/*}" ] || mkdir -p "$to/${file%/*}"
                mv -f "$from/$file" "$to/$file"
            fi
            [ "$to" = "$twin" ] || echo "  $to/$file"
        done < "$tmp/files"
    done
    # remove files that no chunk writes any more
    for top in "$out" "$twin"; do
        [ -d "$top/$slug" ] || continue
        (cd "$top" && find "$slug" -type f) | { grep -vxF -f "$tmp/files" || :; } |
            while read -r file; do rm -f "$top/$file"; done
    done
    rm -rf "$tmp"/*
done
