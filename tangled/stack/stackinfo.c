/* stackinfo.c: name every layer of the CUDA stack on this machine, with its
   version and place; say what is missing, and what will start.
   Usage: stackinfo [--root DIR]   (DIR: look for files under DIR instead) */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stack/compat.h"

/* describe a layer and an answer */
enum how { ENCODED, PAIR, PROPERTY, NUMBER, NUMBER_OUT, STRING };

struct layer {
    const char *name;    /* as people say it */
    const char *stem;    /* its files are stem.so.* */
    const char *call;    /* the function that tells its version */
    enum how how;        /* and how it tells it */
    const char *without; /* what cannot be done without it */
    const char *get;     /* how to get it */
};

struct answer {
    int version[3];      /* major, minor, patch; version[0] < 0: not told */
    char text[24];       /* the version as it was written, if it was a text */
    char path[PATH_MAX]; /* the file it is in */
    char note[256];      /* what went wrong, or what else to know */
    int by_loader;       /* found without being told where */
};

/* list the layers */
static const struct layer layers[] = {
    {"libcuda", "libcuda", "cuDriverGetVersion", ENCODED,
     "no program can use a GPU", "it comes with the driver only"},
    {"NVML", "libnvidia-ml", "nvmlSystemGetDriverVersion", STRING,
     "nvidia-smi cannot run", "it comes with the driver only"},
    {"libcudart", "libcudart", "cudaRuntimeGetVersion", ENCODED,
     "programs linked to the shared runtime do not start",
     "toolkit, or pip install nvidia-cuda-runtime"},
    {"NVRTC", "libnvrtc", "nvrtcVersion", PAIR,
     "nothing compiles CUDA C++ while it runs",
     "toolkit, or pip install nvidia-cuda-nvrtc"},
    {"cuBLAS", "libcublas", "cublasGetProperty", PROPERTY,
     "no library matrix products (chapter 15)",
     "toolkit, or pip install nvidia-cublas"},
    /* list the layers of the libraries */
    {"cuFFT", "libcufft", "cufftGetProperty", PROPERTY,
     "no library Fourier transforms (chapter 18)",
     "toolkit, or pip install nvidia-cufft"},
    {"cuRAND", "libcurand", "curandGetProperty", PROPERTY,
     "no library random numbers (chapter 12)",
     "toolkit, or pip install nvidia-curand"},
    {"cuDNN", "libcudnn", "cudnnGetVersion", NUMBER,
     "no library convolutions (chapter 19)",
     "not in the toolkit: a download of its own, or pip install "
     "nvidia-cudnn-cu13"},
    {"NCCL", "libnccl", "ncclGetVersion", NUMBER_OUT,
     "no collectives between GPUs (chapter 25)",
     "not in the toolkit: a download of its own, or pip install "
     "nvidia-nccl-cu13"},
};
enum { LAYERS = sizeof layers / sizeof layers[0] };

/* list the places */
static const char *root = ""; /* --root DIR puts DIR before every path */

static const char *const places[] = {
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/lib/wsl/lib",
    "/run/opengl-driver/lib",
    "/usr/local/nvidia/lib64",
    "/usr/local/cuda*/lib64",
    "/usr/local/cuda*/targets/*/lib",
    "/opt/cuda*/lib64",
    "$CUDA_HOME/lib64",
    "$CONDA_PREFIX/lib",
    "$VIRTUAL_ENV/lib/python3*/site-packages/nvidia/*/lib",
    "$CONDA_PREFIX/lib/python3*/site-packages/nvidia/*/lib",
    "$HOME/.local/lib/python3*/site-packages/nvidia/*/lib",
    "/usr/lib/python3*/*-packages/nvidia/*/lib",
    "/usr/local/lib/python3*/*-packages/nvidia/*/lib",
    "/usr/local/cuda*/compat",
};
enum { PLACES = sizeof places / sizeof places[0] };

/* decode version numbers */

