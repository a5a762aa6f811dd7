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
trap 'rm -f "$new" "$new".*' EXIT

# keep one of the two
case $what in
csv)
    slug=$(basename "$(dirname "$3")")
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null |
        head -1)
    BENCH_DRIVER=$driver \
        BENCH_COMMIT=$commit BENCH_DATE=$(date -u +%Y-%m-%d) \
        BENCH_TANGLED=$("$tools/hash.sh" "$slug/$(basename "$3")") \
        BENCH_LOG=$new.log sh -c '
            nvidia-smi --query-gpu=clocks.sm,power.draw,clocks_event_reasons.active \
                --format=csv,noheader,nounits -lms 500 > "$BENCH_LOG" 2>/dev/null &
            "$1" && status=0 || status=$?
            kill $! 2>/dev/null
            exit $status' bench "$3" > "$new"
    awk -F ', *' -v log_file="$new.log" '
        BEGIN {
            while ((getline < log_file) > 0) {
                if ($1 + 0 == 0) continue
                n++; mhz += $1; watt += $2; slow += $3 !~ /^0x0*[01]$/
                if (n == 1 || $1 + 0 < least) least = $1 + 0
                if ($2 + 0 > most) most = $2 + 0
            }
        }
        { print }
        /^# tangled:/ && n {
            printf "# load: SM at %.0f MHz (least %.0f), %.0f W (most %.0f), %s\n",
                mhz / n, least, watt / n, most,
                slow ? sprintf("slowed in %.0f %% of %d looks", 100 * slow / n, n) : "never slowed"
        }' "$new" > "$new.kept"
    cat "$new.kept" > "$into/$slug.csv"
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
