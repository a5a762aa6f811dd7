#!/bin/sh
# deps.sh: install what the goals given need and this machine lacks.
# Usage: sh tangled/setup/deps.sh [-n] [GOAL...]   (-n: say it, do nothing)
# Goals: book check epub pdf figures more; without any: book check.
list=${0%/*}/packages.txt
[ "${0%/*}" != "$0" ] || list=./packages.txt

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

# find out which distribution this is
# sets $family, and $install: the command that installs packages there
root=${DOCTOR_ROOT-}
ids=$( (. "$root/etc/os-release" && echo "$ID ${ID_LIKE-}") 2>/dev/null)
case $(uname -s 2>/dev/null) in
Darwin) ids=macos ;;
MINGW* | MSYS* | CYGWIN*) ids=windows ;;
esac
case " $ids " in
*' debian '* | *' ubuntu '*)
    family=debian install='apt-get install --no-install-recommends' ;;
*' fedora '* | *' rhel '*)
    family=fedora install='dnf install --setopt=install_weak_deps=False' ;;
*' arch '*) family=arch install='pacman -S --needed' ;;
*suse*) family=opensuse install='zypper install --no-recommends' ;;
*' macos '*) family=macos install='' ;;
*' windows '*) family=windows install='' ;;
*) family=unknown install='' ;;
esac

# go through the list
# rows COMMAND: runs it for each line of the list, whose columns are then in
# $what $debian $goals $without
rows()
{
    while read -r what debian goals without <&3; do
        case $what in '' | '#'* | =) continue ;; esac
        case $goals in *book!*) goals="$goals,epub!,pdf!" ;; esac
        "$1"
    done 3<"$list"
}

# wanted_for GOAL...: is the line for one of these goals?
wanted_for()
{
    for goal in "$@"; do
        case ",$goals," in *",$goal,"* | *",$goal!,"*) return 0 ;; esac
    done
    return 1
}

# say whether a thing is here
# here THING: succeeds when the thing of the list's first column is here
here()
{
    case $1 in
    tex:*) kpsewhich "${1#tex:}" ;;
    font:*) fc-list | grep "/${1#font:}[.]" ;;
    py:*) python3 -c "import ${1#py:}" || "$root/usr/bin/python3" -c "import ${1#py:}" ;;
    h:*) printf '#if !__has_include(<%s>) && !__has_include(<openblas/%s>)
#error\n#endif\n' "${1#h:}" "${1#h:}" | cc -E - ;;
    *'>='*) command -v "${1%%>*}" && at_least "$(version "$1")" "${1##*=}" ;;
    *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

# find the version of a command
# version COMMAND[>=N]: the version it says it has, or nothing
version()
{
    line=$("${1%%>*}" --version 2>/dev/null | {
        IFS= read -r line
        echo "$line"
    })
    for word in $line; do
        case $word in [0-9]*.[0-9]*) echo "${word%%[!0-9.]*}" && return ;; esac
    done
}

# compare two versions
# at_least HAVE NEED: compares two versions by their first two numbers
at_least()
{
    [ -n "$1" ] || return 1
    minor=${1#*.} need_minor=${2#*.}
    minor=${minor%%.*} need_minor=${need_minor%%.*}
    [ "${1%%.*}" -gt "${2%%.*}" ] ||
        { [ "${1%%.*}" -eq "${2%%.*}" ] && [ "$minor" -ge "$need_minor" ]; }
}

# name the package that has a thing
# package: what the line's $debian is called in this family, or ?
package()
{
    case $family in fedora | arch | opensuse | debian) p=$debian ;; *) p='?' ;; esac
    while read -r mark d fedora arch opensuse <&4; do
        case $mark$d:$family in
        "=$debian:fedora") p=$fedora ;;
        "=$debian:arch") p=$arch ;;
        "=$debian:opensuse") p=$opensuse ;;
        esac
    done 4<"$list"
    echo "$p"
}

# work out what is missing for the goals
consider()
{
    wanted_for $wanted || return 0
    ! here "$what" || return 0
    for goal in $wanted; do
        case ",$goals," in *",$goal!,"*) must="$must ${what%%>*}"; break ;; esac
    done
    p=$(package)
    case "$p:$missing " in
    '?:'*) unknown="$unknown ${what%%>*}" ;;
    *" $p "*) ;;
    *) missing="$missing $p" ;;
    esac
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
