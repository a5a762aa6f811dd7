# look.sh: go through the list, for doctor.sh and deps.sh; $list is its name.

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

# collect the packages that are missing
# collect: adds the line's package to $missing, or its command to $unknown
collect()
{
    p=$(package)
    case "$p:$missing " in
    '?:'*) unknown="$unknown ${what%%>*}" ;;
    *" $p "*) ;;
    *) missing="$missing $p" ;;
    esac
}
