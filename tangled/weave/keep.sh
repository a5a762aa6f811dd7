#!/bin/sh
# keep.sh csv "GPU name" program, or keep.sh tap "GPU name":
# keep what a benchmark or the tests said under bench/results/<gpu>/.
set -eu
tools=$(dirname "$0")
what=$1 name=${2:-loom}
gpu=$(echo "$name" | tr '[:upper:] ' '[:lower:]-' | sed 's/nvidia-//; s/geforce-//')
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
commit=${COMMIT:-$commit}
into=bench/results/$gpu
mkdir -p "$into"
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# keep one of the two
case $what in
csv)
    slug=$(basename "$(dirname "$3")")
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null |
        head -1)
    BENCH_DRIVER=$driver \
        BENCH_COMMIT=$commit BENCH_DATE=$(date -u +%Y-%m-%d) \
        BENCH_TANGLED=$("$tools/hash.sh" "$slug/$(basename "$3")") "$3" > "$new"
    cat "$new" > "$into/$slug.csv"
    echo "  $into/$slug.csv"
    ;;
tap)
    {
        echo "# gpu: $name"
        echo "# date: $(date -u +%Y-%m-%d)"
        echo "# commit: $commit"
        # shellcheck disable=SC2046
        "$tools/hash.sh" $(ls tangled) | sed 's/^/# tangled: /'
        cat "${B:-build}"/tap/*.tap
    } > "$new"
    cat "$new" > "$into/check.tap"
    echo "  $into/check.tap"
    ;;
esac
