#!/bin/sh
# Setting up: the doctor and `make deps` on machines that are not this one,
# the data, the notebook, and what README.md and the recipes promise.
. tests/tap.sh

S=tangled/setup
[ -z "${PLANTED-}" ] || S=$SRC/setup
W=$tap_tmp/world
mkdir -p "$W"

# ---- worlds: a folder of stubs as PATH, a folder as / -----------------------
# stub DIR NAME VERSION: a command that says only its version
stub()
{
    mkdir -p "$1"
    printf '#!/bin/sh\necho "%s %s"\n' "$2" "$3" >"$1/$2"
    chmod +x "$1/$2"
}

# full DIR: all commands of the list, new enough; TeX, fonts, Python
full()
{
    while read -r what rest; do
        case $what in
        '#'* | '' | *:*) ;;
        *) stub "$1" "${what%%>*}" 9.9.9 ;;
        esac
    done <"$S/packages.txt"
    stub "$1" kpsewhich 1.0
    stub "$1" python3 3.9
    printf '#!/bin/sh\necho "/f/JetBrainsMono-Regular.ttf: JetBrains Mono"\n' \
        >"$1/fc-list"
    chmod +x "$1/fc-list"
    ln -sf "$(command -v grep)" "$1/grep"
}

# cuda DIR NVCC DRIVER CC: an nvcc and an nvidia-smi of these versions
cuda()
{
    cat >"$1/nvcc" <<END
#!/bin/sh
case \$1 in
--version) echo "nvcc: NVIDIA (R) Cuda compiler driver"
    echo "Cuda compilation tools, release $2, V$2.88" ;;
esac
END
    cat >"$1/nvidia-smi" <<END
#!/bin/sh
case \$1 in
--query*) echo "NVIDIA Test, $4" ;;
*) echo "| NVIDIA-SMI 580.1   Driver Version: 580.1   CUDA Version: $3   |" ;;
esac
END
    chmod +x "$1/nvcc" "$1/nvidia-smi"
}

# os DIR ID [LIKE]: a root folder with an os-release
os()
{
    mkdir -p "$1/etc"
    printf 'ID=%s\nID_LIKE="%s"\n' "$2" "${3-}" >"$1/etc/os-release"
}

os "$W/debian" debian
os "$W/ubuntu" ubuntu debian
os "$W/fedora" fedora
os "$W/rocky" rocky 'rhel centos fedora'
os "$W/arch" arch
os "$W/suse" opensuse-tumbleweed 'opensuse suse'
os "$W/nixos" nixos
mkdir -p "$W/none"
full "$W/all"
cp -R "$W/all" "$W/gpu"
cuda "$W/gpu" 13.0 13.0 9.0
stub "$W/bare" git 2.39
stub "$W/bare" make 4.3

# in PATH ROOT script args: run a script of the chapter in this world
sh=$(command -v dash || command -v sh)
in_world() { tap_p=$1 tap_r=$2; shift 2
    env -i PATH="$W/$tap_p" DOCTOR_ROOT="$W/$tap_r" "$sh" "$@"; }
# the same for the assertions of tap.sh, which want a command's words
w() { echo "env -i PATH=$W/$1 DOCTOR_ROOT=$W/$2 $sh"; }
doctor=$S/doctor.sh deps=$S/deps.sh

# ---- the doctor ---------------------------------------------------------------
prints "everything and a GPU: all goals, tests on both back ends" \
    'make check +yes: on the machine, compiled by nvcc 13.0, and on the GPU' \
    $(w gpu debian) $doctor
in_world gpu debian $doctor >"$tap_tmp/said"
is "everything and a GPU: five goals run" \
    "$(grep -c '^  make [a-z]* *yes' "$tap_tmp/said")" 5
is "everything and a GPU: nothing is left out or missing" \
    "$(grep -c 'left out\|missing\|How to get' "$tap_tmp/said")" 0
