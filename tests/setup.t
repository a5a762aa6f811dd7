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
        '#'* | '' | = | *:*) ;;
        *) stub "$1" "${what%%>*}" 9.9.9 ;;
        esac
    done <"$S/packages.txt"
    stub "$1" kpsewhich 1.0
    stub "$1" python3 3.9
    stub "$1" cc 9.9.9
    { echo '#!/bin/sh'
      sed -n 's,^font:\([^ ]*\).*,echo "/f/\1.ttf: a font",p' "$S/packages.txt"
    } >"$1/fc-list"
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
    'make check +yes: on Loom, compiled by nvcc 13.0, and on the GPU' \
    $(w gpu debian) $doctor
in_world gpu debian $doctor >"$tap_tmp/said"
is "everything and a GPU: five goals run" \
    "$(grep -c '^  make [a-z]* *yes' "$tap_tmp/said")" 5
is "everything and a GPU: nothing is left out or missing" \
    "$(grep -c 'left out\|missing\|How to get' "$tap_tmp/said")" 0
prints "no nvcc, no driver: the tests run on Loom" \
    'make check +yes: on Loom$' $(w all debian) $doctor
prints "no nvcc: said, with what it costs" 'nvcc is missing: \.cu files are' \
    $(w all debian) $doctor
prints "no driver: said" 'no NVIDIA driver' $(w all debian) $doctor
fails_run "nothing but git and make: not well, and says what check needs" \
    'make check +no: it needs gcc g\+\+ prove$' $(w bare debian) $doctor
fails_run "nothing but git and make: the line for Debian" \
    '^  apt-get install --no-install-recommends gcc g\+\+ perl libopenblas-dev libfftw3-dev zlib1g-dev noweb pandoc tidy$' \
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

for pair in Darwin:container MINGW64_NT-10.0:WSL2; do
    cp -R "$W/bare" "$W/${pair%%:*}"
    printf '#!/bin/sh\necho %s\n' "${pair%%:*}" >"$W/${pair%%:*}/uname"
    chmod +x "$W/${pair%%:*}/uname"
    fails_run "on ${pair%%:*} the ${pair#*:} is the way" "use .*${pair#*:}" \
        $(w "${pair%%:*}" none) $doctor
done

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
prints "without noweb the book is woven still" 'make book +yes' \
    $(w no-notangle debian) $doctor
prints "and check runs from tangled/" 'make check +yes' \
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
prints "and the tests are not promised on the GPU" \
    'make check +yes: on Loom, compiled by nvcc 13.0$' \
    $(w odd debian) $doctor
cuda "$W/odd" 12.4 13.0 9.0
prints "toolkit 12, driver for 13: fine" 'nvcc 12.4, and on the GPU' \
    $(w odd debian) $doctor
cuda "$W/odd" 13.0 13.0 7.0
prints "E49: toolkit 13 and a Volta: the doctor says that they do not fit" \
    'does not compile for compute capability 7.0' $(w odd debian) $doctor
if have nvcc; then
    case $("${NVCC:-nvcc}" --version | sed -n 's/.*release \([0-9]*\).*/\1/p') in
    1[0-2] | [1-9]) skip "E49: nvcc 13 begins at 7.5" "needs a toolkit 13" ;;
    *) is "E49: the oldest architecture that this nvcc compiles for is 7.5" \
        "$("${NVCC:-nvcc}" --list-gpu-arch | sort -V | head -n 1)" compute_75 ;;
    esac
else
    skip "E49: nvcc 13 begins at 7.5" "needs nvcc"
fi
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
fails_run "deps on Fedora: prints the line, and cannot go on" 'dnf install' \
    $(w bare fedora) $deps check
prints "deps on Fedora with only tidy missing: prints, and goes on" \
    'going on without tidy' $(w no-tidy fedora) $deps check
prints "deps check asks for no TeX" 'nothing is missing' $(w all debian) $deps check