/* decode CUDA's version */
/* 12080 is CUDA 12.8. */
static void decode_cuda(int v, int version[3])
{
    version[0] = v / 1000;
    version[1] = v % 1000 / 10;
    version[2] = 0;
}

/* decode the number of cuDNN or NCCL */
/* 90100 is 9.1.0 and, in the older form, 8902 is 8.9.2. */
static void decode_number(int v, int version[3])
{
    int old = v < 10000;

    version[0] = v / (old ? 1000 : 10000);
    version[1] = v / 100 % (old ? 10 : 100);
    version[2] = v % 100;
}

/* find a version in a text */
/* Finds the first word of `line` that looks like 580.95.05; 0 when none. */
static int scan_version(const char *line, struct answer *a)
{
    int *v = a->version;
    const char *s;

    for (s = line; *s; s++)
        if ((s == line || s[-1] == ' ') && *s >= '0' && *s <= '9' &&
            sscanf(s, "%3d.%3d.%3d", &v[0], &v[1], &v[2]) >= 2) {
            snprintf(a->text, sizeof a->text, "%.*s",
                     (int)strspn(s, "0123456789."), s);
            return 1;
        }
    v[0] = -1; /* a lone number may have been read into it */
    return 0;
}

/* ask an opened library */
union call {
    void *address;
    int (*encoded)(int *);
    int (*pair)(int *, int *);
    int (*property)(int, int *); /* 0 major, 1 minor, 2 patch */
    size_t (*number)(void);
    int (*string)(char *, unsigned);
};

/* ask the management library */
/* Asks NVML for the driver's version, a string such as 580.95.05. */
static int ask_nvml(union call f, void *lib, struct answer *a)
{
    union {
        void *address;
        int (*call)(void);
    } init;
    char text[80] = "";
    int status = 0;

    init.address = dlsym(lib, "nvmlInit_v2");
    if (init.address && (status = init.call()) != 0)
        return status;
    if ((status = f.string(text, sizeof text)) == 0)
        scan_version(text, a);
    return status;
}
/* Fills in a->version; returns the library's own status, 0 when it told. */
static int ask(union call f, enum how how, void *lib, struct answer *a)
{
    int v = 0, status = 0;

    switch (how) {
    /* ask in each of the ways */
    case ENCODED:
        if ((status = f.encoded(&v)) == 0)
            decode_cuda(v, a->version);
        break;
    case PAIR:
        status = f.pair(&a->version[0], &a->version[1]);
        break;
    case PROPERTY:
        for (v = 0; v < 3 && status == 0; v++)
            status = f.property(v, &a->version[v]);
        break;
    case NUMBER:
        decode_number((int)f.number(), a->version);
        break;
    case NUMBER_OUT:
        if ((status = f.encoded(&v)) == 0)
            decode_number(v, a->version);
        break;
    case STRING:
        status = ask_nvml(f, lib, a);
        break;
    }
    return status;
}

/* open a library and ask it */
/* Opens `file` and asks for its version; every failure ends up in a->note. */
static void open_and_ask(const struct layer *l, const char *file,
                         struct answer *a)
{
    void *lib = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *why = lib ? NULL : dlerror();
    union call f;
    Dl_info where;
    int status;

    if (!lib) {
        snprintf(a->note, sizeof a->note, "does not load: %s", why);
        return;
    }
    f.address = dlsym(lib, l->call);
    if (!f.address) {
        snprintf(a->note, sizeof a->note, "has no %s: not what its name says",
                 l->call);
        return;
    }
    /* note where the library was found and what it said */
    if (dladdr(f.address, &where) && where.dli_fname)
        snprintf(a->path, sizeof a->path, "%s", where.dli_fname);
    status = ask(f, l->how, lib, a);
    if (status != 0) {
        a->version[0] = -1;
        snprintf(a->note, sizeof a->note, "%s answers with error %d%s", l->call,
                 status,
                 status == 34 ? ": it is a stub, for linking only" : "");
    }
}

/* ask in a child process */

