/* asm.h: PTX that a program writes itself. C11 and C++17. */
#ifndef LOOM_ASM_H
#define LOOM_ASM_H

#include <stdint.h>
#ifdef __cplusplus
#include <string.h>
extern "C" {
#endif

struct loom_operand {
    const char *name, *how; /* [name] and "=r" */
    uint64_t bits;
    void *at; /* of an output; it may be written until it is waited for */
};
/* Does what the text says; fails at an instruction that Loom does not know. */
void loom_ptx(const char *text, struct loom_operand *o, int n, const char *file,
              int line);

#ifdef __cplusplus
}

/* pass operands */
template <class T>
struct loom_operand_of : loom_operand {
    loom_operand_of(const char *name, const char *how, T *p)
        : loom_operand{name, how, 0, p}
    {
        if (how[0] == '+')
            memcpy(&bits, p, sizeof *p);
    }
};
template <class T>
static inline auto loom_out(const char *name, const char *how, T &x)
{
    return loom_operand_of<T>(name, how, &x);
}
template <class T>
static inline auto loom_in(const char *name, const char *how, T x)
{
    struct loom_operand o = {name, how, 0, nullptr};

    memcpy(&o.bits, &x, sizeof x);
    return o;
}
template <class T>
static inline void loom_give(const loom_operand &o,
                             const loom_operand_of<T> &to)
{
    memcpy(to.at, &o.bits, sizeof(T));
}
static inline void loom_give(const loom_operand &, const loom_operand &)
{
}
struct loom_place { /* the line of a call */
    const char *file;
    int line;

    loom_place(const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : file(file), line(line)
    {
    }
};
template <class... O>
static inline void loom_inline_ptx(loom_place at, const char *text, O... o)
{
    struct loom_operand all[] = {o..., {nullptr, "", 0, nullptr}};
    int i = 0;

    loom_ptx(text, all, (int)sizeof...(O), at.file, at.line);
    (loom_give(all[i++], o), ...);
}
#endif
#endif
