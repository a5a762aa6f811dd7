#!/bin/sh
# pdf.sh book.tex out.pdf folder [-workshop]: run xelatex until nothing moves any
# more; the folder holds the woven pages, the last argument names the volume.
set -eu
volume=${4:-}
dir=$(dirname "$2")/pdf
mkdir -p "$dir"
# places: what a run tells the next, but for how many pages there are with the contents
places() { cat "$dir/book$volume.aux" "$dir/book$volume.toc" 2> /dev/null | grep -v abspage@last | cksum; }
for run in 1 2 3 4; do
    before=$(places)
    if ! xelatex -no-pdf -interaction=nonstopmode -halt-on-error \
        -output-directory="$dir" -jobname="book$volume" \
        "\\def\\weave{$3}\\def\\volume{$volume}\\input{$1}" > "$dir/out$volume.txt"; then
        sed -n '/^!/,/^l\./p' "$dir/out$volume.txt"
        echo "xelatex failed: see $dir/book$volume.log"
        exit 1
    fi
    [ "$before" != "$(places)" ] || break
done
xdvipdfmx -q -E -o "$dir/book$volume.pdf" "$dir/book$volume.xdv"
mv "$dir/book$volume.pdf" "$2"
echo "the book: $2 ($run runs)"
