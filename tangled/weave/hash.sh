#!/bin/sh
# hash.sh slug: twelve digits that stand for the contents of tangled/<slug>.
cd "tangled/$1" || exit 1
find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-12
