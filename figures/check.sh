#!/bin/sh
# figures/check.sh: is every drawn figure the one that its sources draw?
# A plot carries the SHA-256 of script, style and CSVs in a comment (style.py);
# this recomputes it. Needs no Python. Exit status 1 when a figure is stale.
# Diagrams, which have no script, carry no hash and are left alone.
cd "$(dirname "$0")/.." || exit 2
gpu=${GPU:-h200}
bad=0

say()
{
    echo "$1: $2"
    bad=1
}

for script in figures/*_*.py; do
    [ -f "$script" ] || continue
    svg=${script%.py}.svg
    slug=$(basename "$script")
    slug=${slug%%_*}
    if [ ! -f "$svg" ]; then
        # no results yet, no figure yet
        if [ -f "bench/results/$gpu/$slug.csv" ]; then
            say "$svg" "is not there; draw it: make figures"
        fi
        continue
    fi
    if ! grep -q "^<!-- drawn from $script .* sha256 [0-9a-f]* -->" "$svg"; then
        say "$svg" "does not say what it was drawn from; draw it: make figures"
        continue
    fi
    drawn=$(sed -n 's/^<!-- drawn from \(.*\) sha256 \([0-9a-f]*\) -->.*/\1|\2/p' \
        "$svg")
    sources=${drawn%|*}
    for source in $sources; do
        case $source in
        figures/*.py | bench/results/*/*.csv) ;;
        *) say "$svg" "was drawn from $source, which is not in the book" ;;
        esac
        [ -f "$source" ] || say "$svg" "was drawn from $source, now missing"
    done
    # shellcheck disable=SC2086
    now=$(cat $sources 2>/dev/null | sha256sum | cut -d' ' -f1)
    [ "$now" = "${drawn#*|}" ] ||
        say "$svg" "is older than $sources; draw it: make figures"
done

for svg in figures/*.svg; do
    [ -f "$svg" ] || continue
    if grep -q '^<!-- drawn from ' "$svg" && [ ! -f "${svg%.svg}.py" ]; then
        say "$svg" "has lost its script ${svg%.svg}.py"
    fi
done
exit $bad
