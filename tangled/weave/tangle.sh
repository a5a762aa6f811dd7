#!/bin/sh
# tangle.sh chapter.md ...: write every file that the chapters hold.
# OUT (tangled) receives the clean text, TWIN (build/src) the one with #line.
set -eu
tools=$(dirname "$0")
out=${OUT:-tangled} twin=${TWIN:-build/src}
mkdir -p "$out" "$twin"
tmp=$(mktemp -d "$twin/tangling.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

for chapter; do
    slug=$(basename "$chapter" .md)
    slug=${slug#*-}
    # collect the chapter's files in [[$tmp]]
    awk -v structure=1 -f "$tools/lint.awk" -- "$chapter" >&2
    mkdir -p "$tmp/out/$slug" "$tmp/twin/$slug"
    roots=$(awk -f "$tools/roots.awk" -- "$chapter" | awk '{ printf " -R%s", $2 }')
    if [ -n "$roots" ]; then
        # shellcheck disable=SC2086
        notangle $roots -filter "awk -f $tools/tag.awk" \
            -markup "awk -f $tools/front.awk --" "$chapter" > "$tmp/tagged"
        awk -v src="$chapter" -v out="$tmp/out" -v twin="$tmp/twin" \
            -f "$tools/split.awk" "$tmp/tagged" > "$tmp/files"
    else
        : > "$tmp/files"
    fi
    # move what has changed into place
    while read -r file; do
        case $file in
        *.sh) chmod +x "$tmp/out/$file" ;;
        esac
        for side in "out $out" "twin $twin"; do
            new=$tmp/${side%% *}/$file old=${side#* }/$file
            if [ -f "$new" ] && ! cmp -s "$new" "$old"; then
                [ -d "${old%/*}" ] || mkdir -p "${old%/*}"
                mv -f "$new" "$old"
                [ "${side%% *}" = twin ] || echo "  $old"
            fi
        done
    done < "$tmp/files"
    # remove files that no chunk writes any more
    for top in "$out" "$twin"; do
        [ -d "$top/$slug" ] || continue
        (cd "$top" && find "$slug" -type f) | while read -r file; do
            grep -qxF "$file" "$tmp/files" || rm -f "$top/$file"
        done
    done
    rm -rf "$tmp"/*
done