# an apt-get that notes what it is asked, and puts stubs where they are looked for
cp -R "$W/bare" "$W/apt"
cat >"$W/apt/apt-get" <<END
#!$sh
echo "apt-get \$*" >>"$W/asked"
[ "\$1" = update ] && exit "\$(/bin/cat "$W/update-status")"
for p in gcc cc g++ prove notangle tidy; do
    printf '#!/bin/sh\necho "%s 9.9"\n' "\$p" >"$W/apt/\$p"
    /bin/chmod +x "$W/apt/\$p"
done
printf '#!/bin/sh\necho "pandoc %s"\n' "\$(/bin/cat "$W/pandoc-version")" >"$W/apt/pandoc"
/bin/chmod +x "$W/apt/pandoc"
END
printf '#!/bin/sh\necho 0\n' >"$W/apt/id"
ln -sf "$(command -v env)" "$W/apt/env"
chmod +x "$W/apt/apt-get" "$W/apt/id"
echo 0 >"$W/update-status"
: >"$W/asked"
echo 3.1 >"$W/pandoc-version"
cp -R "$W/apt" "$W/apt0"

prints "deps -n: says what it would install" \
    '^  apt-get install --no-install-recommends -y gcc g\+\+ perl libopenblas-dev libfftw3-dev zlib1g-dev noweb pandoc tidy$' \
    $(w apt debian) $deps -n
is "deps -n: and does nothing" "$(cat "$W/asked" 2>/dev/null)" ""
prints "deps: says it first, then does it" 'two lines install it' \
    $(w apt debian) $deps book check
is "deps: apt-get is asked for exactly that" "$(cat "$W/asked")" \
    "apt-get update -q
apt-get install --no-install-recommends -y gcc g++ perl libopenblas-dev libfftw3-dev zlib1g-dev noweb pandoc tidy"
prints "deps: the second time there is nothing to do" 'nothing is missing' \
    $(w apt debian) $deps book check

rm -rf "$W/apt"
cp -R "$W/apt0" "$W/apt"
echo 2.9.2.1 >"$W/pandoc-version"
fails_run "deps: a distribution whose pandoc is too old is found out" \
    'cannot go on without pandoc' $(w apt ubuntu) $deps book
rm -rf "$W/apt"
cp -R "$W/apt0" "$W/apt"
echo 3.1 >"$W/pandoc-version"
echo 100 >"$W/update-status"
prints "deps: without a network it tries with the lists there are" \
    'apt-get update failed' $(w apt debian) $deps book check
echo 0 >"$W/update-status"

rm -rf "$W/apt"
cp -R "$W/apt0" "$W/apt"
printf '#!/bin/sh\necho 1000\n' >"$W/apt/id"
: >"$W/asked"
fails_run "deps: without root and sudo it prints the line" \
    '^  sudo apt-get install .* noweb' $(w apt debian) $deps book check
is "deps: and runs nothing" "$(cat "$W/asked")" ""
printf '#!/bin/sh\necho sudo >>"%s"\nexec "$@"\n' "$W/asked" >"$W/apt/sudo"
chmod +x "$W/apt/sudo"
prints "deps: with sudo it says so, and uses it" '^  sudo apt-get update' \
    $(w apt debian) $deps book check
is "deps: sudo is used twice" "$(grep -c '^sudo$' "$W/asked")" 2

# ---- the data ----------------------------------------------------------------------
data=$S/data.sh
mkdir -p "$W/mnist" "$W/wrong"
fails_run "data: a folder without the files is refused, and nothing is fetched" \
    'has no train-images-idx3-ubyte' sh $data "$W/mnist"
for f in train-images train-labels t10k-images t10k-labels; do
    case $f in *images) f=$f-idx3-ubyte ;; *) f=$f-idx1-ubyte ;; esac
    echo "not $f" >"$W/wrong/$f"
    gzip -c "$W/wrong/$f" >"$W/wrong/$f.gz"
done
fails_run "data: files with other contents are refused" 'with SHA-256 ba89' \
    sh $data "$W/wrong"
# where there is no curl, a stub that knows file:// and nothing of resuming
mkdir -p "$W/here" "$W/net"
cp $data "$W/here.sh"
if ! have curl; then
    cat >"$W/net/curl" <<'END'
#!/bin/sh
for url in "$@"; do
    [ "$last" != -o ] || out=$url
    last=$url
