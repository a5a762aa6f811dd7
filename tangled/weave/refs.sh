#!/bin/sh
# refs.sh: what is wrong with the numbers, terms, citations, figures and links
# of the book. Exits 1 when it has found something.
exec "$(dirname "$0")/weave.sh" --check
