/* crash: kill a program that saves, at any moment, and look at what it saved. */
#define _POSIX_C_SOURCE 200809L
#include "mnist/file.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NUMBERS = 50000 };

/* save for ever */
static void save_for_ever(const char *path, uint32_t number, int pipe)
{
    static uint32_t numbers[NUMBERS];
    struct fault why;

    for (;;) {
        struct file_new *f = file_begin(path, &why);

        number++;
        for (int i = 0; i < NUMBERS; i++)
            numbers[i] = number;
        if (f == NULL || file_put(f, numbers, sizeof numbers, &why) != 0 ||
            file_commit(f, &why) != 0 ||
            write(pipe, &number, sizeof number) != sizeof number)
            _exit(1);
    }
}

/* look at what was saved */
static uint32_t look(const char *path, uint32_t reported)
{
    uint32_t number = 0, each;
    unsigned char *bytes;
    struct fault why;
    size_t size;

    if (reported == 0 && access(path, F_OK) != 0)
        return 0; /* killed before the first was saved */
    CHECK(file_read(path, &bytes, &size, &why) == 0, "%s", why.text);
    CHECK(size == 4 * NUMBERS, "half a file: %zu bytes", size);
    for (int i = 0; i < NUMBERS; i++) {
        memcpy(&each, bytes + 4 * i, 4);
        number = i == 0 ? each : number;
        CHECK(each == number, "number %d is %u, the first %u", i, each, number);
    }
    CHECK(number >= reported, "%u was saved, %u is there", reported, number);
    free(bytes);
    return number;
}

static uint32_t kill_one(const char *path, uint32_t last, uint32_t microseconds)
{
    struct timespec wait = {0, 1000L * microseconds};
    uint32_t reported = last, number;
    int ends[2];
    pid_t child;

    CHECK(pipe(ends) == 0, "no pipe");
    child = fork();
    CHECK(child >= 0, "no child");
    if (child == 0)
        save_for_ever(path, last, ends[1]);
    close(ends[1]);
    nanosleep(&wait, NULL);
    CHECK(kill(child, SIGKILL) == 0, "the child cannot be killed");
    waitpid(child, NULL, 0);
    while (read(ends[0], &number, sizeof number) == sizeof number)
        reported = number;
    close(ends[0]);
    return look(path, reported);
}

/* kill many children */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("kills", 50, 1, 1000000),
                         ARG_TEXT("--file", "crash.bin")};
    uint64_t seed = args_parse(argc, argv, "kill a program that saves", args,
                               ARG_COUNT(args));
    uint32_t last = 0, most = 2000;

    remove(args[1].text);
    for (int64_t i = 0; i < args[0].value; i++) {
        uint32_t now = kill_one(args[1].text, last, 1 + rng_below(&seed, most));

        if (now == last && most < 500000)
            most *= 2;
        last = now;
    }
    CHECK(last > 0, "no child lived long enough to save; more kills, please");
    printf("%d kills: the file was whole each time, and never too old\n",
           (int)args[0].value);
    remove(args[1].text);
    return 0;
}