prints "no nvcc, no driver: the tests run on the machine" \
    'make check +yes: on the machine$' $(w all debian) $doctor
prints "no nvcc: said, with what it costs" 'nvcc is missing: \.cu files are' \
    $(w all debian) $doctor
prints "no driver: said" 'no NVIDIA driver' $(w all debian) $doctor
fails_run "nothing but git and make: not well, and says what check needs" \
    'make check +no: it needs gcc g\+\+ prove$' $(w bare debian) $doctor
fails_run "nothing but git and make: the line for Debian" \
    '^  apt-get install --no-install-recommends gcc g\+\+ perl noweb pandoc tidy$' \
    $(w bare debian) $doctor
fails_run "Ubuntu is like Debian" 'apt-get install' $(w bare ubuntu) $doctor
fails_run "Fedora: dnf, and noweb has no package" \
    'dnf install [^ ]* gcc gcc-c\+\+ perl-Test-Harness' $(w bare fedora) $doctor
fails_run "a relative of Fedora: dnf" 'dnf install' $(w bare rocky) $doctor
fails_run "Arch: pacman" 'pacman -S --needed' $(w bare arch) $doctor
fails_run "openSUSE: zypper" 'zypper install --no-rec' $(w bare suse) $doctor
fails_run "an unknown system: no package is made up" \
    'no package known for gcc g\+\+' $(w bare nixos) $doctor
fails_run "a system without /etc/os-release: the same" \
    'no package known for gcc g\+\+' $(w bare none) $doctor

# what cannot be done without, one by one
for gone in gcc g++ prove make; do
    cp -R "$W/all" "$W/no-$gone"
    rm "$W/no-$gone/$gone"
    fails_run "without $gone, check does not run" "make check +no: it needs $gone" \
        $(w no-$gone debian) $doctor
done
for gone in tidy git; do
    cp -R "$W/all" "$W/no-$gone"
    rm "$W/no-$gone/$gone"
    prints "without $gone, check runs, and says what it skips" \
        "^  $gone is missing: " $(w no-$gone debian) $doctor
done
cp -R "$W/all" "$W/no-notangle"
rm "$W/no-notangle/notangle"
fails_run "without noweb no page is woven" 'make book +no: it needs notangle' \
    $(w no-notangle debian) $doctor
fails_run "but check runs from tangled/" 'make check +yes' \
    $(w no-notangle debian) $doctor

# versions
cp -R "$W/all" "$W/old"
stub "$W/old" pandoc 2.9.2.1
fails_run "pandoc 2.9 is too old, and the doctor says so" \
    'version 2.9.2.1 is too old: 2.17 or newer' $(w old debian) $doctor
stub "$W/old" pandoc 2.17.1.1
prints "pandoc 2.17 will do" 'make book +yes' $(w old debian) $doctor
stub "$W/old" pandoc 3.1
prints "and pandoc 3.1" 'make book +yes' $(w old debian) $doctor
stub "$W/old" make 3.81
fails_run "make 3.81, as on macOS, will not" 'version 3.81 is too old' \
    $(w old debian) $doctor
cp -R "$W/all" "$W/mute"
printf '#!/bin/sh\n' >"$W/mute/pandoc"
fails_run "a pandoc that says no version is not trusted" \
    'make book +no: it needs pandoc' $(w mute debian) $doctor

# CUDA, in all ways in which it can be half there
cp -R "$W/gpu" "$W/odd"
cuda "$W/odd" 13.0 12.4 9.0
prints "toolkit 13, driver for 12: programs will not start" \
    'nvcc is 13.0, but the driver knows CUDA only up to 12.4' \
    $(w odd debian) $doctor
is "and the tests are not promised on the GPU" \
    "$(in_world odd debian $doctor | grep -c 'on the GPU')" 0
cuda "$W/odd" 12.4 13.0 9.0
prints "toolkit 12, driver for 13: fine" 'nvcc 12.4, and on the GPU' \
    $(w odd debian) $doctor
