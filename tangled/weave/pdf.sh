#!/bin/sh
# pdf.sh book.tex out.pdf folder: run xelatex until nothing moves any more; the
# folder holds the woven pages.
set -eu
dir=$(dirname "$2")/pdf
mkdir -p "$dir"
for run in 1 2 3 4; do
    before=$(cat "$dir"/book.aux "$dir"/book.toc 2> /dev/null | cksum)
    if ! xelatex -interaction=nonstopmode -halt-on-error \
        -output-directory="$dir" -jobname=book \
        "\\def\\weave{$3}\\input{$1}" > "$dir/out.txt"; then
        sed -n '/^!/,/^l\./p' "$dir/out.txt"
        echo "xelatex failed: see $dir/book.log"
        exit 1
    fi
    [ "$before" != "$(cat "$dir"/book.aux "$dir"/book.toc | cksum)" ] || break
done
mv "$dir/book.pdf" "$2"
echo "the book: $2 ($run runs)"