/* ask the library that the loader chooses */
/* Tries stem.so.20 down to stem.so.1. */
static void ask_loader(const struct layer *l, struct answer *a)
{
    char name[80];
    int major;

    for (major = 20; major > 0 && !a->path[0]; major--) {
        snprintf(name, sizeof name, "%s.so.%d", l->stem, major);
        a->note[0] = '\0';
        open_and_ask(l, name, a);
    }
    a->by_loader = a->path[0] != '\0';
}
/* Asks the library in `file`, or the one the loader finds when file is NULL.
   Returns 1 when there was something to ask. */
static int probe(const struct layer *l, const char *file, struct answer *a)
{
    struct answer *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    pid_t child;

    if (told == MAP_FAILED)
        return 0;
    told->version[0] = -1;
    snprintf(told->path, sizeof told->path, "%s", file ? file : "");
    fflush(stdout); /* or the child's copy is printed as well */
    /* let the child ask, and wait for it */
    child = fork();
    if (child == 0) {
        alarm(20);
        if (file)
            open_and_ask(l, file, told);
        else
            ask_loader(l, told);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    if (child < 0 || WIFSIGNALED(status)) {
        told->version[0] = -1;
        snprintf(told->note, sizeof told->note,
                 "killed the process that opened it (signal %d)",
                 WTERMSIG(status));
    }
    *a = *told;
    munmap(told, sizeof *told);
    return a->path[0] != '\0';
}

/* collect the copies of a library */
enum { COPIES = 12 };

/* expand a place into a pattern */
/* "$HOME/x" and "libcuda" become "/root/home/me/x/libcuda.so.*". Returns 0
   when the place names a variable that is not set. */
static int expand(const char *place, const char *stem, char *to, size_t size)
{
    char name[40];
    const char *slash = strchr(place, '/'), *value = "";
    int n;

    if (place[0] == '$') {
        snprintf(name, sizeof name, "%.*s", (int)(slash - place - 1),
                 place + 1);
        value = getenv(name);
        if (!value || !*value)
            return 0;
    }
    n = snprintf(to, size, "%s%s%s/%s.so.*", root, value, slash, stem);
    return n > 0 && (size_t)n < size;
}
/* Fills found[] with the copies of a library, the loader's choice first;
   returns how many there are. */
static int collect(const struct layer *l, struct answer found[COPIES])
{
    char real[COPIES][PATH_MAX], pattern[PATH_MAX], path[PATH_MAX];
    glob_t g;
    int n = 0, p, k;
    size_t i;

    if (!*root && probe(l, NULL, &found[0]))
        n += realpath(found[0].path, real[0]) != NULL;
    for (p = 0; p < PLACES; p++) {
        if (!expand(places[p], l->stem, pattern, sizeof pattern) ||
            glob(pattern, 0, NULL, &g) != 0)
            continue;
        /* probe each file that is new */
        for (i = 0; i < g.gl_pathc && n < COPIES; i++) {
            if (!realpath(g.gl_pathv[i], path))
                continue; /* a link to nowhere */
            for (k = 0; k < n && strcmp(path, real[k]) != 0; k++)
                ;
            if (k < n)
                continue;
            snprintf(real[n], sizeof real[n], "%s", path);
            probe(l, g.gl_pathv[i], &found[n++]);
        }
        globfree(&g);
    }
    return n;
}

/* print a layer */
static void print_version(const struct answer *a, char to[40])
{
    if (a->version[0] < 0)
        snprintf(to, 40, "?");
    else if (a->text[0])
        snprintf(to, 40, "%s", a->text);
    else if (a->version[2] > 0)
        snprintf(to, 40, "%d.%d.%d", a->version[0], a->version[1],
                 a->version[2]);
    else
        snprintf(to, 40, "%d.%d", a->version[0], a->version[1]);
}

/* print a missing layer */
static void print_missing(const char *name, const char *without,
                          const char *get)
{
    printf("%-14s %-12s without it %s;\n%-27s %s\n", name, "missing", without,
           "", get);
}
static void print_layer(const char *name, const struct answer *a)
{
    char version[40];

    print_version(a, version);
    printf("%-14s %-12s %s", name, version, a->path);
    if (a->note[0])
        printf("\n%-27s %s", "", a->note);
    else if (!a->by_loader && !*root)
        printf("  (not in the loader's path)");
    printf("\n");
}

/* look for the kernel driver */
static const char *const driver_files[] = {"/proc/driver/nvidia/version",
                                           "/sys/module/nvidia/version"};

/* Reads the kernel driver's version; 0 when there is none. */
static int kernel_driver(struct answer *a)
{
    char line[256] = "";
    FILE *f = NULL;
    int i;

    memset(a, 0, sizeof *a);
    a->version[0] = -1;
    a->by_loader = 1;
    for (i = 0; i < 2 && !f; i++) {
        snprintf(a->path, sizeof a->path, "%s%s", root, driver_files[i]);
        f = fopen(a->path, "r");
    }
    /* say when there is no file of the driver */
    if (!f) {
        snprintf(a->path, sizeof a->path, "%s/dev/dxg", root);
        if (access(a->path, F_OK) != 0)
            return 0;
        snprintf(a->note, sizeof a->note,
                 "WSL: the kernel driver is Windows' own");
        return 1;
    }
    if (!fgets(line, sizeof line, f) || !scan_version(line, a))
        snprintf(a->note, sizeof a->note, "holds no version: \"%.60s\"",
                 strtok(line, "\n") ? line : "");
    fclose(f);
    return 1;
}

/* look for a compiler */

/* run a command */
/* Runs `command` and keeps the first line of its output that contains `mark`;
   1 when there is one. */
static int run(const char *command, const char *mark, char *line, int size)
{
    FILE *f = popen(command, "r");
    int found = 0;

    while (f && !found && fgets(line, size, f))
        found = strstr(line, mark) != NULL;
    if (f) {
        while (fgetc(f) != EOF)
            ; /* let it finish: a closed pipe would kill it */
        pclose(f);
    }
    return found;
}
/* Asks the program that the shell's line `find` prints for its version, which
   stands in a line with `mark`; 0 when there is none. */
static int compiler(const char *find, const char *option, const char *mark,
                    struct answer *a)
{
    char command[PATH_MAX + 64], line[256];

    memset(a, 0, sizeof *a);
    a->version[0] = -1;
    a->by_loader = 1;
    if (!run(find, "/", line, sizeof line))
        return 0;
    line[strcspn(line, "\n")] = '\0';
    snprintf(a->path, sizeof a->path, "%s", line);
    snprintf(command, sizeof command, "'%s' %s 2>&1", a->path, option);
    if (!run(command, mark, line, sizeof line) || !scan_version(line, a))
        snprintf(a->note, sizeof a->note, "does not tell its version");
    return 1;
}

static int host_compiler(struct answer *a)
{
    return compiler("command -v g++", "-dumpfullversion", ".", a);
}
static int toolkit(struct answer *a)
{
    char find[2 * PATH_MAX + 160];

    snprintf(find, sizeof find,
             "for f in %s '%s'/usr/local/cuda*/bin/nvcc "
             "'%s'/opt/cuda*/bin/nvcc; do [ -x \"$f\" ] && echo \"$f\" && "
             "break; done",
             *root ? "" : "\"$(command -v nvcc)\"", root, root);
    return compiler(find, "--version", "release ", a);
}

/* list the devices */
struct driver_calls {
    int (*init)(unsigned);
    int (*count)(int *);
    int (*name)(char *, int, int);
    int (*attribute)(int *, int, int);
};

/* Prints each device of the driver in `file`, or why there is none. */
static void print_devices(const struct driver_calls *c)
{
    int n = 0, i, major = 0, minor = 0, status = c->init(0);
    char name[128];

    if (status != 0 || c->count(&n) != 0 || n == 0)
        printf("%-14s %-12s the driver is there but finds no GPU (error %d)\n",
               "GPU", "missing", status);
    for (i = 0; i < n; i++) {
        snprintf(name, sizeof name, "?");
        c->name(name, sizeof name, i);
        c->attribute(&major, 75, i);
        c->attribute(&minor, 76, i);
        printf("%-14s %d.%-10d %s, compute capability %d.%d\n", "GPU", major,
               minor, name, major, minor);
    }
}

/* open the driver and list its devices */
static void *symbol(void *lib, const char *name)
{
    void *address = dlsym(lib, name);

    if (!address)
        _exit(1); /* we are in the child: too strange a driver to ask */
    return address;
}

static void list_devices(const char *file)
{
    struct driver_calls c;
    int status = 0;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        /* ask the driver for its devices and leave */
        void *lib = dlopen(file, RTLD_NOW);
        void *call[4];

        if (!lib)
            _exit(1);
        alarm(30);
        call[0] = symbol(lib, "cuInit");
        call[1] = symbol(lib, "cuDeviceGetCount");
        call[2] = symbol(lib, "cuDeviceGetName");
        call[3] = symbol(lib, "cuDeviceGetAttribute");
        memcpy(&c, call, sizeof c);
        print_devices(&c);
        fflush(stdout);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    if (child < 0 || status != 0)
        printf("%-14s %-12s asking the driver for devices failed\n", "GPU",
               "?");
}

/* say what will start */

/* describe what was found */
struct found {
    int kernel;      /* is there a kernel driver? */
    int kernel_v[3]; /* its version, when told */
    int driver;      /* newest CUDA the driver knows (13000), or -1 */
    int driver_v[3]; /* version in libcuda's file name, or [0] = -1 */
    int compat;      /* is libcuda from a cuda-compat package? */
    int runtime;     /* of libcudart, or -1 */
    int toolkit;     /* of nvcc, or -1 */
};

static int encode(const struct answer *a)
{
    return a->version[0] < 0 ? -1 : a->version[0] * 1000 + a->version[1] * 10;
}

/* say whether a runtime starts */
static void say_start(const char *what, int driver, int runtime)
{
    enum start s;

    if (runtime < 0)
        return;
    s = runtime_starts(driver, runtime);
    printf("CUDA %d.%d, %s: %s\n", runtime / 1000, runtime % 1000 / 10, what,
           s == START_YES ? "will start."
           : s == START_MINOR
               ? "will start (minor-version compatibility), but its PTX will "
                 "not compile here:\n  it needs a cubin for this GPU."
               : "will NOT start (error 35): update the driver, or on a "
                 "data-center GPU install cuda-compat.");
}

/* say what is wrong with the driver */
/* Says what is missing or mismatched in the driver; 1 when nothing starts. */
static int driver_is_broken(const struct found *f)
{
    const int *k = f->kernel_v, *u = f->driver_v;

    if (!f->kernel && f->driver < 0)
        printf("No driver: nothing that uses a GPU will start here. The book's "
               "programs run on\nLoom, the SIMT machine of chapter 5.\n");
    else if (f->driver < 0)
        printf("There is a kernel driver but no usable libcuda.so.1: half of "
               "the driver is missing.\nIn a container, start it with GPU "
               "support; under WSL, look in /usr/lib/wsl/lib.\n");
    else if (!f->kernel)
        printf("There is a libcuda.so.1 but no kernel driver: no GPU here, or "
               "its module is not loaded,\nor this is a container started "
               "without GPU support.\n");
    else if (!f->compat && k[0] >= 0 && u[0] >= 0 &&
             (k[0] != u[0] || k[1] != u[1] || k[2] != u[2]))
        /* complain about two halves that do not match */
        printf("The kernel driver is %d.%02d.%02d, libcuda is %d.%02d.%02d: "
               "programs\n"
               "stop with error 803. Reboot after a driver update, or use the\n"
               "libcuda that belongs to this driver.\n",
               k[0], k[1], k[2], u[0], u[1], u[2]);
    else
        return 0;
    return 1;
}
static void verdict(const struct found *f)
{
    if (driver_is_broken(f))
        return;
    if (f->compat)
        printf("libcuda is from a cuda-compat package, for data-center GPUs "
               "only (else error 804).\n");
    printf("The driver supports programs up to CUDA %d.%d.\n", f->driver / 1000,
           f->driver % 1000 / 10);
    say_start("the shared runtime found above", f->driver, f->runtime);
    say_start("what this nvcc builds", f->driver, f->toolkit);
    if (f->toolkit >= 0 && f->runtime >= 0 &&
        f->toolkit / 1000 != f->runtime / 1000)
        printf("nvcc and the shared runtime differ in their major version: do "
               "not mix them in one program.\n");
}

/* read the arguments and report each layer */

/* report the libraries */
static void read_file_version(const char *path, int v[3])
{
    char real[PATH_MAX];
    const char *so;

    if (!realpath(path, real) || !(so = strstr(real, ".so.")) ||
        sscanf(so, ".so.%d.%d.%d", &v[0], &v[1], &v[2]) < 2)
        v[0] = -1;
}

static void report_libraries(struct found *f)
{
    struct answer *found = malloc(COPIES * sizeof *found);
    int i, k, n;

    for (i = 0; found && i < LAYERS; i++) {
        n = collect(&layers[i], found);
        if (n == 0)
            print_missing(layers[i].name, layers[i].without, layers[i].get);
        for (k = 0; k < n; k++)
            print_layer(k == 0 ? layers[i].name : "", &found[k]);
        /* keep what the verdict needs */
        if (n > 0 && i == 0) {
            f->driver = encode(&found[0]);
            f->compat = strstr(found[0].path, "/compat/") != NULL;
            read_file_version(found[0].path, f->driver_v);
            if (f->driver >= 0)
                list_devices(found[0].path);
        }
        if (n > 0 && strcmp(layers[i].stem, "libcudart") == 0)
            f->runtime = encode(&found[0]);
    }
    free(found);
}
int main(int argc, char **argv)
{
    struct found f = {0, {-1, 0, 0}, -1, {-1, 0, 0}, 0, -1, -1};
    struct answer a;

    if (argc == 3 && strcmp(argv[1], "--root") == 0 &&
        access(argv[2], R_OK | X_OK) == 0 && !strchr(argv[2], '\'')) {
        root = argv[2];
    } else if (argc != 1) {
        /* explain the arguments and leave */
        int help = argc == 2 && strcmp(argv[1], "--help") == 0;

        fprintf(
            help ? stdout : stderr,
            "%susage: stackinfo [--root DIR]\n  names every layer of the CUDA "
            "stack; with --root, looks for files below DIR\n",
            help ? ""
                 : "stackinfo: cannot understand the arguments, or there is "
                   "no such folder\n");
        return help ? 0 : 2;
    }
    /* report the kernel driver, the libraries and the compilers */
    printf("%-14s %-12s %s\n", "layer", "version", "where");
    f.kernel = kernel_driver(&a);
    if (f.kernel) {
        print_layer("kernel driver", &a);
        memcpy(f.kernel_v, a.version, sizeof f.kernel_v);
    } else {
        print_missing("kernel driver", "there is no way to a GPU",
                      "it comes with NVIDIA's driver, from your distribution");
    }
    report_libraries(&f);
    if (toolkit(&a)) {
        print_layer("nvcc", &a);
        f.toolkit = encode(&a);
    } else {
        print_missing("nvcc", "no CUDA program can be compiled for a GPU",
                      "the CUDA toolkit, or pip install nvidia-cuda-nvcc");
    }
    if (host_compiler(&a))
        print_layer("host compiler", &a);
    else
        print_missing("host compiler", "nvcc cannot work", "install g++");
    printf("\n");
    verdict(&f);
    return 0;
}
