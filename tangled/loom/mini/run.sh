#!/bin/sh
# run.sh STEP FILE.cu [ARGUMENTS]: compile a CUDA program against step STEP of
# the small Loom, 2 to 7 or a header, and run it. Exit status: that of the
# program, 1 if it does not compile, or 2 if a mistake was found. CC and CXX are
# the compilers; UNDER=qemu-aarch64 runs the program under that.
set -eu
here=$(dirname "$0")
top=${TOP:-$here/../..} # whose headers and programs: those that were tangled
[ $# -ge 2 ] || {
    echo "usage: run.sh STEP FILE.cu [ARGUMENTS]" >&2
    exit 1
}
case $1 in
[2-7]) header=$top/loom/mini/step$1.h ;;
*.h) header=$1 ;;
*)
    echo "run.sh: there is no step $1: say 2 to 7" >&2
    exit 1
    ;;
esac
for file in "$header" "$2"; do
    [ -f "$file" ] || {
        echo "run.sh: there is no file $file" >&2
        exit 1
    }
done
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/cuda_runtime.h"

# find what the program includes
included()
{
    ${CXX:-g++} -MM -w -x c++ -std=gnu++17 -I"$work" -I"$top" "$@" 2>/dev/null |
        tr -d '\\' | tr ' ' '\n' | grep -v ':$' | sort -u
}
is_module()
{
    [ -f "$1" ] && ! grep -q '^int main' "$1"
}
headers=$(included -include "$header" "$file") modules=
for h in $headers; do
    case $h in
    *.cuh)
        mkdir -p "$work/$(dirname "${h#"$top"/}")"
        awk -f "$here/rewrite.awk" "$h" >"$work/${h#"$top"/}"
        ;;
    *.h) ! is_module "${h%.h}.c" || modules="$modules ${h%.h}.c" ;;
    esac
done
for c in $modules; do
    for h in $(included "$c"); do
        case " $modules " in
        *" ${h%.h}.c "*) ;;
        *) ! is_module "${h%.h}.c" || modules="$modules ${h%.h}.c" ;;
        esac
    done
done
awk -f "$here/rewrite.awk" "$file" >"$work/program.cu"
hooks= # for a header that has them, or includes one that does
! grep -qs __tsan_ "$header" $headers || hooks=-fsanitize=thread
${CXX:-g++} -x c++ -std=gnu++17 -O1 -g -fdebug-prefix-map="$PWD"=. $hooks \
    -I"$work" -I"$top" -include "$header" -c -o "$work/program.o" "$work/program.cu"
for c in $modules; do
    ${CC:-cc} -std=c11 -O1 -D_DEFAULT_SOURCE -I"$top" -c -o "$work/$(basename "$c" .c).o" "$c"
done
${CXX:-g++} -no-pie -o "$work/program" "$work"/*.o -lm -lpthread
status=0
${UNDER-} "$work/program" "$@" || status=$?
exit $status
