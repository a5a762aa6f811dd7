#!/bin/sh
# Chapter 7, Measuring: what other tests on the same GPU would decide. This one runs
# when they have ended (in the Makefile: ALONE).
. tests/tap.sh

if have speed; then
    # 38 MB that fit into the cache, if nobody else's data drives them out
    prints "the timing 'cached' is caught" \
        '^caught: (the bytes|an honest measurement is longer)' \
        $B/gpu/measure/gallery --timing cached
else
    skip "the timing 'cached' is caught" "$(tap_needs speed)"
fi
done_testing