cuda "$W/odd" 13.0 13.0 7.0
prints "toolkit 13 and a Volta: it does not compile for it" \
    'does not compile for compute capability 7.0' $(w odd debian) $doctor
cuda "$W/odd" 13.0 13.0 7.5
prints "toolkit 13 and a Turing: fine" 'and on the GPU' $(w odd debian) $doctor
cuda "$W/odd" 13.0 13.0 12.0
prints "toolkit 13 and capability 12.0: fine" 'and on the GPU' \
    $(w odd debian) $doctor
cuda "$W/odd" 12.4 12.4 6.1
prints "toolkit 12 and a Pascal: fine" 'and on the GPU' $(w odd debian) $doctor
cuda "$W/odd" 13.0 13.0 9.0
printf '#!/bin/sh\necho "unsupported GNU version" >&2\nexit 1\n' >"$W/odd/nvcc"
prints "an nvcc that cannot compile is not counted" \
    'nvcc cannot compile an empty file' $(w odd debian) $doctor
cuda "$W/odd" 13.0 13.0 9.0
printf '#!/bin/sh\necho "Driver/library version mismatch"\nexit 18\n' \
    >"$W/odd/nvidia-smi"
prints "an nvidia-smi that fails is quoted" \
    'nvidia-smi is here, but says: Driver/library version mismatch' \
    $(w odd debian) $doctor

os "$W/wsl" ubuntu debian
mkdir -p "$W/wsl/dev"
: >"$W/wsl/dev/dxg"
prints "WSL2 without a driver: install it in Windows" "driver in Windows" \
    $(w all wsl) $doctor
os "$W/loaded" debian
mkdir -p "$W/loaded/proc/driver/nvidia" "$W/loaded/usr/local/cuda/bin"
: >"$W/loaded/proc/driver/nvidia/version"
printf 'EnableMSI: 1\nRmProfilingAdminOnly: 1\n' \
    >"$W/loaded/proc/driver/nvidia/params"
prints "a driver without nvidia-smi" 'nvidia-smi is not on the PATH' \
    $(w all loaded) $doctor
prints "counters for root only" 'counters are for root only' \
    $(w all loaded) $doctor
cp "$W/gpu/nvcc" "$W/loaded/usr/local/cuda/bin/nvcc"
prints "an nvcc in /usr/local/cuda that is not on the PATH is found" \
    'nvcc +13.0 in .*/usr/local/cuda/bin, not on the PATH' \
    $(w all loaded) $doctor
prints "a stubs folder on LD_LIBRARY_PATH" 'has a stubs folder' \
    env -i PATH="$W/all" DOCTOR_ROOT="$W/debian" \
    LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs "$sh" $doctor

fails_run "an unknown argument is refused" 'unknown argument "now"' \
    $(w all debian) $doctor now
prints "--help" 'Usage: ' $(w all debian) $doctor --help
mkdir -p "$W/alone"
cp $doctor $deps "$W/alone/"
fails_run "without its list the doctor does not find everybody healthy" \
    'packages.txt is missing' $(w all debian) "$W/alone/doctor.sh"

# ---- make deps -------------------------------------------------------------------
prints "deps: nothing to do" 'nothing is missing for: book check' \
    $(w all debian) $deps
prints "deps: nothing to do for all goals" 'nothing is missing for: book check epub pdf' \
    $(w all debian) $deps book check epub pdf figures more
fails_run "deps: an unknown goal is refused" 'unknown goal "buk"' \
    $(w all debian) $deps buk
prints "deps -n: says what it would run" 'apt-get update' \
    $(w bare-apt debian) $deps -n 2>/dev/null || :
fails_run "deps on Fedora: prints the line, and cannot go on" 'dnf install' \
    $(w bare fedora) $deps check
prints "deps on Fedora with only tidy missing: prints, and goes on" \
    'going on without tidy' $(w no-tidy fedora) $deps check
prints "deps check asks for no TeX" 'nothing is missing' $(w all debian) $deps check
