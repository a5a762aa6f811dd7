/* peer.h: a program that answers each line with a line. C11 and C++17; POSIX. */
#ifndef RACE_PEER_H
#define RACE_PEER_H

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tour/check.h"

/* hold a peer */
struct peer {
    FILE *to, *from; /* NULL: there is no peer, or it is gone */
    pid_t pid;
    char said[500]; /* its last answer */
};

/* start and stop a peer */
/* Runs a command of the shell. An empty one: no peer. */
static inline struct peer peer_start(const char *command)
{
    struct peer p = {};
    int in[2], out[2];

    if (*command == '\0')
        return p;
    signal(SIGPIPE, SIG_IGN); /* a peer that is gone is noticed by its answer */
    CHECK(pipe(in) == 0 && pipe(out) == 0, "no pipe for the peer");
    fflush(stdout);
    p.pid = fork();
    CHECK(p.pid >= 0, "no process for the peer");
    if (p.pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    p.to = fdopen(in[1], "w");
    p.from = fdopen(out[0], "r");
    CHECK(p.to && p.from, "no streams for the peer");
    return p;
}

static inline void peer_stop(struct peer *p)
{
    if (p->to == NULL)
        return;
    fclose(p->to);
    fclose(p->from);
    waitpid(p->pid, NULL, 0);
    p->to = p->from = NULL;
}

/* ask a peer */
/* Sends a line and reads one. Returns what stands in the answer behind `word`,
   or NULL when it begins with another word: what it is stands in p->said. */
__attribute__((format(printf, 3, 4))) static inline const char *
peer_ask(struct peer *p, const char *word, const char *fmt, ...)
{
    size_t n = strlen(word);
    va_list list;

    snprintf(p->said, sizeof p->said, "there is no peer");
    if (p->to == NULL)
        return NULL;
    va_start(list, fmt);
    vfprintf(p->to, fmt, list);
    va_end(list);
    fputc('\n', p->to);
    fflush(p->to);
    if (fgets(p->said, sizeof p->said, p->from) == NULL) {
        peer_stop(p);
        snprintf(p->said, sizeof p->said, "the peer is gone");
        return NULL;
    }
    p->said[strcspn(p->said, "\n")] = '\0';
    return strncmp(p->said, word, n) == 0 && p->said[n] == ' ' ? p->said + n + 1
                                                               : NULL;
}

#endif
