#!/bin/sh
# deps.sh: install what the goals given need and this machine lacks.
# Usage: sh tangled/setup/deps.sh [-n] [GOAL...]   (-n: say it, do nothing)
# Goals: book check epub pdf figures more; without any: book check.

# find the list
folder=${0%/*}
[ "$folder" != "$0" ] || folder=.
list=$folder/packages.txt
. "$folder/look.sh"

# understand the goals to install for
dry=''
if [ "${1-}" = -n ]; then
    dry=1
    shift
fi
for goal in "$@"; do
    case $goal in
    book | check | epub | pdf | figures | more) ;;
    *)
        echo "deps.sh: unknown goal \"$goal\"; the goals are" \
            "book check epub pdf figures more" >&2
        exit 2 ;;
    esac
done
[ $# -gt 0 ] || set -- book check
wanted=$*

# work out what is missing for the goals
consider()
{
    wanted_for $wanted || return 0
    ! here "$what" || return 0
    for goal in $wanted; do
        case ",$goals," in *",$goal!,"*) must="$must ${what%%>*}"; break ;; esac
    done
    collect
}
look()
{
    missing='' unknown='' must=''
    rows consider
}
look
if [ -z "$missing$unknown" ]; then
    echo "deps: nothing is missing for: $*"
    exit 0
fi

# install what is missing
sudo=''
[ "$(id -u 2>/dev/null)" = 0 ] || sudo='sudo '
if [ -n "$missing" ] && [ "$family" = debian ] &&
    command -v apt-get >/dev/null 2>&1 &&
    { [ -z "$sudo" ] || command -v sudo >/dev/null 2>&1; }; then
    echo "deps: missing here:$missing; these two lines install it:"
    echo "  ${sudo}apt-get update"
    echo "  $sudo$install -y$missing"
    if [ -z "$dry" ]; then
        ${sudo}apt-get update -q ||
            echo "deps: apt-get update failed; trying with the lists there are"
        ${sudo}env DEBIAN_FRONTEND=noninteractive $install -y$missing
        look
    fi
elif [ -n "$missing" ]; then
    echo "deps: please install what is missing, and type the same line again:"
    echo "  $sudo${install:-install}$missing"
fi

# say what is still missing
[ -z "$unknown" ] || echo "deps: no package known for$unknown: see" \
    "\"Where nothing is packaged\" in appendix A"
[ -z "$dry" ] || exit 0
if [ -n "$must" ]; then
    echo "deps: cannot go on without$must; without root, see" \
        "\"Without root\" in appendix A" >&2
    exit 1
elif [ -n "$missing$unknown" ]; then
    echo "deps: going on without$missing$unknown"
fi
