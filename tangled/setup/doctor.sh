#!/bin/sh
# doctor.sh: what is here, which tests will run, and how to get the rest.

# find the list
folder=${0%/*}
[ "$folder" != "$0" ] || folder=.
list=$folder/packages.txt

# understand the doctor's arguments
case ${1-} in
'') ;;
--help)
    echo "Usage: sh tangled/setup/doctor.sh [--help]"
    echo "Says what is here, what will run, what is left out and how to get it."
    echo 'Exit status: 0 when "make book" and "make check" can run, else 1.'
    exit 0 ;;
*)
    echo "doctor.sh: unknown argument \"$1\"; only --help is known" >&2
    exit 2 ;;
esac
if [ ! -r "$list" ]; then
    echo "doctor.sh: $list is missing; \"make tangle\" or" \
        "\"git checkout tangled/setup\" brings it back" >&2
    exit 2
fi
. "$folder/look.sh"

# say what is here
missing='' unknown='' skipped='' nl='
  '
note_row()
{
    name=${what%%>*}
    if here "$what"; then
        case $what in
        *:* | prove | notangle | epubcheck | pdftotext | rsvg-convert) v='' ;;
        *) v=$(version "$what") ;;
        esac
        printf '  %-27s %s\n' "${name#*:}" "${v:-here}"
        return
    fi
    printf '  %-27s missing: %s\n' "${name#*:}" "$without"
    # say so if it is here but too old
    case $what in
    *'>='*)
        command -v "$name" >/dev/null 2>&1 &&
            printf '  %-27s (version %s is too old: %s or newer is needed)\n' '' \
                "$(version "$what")" "${what##*=}" ;;
    esac
    # keep what is missing for each goal
    for goal in book check epub pdf figures; do
        case ",$goals," in
        *",$goal!,"*) eval "no_$goal=\"\${no_$goal-} \${name#*:}\"" ;;
        esac
    done
    if wanted_for check; then
        case ",$goals," in
        *,check!,*) ;;
        *) skipped="$skipped$nl$name is missing: $without" ;;
        esac
    fi
    if wanted_for book check; then collect; fi
}

echo "What is here"
rows note_row

# look for the CUDA compiler
nvcc='' nvcc_note='' tool=$(command -v nvcc)
if [ -z "$tool" ] && [ -x "$root/usr/local/cuda/bin/nvcc" ]; then
    tool=$root/usr/local/cuda/bin/nvcc
fi
if [ -z "$tool" ]; then
    nvcc_note="nvcc is missing: .cu files are compiled by g++ alone"
elif ! "$tool" -E -x cu /dev/null >/dev/null 2>&1; then
    nvcc_note="$tool cannot compile an empty file; see what it says to:"
    nvcc_note="$nvcc_note$nl  $tool -E -x cu /dev/null"
else
    nvcc=$("$tool" --version | while read -r line; do
        case $line in *release*) line=${line##*release }; echo "${line%%,*}" ;; esac
    done)
    case $(command -v nvcc) in '') where=" in ${tool%/*}, not on the PATH" ;; esac
    printf '  %-27s %s\n' nvcc "${nvcc:=of unknown version}${where-}"
fi

# look for a GPU
gpu='' gpu_note=''
ask='--query-gpu=name,compute_cap --format=csv,noheader'
if command -v nvidia-smi >/dev/null 2>&1; then
    if gpu=$(nvidia-smi $ask 2>&1) && [ -n "$gpu" ]; then
        printf '  %-27s %s\n' GPU "$gpu"
    else
        gpu_note="nvidia-smi is here, but says: ${gpu:-nothing}"
        gpu=''
    fi
elif [ -e "$root/dev/dxg" ]; then
    gpu_note="no nvidia-smi in this WSL2: install NVIDIA's driver in Windows,"
    gpu_note="$gpu_note$nl  none in Linux, and have /usr/lib/wsl/lib on the PATH"
elif [ -e "$root/proc/driver/nvidia/version" ]; then
    gpu_note="NVIDIA's driver is loaded, but nvidia-smi is not on the PATH"
else
    gpu_note="no NVIDIA driver: nothing runs on a GPU"
fi

# look for limits on profiling
limits=''
if [ -r "$root/proc/driver/nvidia/params" ]; then
    while read -r key value; do
        [ "$key $value" != "RmProfilingAdminOnly: 1" ] ||
            limits="${nl}ncu: counters are for root only; chapter 7 does without"
    done <"$root/proc/driver/nvidia/params"
fi
case :${LD_LIBRARY_PATH-}: in
*/stubs:* | */stubs/:*)
    limits="$limits${nl}LD_LIBRARY_PATH has a stubs folder; its libcuda is empty" ;;
esac

# see whether compiler and driver fit
fit_note=''
case $gpu:$nvcc in
?*:[0-9]*)
    driver=$(nvidia-smi 2>/dev/null | while read -r line; do
        case $line in *'CUDA Version: '[0-9]*) line=${line##*CUDA Version: }
            echo "${line%%[!0-9.]*}" ;; esac
    done)
    if [ -n "$driver" ] && [ "${nvcc%%.*}" -gt "${driver%%.*}" ]; then
        fit_note="nvcc is $nvcc, but the driver knows CUDA only up to $driver:"
        fit_note="$fit_note$nl  programs will compile and not start; a newer"
        fit_note="$fit_note driver or an older toolkit helps"
    fi
    case $gpu in
    *', '[1-6].* | *', 7.'[0-4]*)
        [ "${nvcc%%.*}" -lt 13 ] || fit_note="nvcc $nvcc does not compile for\
 compute capability ${gpu##*, }; a toolkit 12.x does, from 5.0 on" ;;
    esac ;;
esac
[ -z "$fit_note" ] || gpu=''

# say what will run
echo "What will run"
for goal in book check epub pdf figures; do
    eval "no=\${no_$goal-}"
    if [ -n "$no" ]; then
        printf '  make %-8s no: it needs%s\n' "$goal" "$no"
    elif [ "$goal" = check ]; then
        echo "  make check    yes: on Loom${nvcc:+, compiled by nvcc $nvcc\
}${nvcc:+${gpu:+, and on the GPU}}"
    else
        printf '  make %-8s yes\n' "$goal"
    fi
done

# say what is left out and how to get it

# say what the tests will skip
for note in "$nvcc_note" "$gpu_note" "$fit_note"; do
    [ -z "$note" ] || skipped="$skipped$nl$note"
done
[ -z "$skipped$limits" ] || echo "What is left out$skipped$limits"
if [ -n "$missing$unknown" ]; then
    echo "How to get what is missing"
    [ "$family" != debian ] || echo "  make deps book check, which runs:"
    [ -z "$missing" ] || echo "  $install$missing"
    [ -z "$unknown" ] || echo "  no package known for$unknown: see" \
        "\"Where nothing is packaged\" in appendix A"
    case $family in
    macos) echo "  on macOS, use the container of appendix A" ;;
    windows) echo "  native Windows is untested; use WSL2, see appendix A" ;;
    esac
fi
[ -z "${no_book-}${no_check-}" ]
