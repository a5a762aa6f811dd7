#!/bin/sh
. tests/tap.sh

done_testing
