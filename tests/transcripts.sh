#!/bin/sh
# tests/transcripts.sh DIR [copy]: run the commands DIR/cmd.1, DIR/cmd.2, ... of
# one console fence, one after the other in one fresh directory, DIR/tree, and
# compare what each says with DIR/want.1, ...  The directory looks like the
# house's root: links to all that is there, or, with "copy", a copy of it that
# may be edited.  Called by tap.sh; prints what differs, exits 1 where it does.

set -u
dir=$1
how=${2-links}
: "${B:=build}"
root=$(pwd)
tree=$dir/tree
rm -rf "$tree"
mkdir -p "$tree" "$B"
build=$(cd "$B" && pwd)

if [ "$how" = copy ]; then
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -co --exclude-standard
    else
        find . -path ./build -prune -o -type f -print
    fi | while IFS= read -r f; do
        [ -e "$f" ] && printf '%s\n' "$f"
    done | tar -cf - -T - | tar -xpf - -C "$tree"
    # A build folder of its own, as new as the real one: what make would build again
    # for a program of this chapter.  Copied, not linked: touch and > would write
    # through a link into the real tree.
    slug=${dir%/*}
    slug=$(basename "$slug" | cut -d- -f2)
    mkdir -p "$tree/build"
    (cd "$build" && for f in src tangle ./*.mk inst/include loom/src loom/head \
        loom/loom "loom/$slug"; do [ ! -e "$f" ] || echo "$f"; done |
        tar -cf - -T -) | tar -xpf - -C "$tree/build"
else
    for f in * .[!.]*; do
        case $f in
        .git | build | '*' | '.[!.]*') ;;
        *) ln -s "$root/$f" "$tree/$f" ;;
        esac
    done
    ln -s "$build" "$tree/build"
fi

# One shell runs all commands, so that cd and variables last.
out=$(cd "$dir" && pwd)
{
    i=1
    while [ -f "$dir/cmd.$i" ]; do
        printf '. "%s" >"%s" 2>&1\necho $? >"%s"\n' \
            "$out/cmd.$i" "$out/got.$i" "$out/status.$i"
        i=$((i + 1))
    done
} >"$dir/all"
(
    unset B SRC TOOLS BACKEND BACKENDS LIMIT ONLY OUT TWIN PLANTED \
        CHAPTER MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS MAKE_TERMOUT \
        MAKE_TERMERR GCC_COLORS
    TERM=dumb COLUMNS=80 LC_ALL=C.UTF-8
    export TERM COLUMNS LC_ALL
    cd "$tree" && exec sh "$out/all"
) </dev/null >/dev/null 2>&1

bad=0
i=1
while [ -f "$dir/cmd.$i" ]; do
    if [ -f "$dir/status.$i" ]; then
        st=$(cat "$dir/status.$i")
        # a last line without its newline is still a line
        [ -s "$dir/got.$i" ] && [ -n "$(tail -c 1 "$dir/got.$i")" ] &&
            echo >>"$dir/got.$i"
        [ "$st" = 0 ] || echo "[exit $st]" >>"$dir/got.$i"
    else
        [ -f "$dir/got.$i" ] || : >"$dir/got.$i"
        echo "[the shell ended here]" >>"$dir/got.$i"
    fi
    if ! awk -f tests/transcripts.awk part=same which=0 "$dir/want.$i" which=1 \
        "$dir/got.$i" >"$dir/diff.$i"; then
        bad=1
        sed 's/^/$ /' "$dir/cmd.$i"
        cat "$dir/diff.$i"
    fi
    i=$((i + 1))
done
exit $bad
