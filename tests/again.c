/* again.c: run a program's main several times in one process, with the arguments of
   each line of AGAIN. Preloaded into the test programs for a GPU, whose time goes into
   beginning: a context of CUDA takes some tenths of a second. The first main that does
   not return 0 ends the process with its status and says with which arguments. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int program(int, char **, char **);
static program *program_main;
static const char *line = ""; /* what is being run */
static int done;

static void tell(void)
{
    if (!done)
        fprintf(stderr, "with the arguments %s\n", line);
}

static int again(int argc, char **argv, char **env)
{
    char *rest = strdup(getenv("AGAIN"));
    int status = 0;

    (void)argc;
    unsetenv("AGAIN");
    atexit(tell); /* main may exit */
    while (status == 0 && (line = strsep(&rest, "\n")) != NULL) {
        char *words = strdup(line), *word, *v[64] = {argv[0]};
        int n = 1;

        while (n < 63 && (word = strsep(&words, " ")) != NULL)
            if (*word != '\0')
                v[n++] = word;
        status = program_main(n, v, env);
    }
    done = status == 0;
    return status;
}

int __libc_start_main(program *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*ld)(void), void *stack)
{
    int (*start)(program *, int, char **, void (*)(void), void (*)(void),
                 void (*)(void), void *) = dlsym(RTLD_NEXT, "__libc_start_main");

    program_main = main;
    return start(getenv("AGAIN") ? again : main, argc, argv, init, fini, ld, stack);
}