done
cat "${url#file://}" >"$out"
END
    chmod +x "$W/net/curl"
fi
fails_run "data: a mirror with the wrong file fails, and says so" \
    'no mirror gave train-images' \
    sh -c 'cd "$1" && PATH=$3:$PATH MIRRORS="file://$2" sh ../here.sh' \
    $data "$W/here" "$W/wrong" "$W/net"
ok_run "data: and leaves no half a file behind" \
    sh -c 'test -z "$(find "$1" -type f)"' $data "$W/here"
if have curl && [ -f "${MNIST_DIR-}/t10k-images-idx3-ubyte.gz" ]; then
    MNIST_DIR=$(cd "$MNIST_DIR" && pwd)
    mkdir -p "$W/good/data/mnist"
    for f in "$MNIST_DIR"/*idx?-ubyte.gz; do ln -s "$f" "$W/good/"; done
    head -c 1000 "$MNIST_DIR/t10k-images-idx3-ubyte.gz" \
        >"$W/good/data/mnist/t10k-images-idx3-ubyte.gz.part"
    printf 'rubbish' >"$W/good/data/mnist/t10k-labels-idx1-ubyte.gz.part"
    cp $data "$W/good/"
    ok_run "data: fetched, resumed where it was cut, begun anew where wrong" \
        sh -c "cd $W/good && MIRRORS='file://$W/wrong file://$W/good' sh ./data.sh" $data
    prints "data: and the second time only verified" 't10k-labels.* is right' \
        sh -c "cd $W/good && MIRRORS=none sh ./data.sh" $data
else
    skip "data: fetched and resumed" "needs curl and MNIST_DIR"
fi

# ---- what the pages promise -----------------------------------------------------------
if have python3; then
    ok "the notebook is JSON" python3 -m json.tool tangled/setup/colab.ipynb
else
    skip "the notebook is JSON" "needs python3"
fi
ok "the notebook uses the two lines" sh -c \
    'grep -q "make deps check\"" tangled/setup/colab.ipynb &&
     grep -q "make deps book\"" tangled/setup/colab.ipynb'
is "the Containerfile runs the two lines and no other make" \
    "$(sed -n 's/^RUN \(make.*\)/\1/p' Containerfile)" "make deps book
make deps check"

# the chapter's lines for other distributions against what the list makes of them
mkdir -p "$W/empty"
for pair in fedora:dnf arch:pacman suse:zypper; do
    is "the chapter's line for ${pair%:*} is the list's" \
        "$(sed -n "/^sudo ${pair#*:} /p" book/A-setup.md)" \
        "$(in_world empty "${pair%:*}" $deps -n book check | sed -n 's/^  sudo/sudo/p')"
done

# every `make goal` of README, CONTRIBUTING and this appendix is a goal
grep -oh 'make [a-z][a-z ]*' README.md CONTRIBUTING.md book/A-setup.md Containerfile |
    sed 's/^make //' | tr ' ' '\n' | sort -u >"$tap_tmp/goals"
sed -n 's/^\([a-z][a-z -]*\):.*/\1/p' Makefile tangled/weave/*.mk 2>/dev/null |
    tr ' ' '\n' | sort -u >"$tap_tmp/known"
for goal in deps book pdf epub check tangle lint help data format; do
    if grep -qx "$goal" "$tap_tmp/goals"; then
        ok "make $goal, which README or CONTRIBUTING name, is there" \
            grep -qx "$goal" "$tap_tmp/known"
    fi
done
is "README's table of states is book/toc.txt's" \
    "$(sed -n 's/^| \([0-9A-Z]*[a-z]*\) | \(.*\) | \(written\|begun\|planned\) |$/\1 \3 \2/p' README.md)" \
    "$(awk '!/^(#|part |$)/ { n = $1; st = $3; sub(/^[^ ]* [^ ]* [^ ]* /, "")
        print n, st, $0 }' book/toc.txt)"
for file in $(sed -n 's/.*](\([A-Za-z][^):#]*\)).*/\1/p' README.md CONTRIBUTING.md); do
    ok "$file, to which a page of the house links, is there" test -e "$file"
done

transcripts setup
done_testing
