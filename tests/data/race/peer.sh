#!/bin/sh
# A peer without PyTorch, for the tests: answers what bench/peers/race.py would,
# a step of 1000 us in the ways of the name "best" and 3000 us in all others.
# PEER_DIES=n: is gone after n answers. The weights and the order must be there.
[ -s "$1/weights.bin" ] && [ -s "$1/order.bin" ] || exit 1
n=0 ids=
while read -r what name more; do
    n=$((n + 1))
    [ "$n" != "${PEER_DIES-}" ] || exit 0
    case $what in
    version) echo "version a peer of the tests" ;;
    open)
        case $name in
        bad*) echo "failed to open $name" ;;
        *)
            ids="$ids $name"
            # shellcheck disable=SC2086
            set -- $ids
            echo "open $(($# - 1)) 0.5"
            ;;
        esac
        ;;
    sample)
        i=0 us=3000
        for k in $ids; do
            case $i:$k in "$name":best*) us=1000 ;; esac
            i=$((i + 1))
        done
        echo "us $us"
        ;;
    loss) echo "loss 0.25" ;;
    launches) echo "launches 12 34.5" ;;
    close) echo "closed $name" ;;
    *) echo "failed: $what" ;;
    esac
done
