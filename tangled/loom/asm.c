/* asm.c: PTX that a program writes itself, one instruction after another. */
#include <ctype.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/asm.h"
#include "loom/async.h"
#include "loom/block.h"
#include "loom/cluster.h"
#include "loom/cuda_runtime_api.h"
#include "loom/loom_int.h"
#include "loom/matrix.h"
#include "loom/warp.h"
#include "loom/warpgroup.h"
#include "loom/watch.h"

/* read the text of an asm */
enum { STATEMENTS = 64, REGISTERS = 64, OPERANDS = 8, PARTS = 24 };

struct statement {
    char name[16]; /* of the instruction, up to its first point */
    const char *op, *label, *guard, *arg[OPERANDS];
    int args, not ;
};

struct program { /* an asm that has been read */
    const char *from;
    struct program *next;
    char text[8192];
    struct statement statement[STATEMENTS];
    int statements;
};

struct ptx { /* one asm of one thread */
    struct loom_operand *o;
    int n;
    struct loom_site site;
    struct {
        char name[32];
        uint64_t bits;
    } reg[REGISTERS];
    int regs;
    const char *name, *op, *arg[PARTS]; /* of the current statement */
    int args;
};

_Noreturn static void refuse(struct ptx *p, const char *what)
{
    loom_fail(p->site, cudaErrorLaunchFailure,
              "Loom does not know this PTX so far: %s", what);
}

static char *trim(char *s)
{
    char *e;

    while (isspace((unsigned char)*s))
        s++;
    e = s + strlen(s);
    while (e > s && isspace((unsigned char)e[-1]))
        *--e = 0;
    return s;
}

/* split the text of an asm */

/* split a statement */
static void split(struct ptx *p, struct statement *t, char *s)
{
    int depth = 0;
    size_t n = strlen(s);

    if (s[n - 1] == ':') {
        s[n - 1] = 0;
        t->label = s;
        return;
    }
    if (*s == '@') {
        s = trim(s + 1);
        t->not = *s == '!';
        t->guard = s + t->not ;
        s += strcspn(s, " \t\n");
        if (*s)
            *s++ = 0;
        s = trim(s);
    }
    t->op = s;
    n = strcspn(s + 1, ". \t\n") + 1;
    memcpy(t->name, s, n < sizeof t->name ? n : sizeof t->name - 1);
    s += strcspn(s, " \t\n");
    if (!*s)
        return;
    *s++ = 0;
    t->arg[t->args++] = s;
    for (; *s; s++) {
        depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
        if (*s == ',' && depth == 0) {
            *s = 0;
            if (t->args == OPERANDS)
                refuse(p, t->op);
            t->arg[t->args++] = s + 1;
        }
    }
    for (int i = 0; i < t->args; i++)
        t->arg[i] = trim((char *)t->arg[i]);
}

/* Splits the text at semicolons, braces of blocks and labels. */
static void read_text(struct ptx *p, struct program *all, const char *text)
{
    char *out = all->text, *begin = out;
    int inside = 0; /* braces of an operand */

    for (const char *s = text;; s++) {
        int end =
            *s == 0 || *s == ';' || (*s == ':' && s[1] != ':' && s[-1] != ':');
        char *first;

        if (s[0] == '/' && s[1] == '/')
            while (*s && *s != '\n')
                s++;
        if (out - all->text > (long)sizeof all->text - 4)
            refuse(p, "an asm of more than 8 KB");
        *out = 0;
        first = begin;
        while (isspace((unsigned char)*first))
            first++;
        if (*s == '{' && *first == 0 && !inside)
            continue;
        if (*s == '}' && *first == 0 && !inside)
            continue;
        inside += (*s == '{') - (*s == '}');
        if (!end) {
            *out++ = *s;
            continue;
        }
        if (*s == ':')
            *out++ = ':';
        *out++ = 0;
        begin = trim(begin);
        if (*begin && all->statements == STATEMENTS)
            refuse(p, "an asm of so many instructions");
        if (*begin)
            split(p, &all->statement[all->statements++], begin);
        begin = out;
        if (*s == 0)
            break;
    }
}

/* keep what a text says */
/* What a text says; the text is a constant of the program, known by its address. */
static const struct program *program_of(struct ptx *p, const char *text)
{
    static struct program *known[256]; /* (atomic) */
    struct program **bucket = &known[((uintptr_t)text >> 3) % 256], *all;

    for (all = __atomic_load_n(bucket, __ATOMIC_ACQUIRE); all; all = all->next)
        if (all->from == text)
            return all;
    all = calloc(1, sizeof *all);
    if (!all)
        abort();
    all->from = text;
    read_text(p, all, text);
    all->next = __atomic_load_n(bucket, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(bucket, &all->next, all, 0,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    return all;
}

/* find registers and numbers */
static uint64_t *find(struct ptx *p, const char *name)
{
    for (int i = 0; i < p->regs; i++)
        if (strcmp(p->reg[i].name, name) == 0)
            return &p->reg[i].bits;
    return NULL;
}

static void declare(struct ptx *p, const char *names)
{
    char copy[512], *rest;

    if (strlen(names) >= sizeof copy)
        refuse(p, "an asm of so many registers");
    strcpy(copy, names);
    for (char *s = strtok_r(copy, ", \t\n", &rest); s;
         s = strtok_r(NULL, ", \t\n", &rest)) {
        char *angle = strchr(s, '<');
        int n = angle ? atoi(angle + 1) : 1;

        if (angle)
            *angle = 0;
        for (int i = 0; i < n; i++) {
            char name[48];

            snprintf(name, sizeof name, angle ? "%s%d" : "%s", s, i);
            if (find(p, name)) { /* another block's of that name */
                *find(p, name) = 0;
                continue;
            }
            if (p->regs == REGISTERS || strlen(name) > 31)
                refuse(p, "an asm of so many registers");
            strcpy(p->reg[p->regs].name, name);
            p->reg[p->regs++].bits = 0;
        }
    }
}

/* The place of %3 or %[name], or of a register; NULL: a number or the like. */
static uint64_t *place(struct ptx *p, const char *a)
{
    if (*a == '%' && isdigit((unsigned char)a[1])) {
        int i = atoi(a + 1);

        if (i >= p->n)
            refuse(p, a);
        return &p->o[i].bits;
    }
    for (int i = 0; *a == '%' && a[1] == '[' && i < p->n; i++)
        if (strncmp(p->o[i].name, a + 2, strcspn(a + 2, "]")) == 0 &&
            p->o[i].name[strcspn(a + 2, "]")] == 0)
            return &p->o[i].bits;
    while (*a == '%' && a[1] == '%')
        a++;
    return find(p, a);
}

/* evaluate operands */
static uint64_t special(struct ptx *p, const char *a)
{
    static const char *axes = "xyz";
    uint3 t = {threadIdx.x, threadIdx.y, threadIdx.z}, zero = {0, 0, 0};
    uint3 v = zero;
    const char *dot = strchr(a, '.');
    unsigned k = dot && strchr(axes, dot[1])
                     ? (unsigned)(strchr(axes, dot[1]) - axes)
                     : 0;
    unsigned lane = threadIdx.number % 32;

    while (*a == '%')
        a++;
    if (strncmp(a, "tid.", 4) == 0)
        v = t;
    else if (strncmp(a, "ntid.", 5) == 0)
        v = blockDim;
    else if (strncmp(a, "ctaid.", 6) == 0)
        v = blockIdx;
    else if (strncmp(a, "nctaid.", 7) == 0)
        v = gridDim;
    else if (strcmp(a, "laneid") == 0)
        return lane;
    else if (strcmp(a, "warpid") == 0)
        return threadIdx.number / 32;
    else if (strcmp(a, "smid") == 0)
        return loom_number();
    else if (strcmp(a, "lanemask_lt") == 0)
        return (1u << lane) - 1;
    else if (strcmp(a, "lanemask_le") == 0)
        return (2u << lane) - 1;
    else if (strcmp(a, "lanemask_eq") == 0)
        return 1u << lane;
    else if (strcmp(a, "lanemask_ge") == 0)
        return ~((1u << lane) - 1);
    else if (strcmp(a, "lanemask_gt") == 0)
        return ~((2u << lane) - 1);
    else if (strncmp(a, "globaltimer", 11) == 0 || strncmp(a, "clock", 5) == 0)
        return loom_nanoseconds();
    else if (strcmp(a, "cluster_ctarank") == 0)
        return loom_cluster_rank();
    else if (strcmp(a, "cluster_nctarank") == 0)
        return loom_cluster_size();
    else
        refuse(p, a);
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

/* evaluate an operand */
static uint64_t value(struct ptx *p, int i)
{
    const char *a = p->arg[i];
    char *end;
    uint64_t *at, v;
    int not = 0;

    if (i >= p->args)
        refuse(p, p->op);
    if (*a == '!') {
        not = 1;
        a += 1 + strspn(a + 1, " \t\n");
    }
    at = place(p, a);
    if (at)
        return not ? !*at : *at;
    if (*a == '%')
        return special(p, a);
    if (a[0] == '0' &&
        (a[1] == 'f' || a[1] == 'F' || a[1] == 'd' || a[1] == 'D'))
        return strtoull(a + 2, NULL, 16);
    v = strtoull(a, &end, 0);
    if (end == a || (*end && *end != 'U'))
        refuse(p, a);
    return v;
}

/* look at types */
static int has(const struct ptx *p, const char *part)
{
    const char *s = p->op;
    size_t n = strlen(part);

    while ((s = strstr(s, part))) {
        if ((s[n] == 0 || s[n] == '.') && (s == p->op || s[-1] == '.'))
            return 1;
        s += n;
    }
    return 0;
}

/* Whether this is the instruction. */
static int is(const struct ptx *p, const char *name)
{
    return strcmp(p->name, name) == 0;
}

/* The last type of an instruction: its letter, and how many bits. */
static char type_of(const struct ptx *p, int *bits, int which)
{
    char kind = 'b';
    int n = 0;

    *bits = 32;
    for (const char *s = p->op; (s = strchr(s, '.')); s++)
        if (strchr("usbf", s[1]) && s[1] && isdigit((unsigned char)s[2]) &&
            (n++ < which || which < 0)) {
            kind = s[1];
            *bits = atoi(s + 2);
        } else if (strncmp(s, ".pred", 5) == 0) {
            *bits = 1;
        }
    return kind;
}

static uint64_t cut(uint64_t v, int bits)
{
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static int64_t widen(uint64_t v, char kind, int bits)
{
    v = cut(v, bits);
    return kind == 's' && bits < 64 && v >> (bits - 1)
               ? (int64_t)(v | ~UINT64_C(0) << bits)
               : (int64_t)v;
}

/* turn bits into numbers */
static double number(uint64_t v, int bits)
{
    float f;
    double d;

    memcpy(&f, &v, 4);
    memcpy(&d, &v, 8);
    return bits == 64 ? d : f;
}

static uint64_t bits_of(double x, int bits)
{
    float f = (float)x;
    uint64_t v = 0;

    if (bits == 64)
        memcpy(&v, &x, 8);
    else
        memcpy(&v, &f, 4);
    return v;
}

static void give(struct ptx *p, int i, uint64_t v)
{
    uint64_t *at = strcmp(p->arg[i], "_") ? place(p, p->arg[i]) : &v;

    if (!at)
        refuse(p, p->arg[i]);
    *at = v;
}

/* compute with PTX's numbers */
/* Arithmetic with up to three operands, in the rounding that is set: 1, or 0
   when it is something else. */
static int compute_rounded(struct ptx *p, int bits)
{
    double x = p->args > 1 ? number(value(p, 1), bits) : 0;
    double y = p->args > 2 && !is(p, "selp") ? number(value(p, 2), bits) : 0;
    double z = p->args > 3 ? number(value(p, 3), bits) : 0, r;

    if (is(p, "add"))
        r = x + y;
    else if (is(p, "sub"))
        r = x - y;
    else if (is(p, "mul"))
        r = x * y;
    else if (is(p, "div"))
        r = x / y;
    else if (is(p, "fma") || is(p, "mad"))
        r = bits == 64 ? fma(x, y, z) : fmaf((float)x, (float)y, (float)z);
    else if (is(p, "min"))
        r = fmin(x, y);
    else if (is(p, "max"))
        r = fmax(x, y);
    else if (is(p, "neg"))
        r = -x;
    else if (is(p, "abs"))
        r = fabs(x);
    else if (is(p, "sqrt"))
        r = sqrt(x);
    else if (is(p, "rsqrt"))
        r = 1 / sqrt(x);
    else if (is(p, "rcp"))
        r = 1 / x;
    else if (is(p, "ex2"))
        r = exp2(x);
    else if (is(p, "lg2"))
        r = log2(x);
    else if (is(p, "sin"))
        r = sin(x);
    else if (is(p, "cos"))
        r = cos(x);
    else if (is(p, "tanh"))
        r = tanh(x);
    else
        return 0;
    if (has(p, "sat"))
        r = r > 0 ? fmin(r, 1) : 0;
    give(p, 0, bits_of(r, bits));
    return 1;
}

/* round as PTX asks */
static int compute_floats(struct ptx *p, int bits)
{
    int mode = has(p, "rz")   ? FE_TOWARDZERO
               : has(p, "rm") ? FE_DOWNWARD
               : has(p, "rp") ? FE_UPWARD
                              : FE_TONEAREST;
    int done;

    if (mode == FE_TONEAREST)
        return compute_rounded(p, bits);
    fesetround(mode);
    done = compute_rounded(p, bits);
    fesetround(FE_TONEAREST);
    return done;
}

/* compute with PTX's bits */
static uint64_t permute(uint64_t a, uint64_t b, uint64_t which)
{
    uint64_t all = b << 32 | (a & 0xffffffff), r = 0;

    for (int i = 0; i < 4; i++) {
        uint64_t byte = all >> 8 * (which >> 4 * i & 7) & 255;

        r |= (which >> 4 * i & 8 ? (byte >> 7) * 255 : byte) << 8 * i;
    }
    return r;
}

/* compute with all bits */
static int compute_bits(struct ptx *p, char kind, int bits)
{
    uint64_t a = p->args > 1 ? value(p, 1) : 0,
             b = p->args > 2 ? value(p, 2) : 0;
    uint64_t c = p->args > 3 ? value(p, 3) : 0, r = 0;

    if (is(p, "and"))
        r = a & b;
    else if (is(p, "or"))
        r = a | b;
    else if (is(p, "xor"))
        r = a ^ b;
    else if (is(p, "not"))
        r = bits == 1 ? !a : ~a;
    else if (is(p, "shl"))
        r = b < (uint64_t)bits ? a << b : 0;
    else if (is(p, "shr"))
        r = (uint64_t)(kind == 's'
                           ? widen(a, kind, bits) >>
                                 (b < (uint64_t)bits ? b : (uint64_t)bits - 1)
                       : b < (uint64_t)bits ? (int64_t)(cut(a, bits) >> b)
                                            : 0);
    else if (is(p, "popc"))
        r = (uint64_t)__builtin_popcountll(cut(a, bits));
    else if (is(p, "clz"))
        r = cut(a, bits)
                ? (uint64_t)(__builtin_clzll(cut(a, bits)) - (64 - bits))
                : (uint64_t)bits;
    else if (is(p, "brev"))
        for (int i = 0; i < bits; i++)
            r |= (a >> i & 1) << (bits - 1 - i);
    else if (is(p, "prmt"))
        r = permute(a, b, c);
    else if (is(p, "lop3"))
        for (int i = 0; i < 32; i++)
            r |= (value(p, 4) >>
                      ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) &
                  1)
                 << i;
    else if (is(p, "bfe"))
        r = (b & 255) >= (uint64_t)bits || !(c & 255)
                ? 0
                : (uint64_t)widen(cut(a, bits) >> (b & 255), kind,
                                  (c & 255) + (b & 255) > (uint64_t)bits
                                      ? bits - (int)(b & 255)
                                      : (int)(c & 255));
    else if (is(p, "bfi"))
        r = (b & ~(cut(~UINT64_C(0), (int)(value(p, 4) & 255)) << c)) |
            cut(a, (int)(value(p, 4) & 255)) << c;
    else
        return 0;
    give(p, 0, cut(r, bits));
    return 1;
}

/* compute with PTX's integers */

/* compute in parts of a word */
static uint64_t compute_parts(struct ptx *p, uint64_t a, uint64_t b, uint64_t c)
{
    size_t end = strlen(p->name) - 1;
    int n = p->name[end] - '0', w = 32 / (n ? n : 1), bits;
    char td = type_of(p, &bits, 1), ta = type_of(p, &bits, 2),
         tb = type_of(p, &bits, 3);
    int64_t low = td == 's' ? -(INT64_C(1) << (w - 1)) : 0,
            high = low + (INT64_C(1) << w) - 1, sum = widen(c, td, 32);
    uint64_t all = 0;

    if ((n != 2 && n != 4) || strchr(p->arg[1], '.') ||
        strchr(p->arg[2], '.') || strchr(p->arg[0], '.'))
        refuse(p, p->op);
    for (int i = 0; i < n; i++) {
        int64_t x = widen(a >> w * i, ta, w), y = widen(b >> w * i, tb, w), r;

        if (strncmp(p->name, "vabsdiff", end) == 0)
            r = x > y ? x - y : y - x;
        else if (strncmp(p->name, "vadd", end) == 0)
            r = x + y;
        else if (strncmp(p->name, "vsub", end) == 0)
            r = x - y;
        else if (strncmp(p->name, "vmin", end) == 0)
            r = x < y ? x : y;
        else if (strncmp(p->name, "vmax", end) == 0)
            r = x > y ? x : y;
        else
            refuse(p, p->op);
        if (has(p, "sat"))
            r = r < low ? low : r > high ? high : r;
        all |= cut((uint64_t)r, w) << w * i;
        sum += widen((uint64_t)r, td, w);
    }
    return has(p, "add") ? (uint64_t)sum : all;
}

static uint64_t dot_bytes(struct ptx *p, uint64_t a, uint64_t b)
{
    int bits;
    char ta = type_of(p, &bits, 1), tb = type_of(p, &bits, 2);
    int64_t sum = 0;

    for (int i = 0; i < 4; i++)
        sum += widen(a >> 8 * i, ta, 8) * widen(b >> 8 * i, tb, 8);
    return (uint64_t)sum;
}

/* compute with a carry */
static uint64_t compute_carry(struct ptx *p, uint64_t a, uint64_t b, uint64_t c,
                              __int128 product, int bits)
{
    static __thread unsigned carry;
    int mad = is(p, "mad") || is(p, "madc");
    uint64_t x = cut(
        mad ? (uint64_t)(has(p, "hi") ? product >> bits : product) : a, bits);
    uint64_t y = cut(mad ? c : b, bits);
    unsigned in = is(p, "addc") || is(p, "subc") || is(p, "madc") ? carry : 0;
    int less = is(p, "sub") || is(p, "subc");
    unsigned __int128 all =
        less ? (unsigned __int128)x - y - in : (unsigned __int128)x + y + in;

    if (has(p, "cc"))
        carry = (unsigned)(all >> bits) & 1;
    return (uint64_t)all;
}

static int compute_integers(struct ptx *p, char kind, int bits)
{
    int64_t a = p->args > 1 ? widen(value(p, 1), kind, bits) : 0;
    int64_t b = p->args > 2 ? widen(value(p, 2), kind, bits) : 0;
    uint64_t c = p->args > 3 ? value(p, 3) : 0, r;
    __int128 all =
        kind == 's' ? (__int128)a * b
                    : (__int128)((unsigned __int128)(uint64_t)a * (uint64_t)b);

    if (has(p, "cc") || is(p, "addc") || is(p, "subc") || is(p, "madc"))
        r = compute_carry(p, (uint64_t)a, (uint64_t)b, c, all, bits);
    else if (has(p, "sat") && p->name[0] != 'v')
        return 0;
    else if (is(p, "add"))
        r = (uint64_t)a + (uint64_t)b;
    else if (is(p, "sub"))
        r = (uint64_t)a - (uint64_t)b;
    else if (is(p, "mul") || is(p, "mad"))
        r = (uint64_t)(has(p, "hi") ? all >> bits : all) + c;
    else if (is(p, "div") || is(p, "rem"))
        r = b == 0 ? ~UINT64_C(0)
            : is(p, "div")
                ? (uint64_t)(kind == 's' ? a / b
                                         : (int64_t)((uint64_t)a / (uint64_t)b))
                : (uint64_t)(kind == 's'
                                 ? a % b
                                 : (int64_t)((uint64_t)a % (uint64_t)b));
    else if (is(p, "min"))
        r = (uint64_t)((kind == 's' ? a < b : (uint64_t)a < (uint64_t)b) ? a
                                                                         : b);
    else if (is(p, "max"))
        r = (uint64_t)((kind == 's' ? a > b : (uint64_t)a > (uint64_t)b) ? a
                                                                         : b);
    else if (is(p, "neg"))
        r = -(uint64_t)a;
    else if (is(p, "abs"))
        r = (uint64_t)(a < 0 ? -a : a);
    else if (is(p, "mul24") || is(p, "mad24"))
        r = (uint64_t)(widen((uint64_t)a & 0xffffff, kind, 24) *
                           widen((uint64_t)b & 0xffffff, kind, 24) >>
                       (has(p, "hi") ? 16 : 0)) +
            c;
    else if (is(p, "sad"))
        r = c + (uint64_t)(a > b ? a - b : b - a);
    else if (is(p, "dp4a"))
        r = c + dot_bytes(p, (uint64_t)a, (uint64_t)b);
    else if (p->name[0] == 'v' && p->args == 4)
        r = compute_parts(p, (uint64_t)a, (uint64_t)b, c);
    else
        return 0;
    give(p, 0, cut(r, has(p, "wide") ? 2 * bits : bits));
    return 1;
}

/* compare and convert */
static void compare(struct ptx *p, char kind, int bits)
{
    int64_t a = widen(value(p, 1), kind, bits),
            b = widen(value(p, 2), kind, bits);
    double x = number(value(p, 1), bits), y = number(value(p, 2), bits);
    int less = kind == 'f'   ? x < y
               : kind == 's' ? a < b
                             : (uint64_t)a < (uint64_t)b;
    int same = kind == 'f' ? x == y : a == b;
    int more = kind == 'f' ? x > y : !less && !same;

    give(p, 0,
         (uint64_t)(has(p, "lt") || has(p, "lo")   ? less
                    : has(p, "le") || has(p, "ls") ? less || same
                    : has(p, "gt") || has(p, "hi") ? more
                    : has(p, "ge") || has(p, "hs") ? more || same
                    : has(p, "eq")                 ? same
                    : has(p, "ne")                 ? !same
                                                   : (refuse(p, p->op), 0)));
}

/* cvt.to.from */
static void convert(struct ptx *p)
{
    int to, from;
    char a = type_of(p, &to, 1), b = type_of(p, &from, 2);
    uint64_t v = value(p, 1);
    double x = b == 'f'   ? number(v, from)
               : b == 's' ? (double)widen(v, b, from)
                          : (double)cut(v, from);

    if (has(p, "tf32") || to < 8 || (a == 'f' && to < 32) ||
        (b == 'f' && from < 32))
        refuse(p, p->op);
    if (b == 'f' &&
        (has(p, "rni") || has(p, "rzi") || has(p, "rmi") || has(p, "rpi")))
        x = has(p, "rni")   ? nearbyint(x)
            : has(p, "rzi") ? trunc(x)
            : has(p, "rmi") ? floor(x)
                            : ceil(x);
    if (a == 'f')
        give(p, 0, bits_of(x, to));
    else if (b == 'f')
        give(p, 0, cut(a == 's' ? (uint64_t)(int64_t)x : (uint64_t)x, to));
    else
        give(p, 0, cut((uint64_t)widen(v, b, from), to));
}

/* reach memory from PTX */
/* [address + 8]: of generic, global or shared memory. */
static char *address(struct ptx *p, int i)
{
    char copy[256], *a = copy, *plus, *end;
    uint64_t *at;
    long offset = 0;

    if (i >= p->args || p->arg[i][0] != '[' || strlen(p->arg[i]) > 255)
        refuse(p, p->op);
    strcpy(copy, p->arg[i] + 1);
    a = trim(copy);
    end = strchr(a, '%') == a && a[1] == '[' ? strchr(strchr(a, ']') + 1, ']')
                                             : strrchr(a, ']');
    if (end)
        *end = 0;
    plus = strchr(a, '+');
    if (plus) {
        *plus = 0;
        offset = strtol(trim(plus + 1), NULL, 0);
    }
    a = trim(a);
    at = place(p, a);
    if (!at)
        refuse(p, a);
    if (strstr(p->op, ".shared"))
        return (char *)loom_from_shared((unsigned)*at) + offset;
    return (char *)(uintptr_t)*at + offset;
}

static void touch(struct ptx *p, const void *a, size_t size, int how)
{
    if (loom_hooks && loom_hooks->access)
        loom_hooks->access(loom_current, a, size, how, p->site);
}

/* The names in {a, b, c, d}, or the one. */
static int elements(struct ptx *p, int i, char *name[8], char *copy)
{
    char *rest;
    int n = 0;

    if (strlen(p->arg[i]) > 255)
        refuse(p, p->op);
    strcpy(copy, p->arg[i]);
    for (char *s = strtok_r(copy, "{}, \t\n", &rest); s && n < 8;
         s = strtok_r(NULL, "{}, \t\n", &rest))
        name[n++] = s;
    return n;
}

/* load and store from PTX */
static int is_strong(struct ptx *p)
{
    return has(p, "relaxed") || has(p, "acquire") || has(p, "release") ||
                   has(p, "acq_rel") || has(p, "volatile") || has(p, "mmio")
               ? LOOM_STRONG
               : 0;
}

/* ld, ldu, st; with vectors and cache operators. */
static void move(struct ptx *p, int store)
{
    char copy[256], *name[8], kind;
    int bits, n = elements(p, store ? 1 : 0, name, copy);
    char *a = address(p, store ? 0 : 1);

    kind = type_of(p, &bits, -1);
    if ((uintptr_t)a % ((size_t)bits / 8 * (size_t)n))
        loom_fail(p->site, cudaErrorMisalignedAddress,
                  "misaligned address: %s of %d bytes", p->op, bits / 8 * n);
    if (has(p, "release"))
        loom_fence(p->site.file, p->site.line);
    touch(p, a, (size_t)(bits / 8 * n),
          (store ? LOOM_WRITE : LOOM_READ) | is_strong(p));
    for (int i = 0; i < n; i++, a += bits / 8) {
        uint64_t v = 0;

        if (store) {
            p->arg[PARTS - 1] = name[i];
            p->args = PARTS;
            v = value(p, PARTS - 1);
            memcpy(a, &v, (size_t)bits / 8);
        } else {
            uint64_t *at = place(p, name[i]);

            if (!at)
                refuse(p, name[i]);
            memcpy(&v, a, (size_t)bits / 8);
            *at = kind == 's' ? (uint64_t)widen(v, kind, bits) : v;
        }
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!store && is_strong(p))
        loom_look(a, p->site.file, p->site.line);
    if (has(p, "acquire"))
        loom_fence(p->site.file, p->site.line);
}

/* change memory atomically from PTX */
/* atom and red, with 32 and 64 bits. */
static void change(struct ptx *p, int first)
{
    int bits;
    char kind = type_of(p, &bits, -1);
    void *a = address(p, first);
    uint64_t b = value(p, first + 1), old = 0, new;
    int64_t x, y;
    int done;

    if (bits < 32 || (kind == 'f' && !has(p, "add")))
        refuse(p, p->op);
    if (has(p, "release") || has(p, "acq_rel"))
        loom_fence(p->site.file, p->site.line);
    touch(p, a, (size_t)bits / 8, LOOM_UPDATE | LOOM_STRONG);
    do {
        old = bits == 64 ? __atomic_load_n((uint64_t *)a, __ATOMIC_RELAXED)
                         : __atomic_load_n((uint32_t *)a, __ATOMIC_RELAXED);
        x = widen(old, kind, bits);
        y = widen(b, kind, bits);
        new = has(p, "add")
                  ? kind == 'f'
                        ? bits_of(number(old, bits) + number(b, bits), bits)
                        : old + b
              : has(p, "exch") ? b
              : has(p, "cas")  ? old == cut(b, bits) ? value(p, first + 2) : old
              : has(p, "and")  ? old &b
              : has(p, "or")   ? old | b
              : has(p, "xor")  ? old ^ b
              : has(p, "min")
                  ? (kind == 's' ? x < y : (uint64_t)x < (uint64_t)y) ? old : b
              : has(p, "max")
                  ? (kind == 's' ? x > y : (uint64_t)x > (uint64_t)y) ? old : b
              : has(p, "inc") ? old >= b ? 0 : old + 1
              : has(p, "dec") ? old == 0 || old > b ? b : old - 1
                              : (refuse(p, p->op), 0);
        if (bits == 64) {
            done =
                __atomic_compare_exchange_n((uint64_t *)a, &old, new, 0,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        } else {
            uint32_t o = (uint32_t)old;

            done = __atomic_compare_exchange_n(
                (uint32_t *)a, &o, (uint32_t) new, 0, __ATOMIC_SEQ_CST,
                __ATOMIC_SEQ_CST);
        }
    } while (!done);
    if (has(p, "acquire") || has(p, "acq_rel"))
        loom_fence(p->site.file, p->site.line);
    if (cut(new, bits) == old)
        loom_look(a, p->site.file, p->site.line);
    if (first)
        give(p, 0, old);
}

/* meet other threads from PTX */
static void shuffle(struct ptx *p)
{
    unsigned lane = threadIdx.number % 32, by = (unsigned)value(p, 2) & 31;
    unsigned c = (unsigned)value(p, 3), seg = c >> 8 & 31;
    unsigned least = lane & seg, most = least | (c & 31 & ~seg), from;
    int in;

    if (has(p, "up"))
        in = lane >= most + by, from = lane - by;
    else if (has(p, "down"))
        in = (from = lane + by) <= most;
    else if (has(p, "bfly"))
        in = (from = lane ^ by) <= most;
    else
        in = (from = least | (by & ~seg)) <= most;
    give(p, 0,
         loom_meet(LOOM_SHUFFLE, (uint32_t)value(p, 4), value(p, 1),
                   in ? from : lane, p->site.file, p->site.line));
}

/* meet and shuffle from PTX */
/* Barriers, warps and matrices. */
static int meet(struct ptx *p)
{
    const char *f = p->site.file;
    int l = p->site.line;
    unsigned lane = threadIdx.number % 32;

    if (has(p, "bar.sync") || strncmp(p->op, "barrier.sync", 12) == 0 ||
        strncmp(p->op, "bar.sync", 8) == 0 ||
        strncmp(p->op, "barrier.cta.sync", 16) == 0) {
        if (p->args != 1 || value(p, 0) != 0)
            loom_barrier_part((unsigned)value(p, 0),
                              p->args > 1 ? (unsigned)value(p, 1)
                                          : loom_current->threads,
                              f, l);
        else
            loom_syncthreads(f, l);
    } else if (strncmp(p->op, "bar.warp.sync", 13) == 0) {
        loom_meet(LOOM_SYNC, (uint32_t)value(p, 0), 0, 0, f, l);
    } else if (strncmp(p->op, "vote.sync.ballot", 16) == 0) {
        give(p, 0,
             loom_meet(LOOM_BALLOT, (uint32_t)value(p, 2), value(p, 1) != 0, 0,
                       f, l));
    } else if (strncmp(p->op, "vote.sync.any", 13) == 0) {
        give(p, 0,
             loom_meet(LOOM_BALLOT, (uint32_t)value(p, 2), value(p, 1) != 0, 0,
                       f, l) != 0);
    } else if (strncmp(p->op, "vote.sync.all", 13) == 0) {
        give(p, 0,
             loom_meet(LOOM_BALLOT, (uint32_t)value(p, 2), value(p, 1) == 0, 0,
                       f, l) == 0);
    } else if (strncmp(p->op, "activemask", 10) == 0) {
        give(p, 0, loom_active(f, l));
    } else if (strncmp(p->op, "shfl.sync", 9) == 0) {
        shuffle(p);
    } else if (strncmp(p->op, "membar", 6) == 0 ||
               (strncmp(p->op, "fence", 5) == 0 && !has(p, "proxy"))) {
        loom_fence(f, l);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    } else if (strncmp(p->op, "barrier.cluster.arrive", 22) == 0) {
        loom_cluster_arrive(f, l);
    } else if (strncmp(p->op, "barrier.cluster.wait", 20) == 0) {
        loom_cluster_wait(f, l);
    } else if (strncmp(p->op, "nanosleep", 9) == 0) {
        loom_rest(f, l);
    } else if (strncmp(p->op, "elect.sync", 10) == 0) {
        const char *bar = strchr(p->arg[0], '|');

        loom_meet(LOOM_BALLOT, (uint32_t)value(p, 1), 0, 0, f, l);
        p->arg[0] = bar ? bar + 1 + strspn(bar + 1, " \t\n") : "_";
        give(p, 0, lane == (unsigned)__builtin_ctz((unsigned)value(p, 1)));
    } else {
        return 0;
    }
    return 1;
}

/* multiply matrices from PTX */
/* Fills eight registers of an operand in braces, or stores them. */
static int words(struct ptx *p, int i, unsigned w[8], int store)
{
    char copy[256], *name[8];
    int n = elements(p, i, name, copy);

    for (int k = 0; k < n; k++) {
        uint64_t *at = place(p, name[k]);

        if (store && !at)
            refuse(p, name[k]);
        p->arg[PARTS - 1] = name[k];
        p->args = PARTS;
        if (store)
            *at = w[k];
        else
            w[k] = (unsigned)value(p, PARTS - 1);
    }
    return n;
}

static void multiply(struct ptx *p)
{
    unsigned d[8] = {0}, a[8] = {0}, b[8] = {0}, c[8] = {0};
    int k16 = has(p, "m16n8k16"), k8 = has(p, "m16n8k8"),
        k32 = has(p, "m16n8k32");
    int element = k16 && strstr(p->op, "f32.bf16.bf16.f32")   ? LOOM_BF16
                  : k16 && strstr(p->op, "f32.f16.f16.f32")   ? LOOM_F16
                  : k8 && strstr(p->op, "f32.tf32.tf32.f32")  ? LOOM_TF32
                  : k32 && strstr(p->op, "f32.e4m3.e4m3.f32") ? LOOM_E4M3
                  : k32 && strstr(p->op, "f32.e5m2.e5m2.f32") ? LOOM_E5M2
                  : k32 && strstr(p->op, "s32.s8.s8.s32")     ? LOOM_S8
                                                              : -1;

    if (element < 0)
        refuse(p, p->op);
    words(p, 1, a, 0);
    words(p, 2, b, 0);
    words(p, 3, c, 0);
    loom_mma(element, d, a, b, c, p->site.file, p->site.line);
    words(p, 0, d, 1);
}

/* deal out rows from PTX */
static void rows(struct ptx *p, int store)
{
    unsigned d[8] = {0};
    char own[16] = {0};
    int n = has(p, "x4")   ? 4
            : has(p, "x2") ? 2
                           : 1,
        here = (int)(threadIdx.number % 32) < 8 * n;
    char *row;

    if (!has(p, "m8n8") || !has(p, "b16"))
        refuse(p, p->op);
    row = address(p, store ? 0 : 1);
    if (here)
        touch(p, row, 16, store ? LOOM_WRITE : LOOM_READ);
    if (store) {
        words(p, 1, d, 0);
        loom_stmatrix(own, n, has(p, "trans"), d, p->site.file, p->site.line);
        if (here)
            memcpy(row, own, 16);
        return;
    }
    if (here)
        memcpy(own, row, 16);
    loom_ldmatrix(d, n, has(p, "trans"), own, p->site.file, p->site.line);
    words(p, 0, d, 1);
}

/* copy and wait from PTX */
static int copy_or_wait(struct ptx *p)
{
    const char *f = p->site.file, *o = p->op;
    int l = p->site.line;

    if (strcmp(o, "cp.async.commit_group") == 0) {
        loom_commit_copies();
    } else if (strcmp(o, "cp.async.wait_group") == 0) {
        loom_wait_for_copies(value(p, 0));
    } else if (strcmp(o, "cp.async.wait_all") == 0) {
        loom_commit_copies();
        loom_wait_for_copies(0);
    } else if (strncmp(o, "cp.async.mbarrier.arrive", 24) == 0) {
        loom_copies_arrive(address(p, 0), has(p, "noinc"), f, l);
    } else if (strcmp(o, "cp.async.bulk.commit_group") == 0) {
        loom_bulk_commit();
    } else if (strncmp(o, "cp.async.bulk.wait_group", 24) == 0) {
        loom_bulk_wait(value(p, 0));
    } else if (strncmp(o, "cp.async.ca.shared", 18) == 0 ||
               strncmp(o, "cp.async.cg.shared", 18) == 0) {
        size_t size = value(p, 2);
        void *to = address(p, 0);

        p->op = "ld.global";
        loom_copy_later(to, address(p, 1), size,
                        p->args > 3 ? size - value(p, 3) : 0, f, l);
    } else if (strncmp(o, "mbarrier.init", 13) == 0) {
        loom_mbarrier_init(address(p, 0), (unsigned)value(p, 1), f, l);
    } else if (strncmp(o, "mbarrier.inval", 14) == 0) {
        loom_mbarrier_inval(address(p, 0), f, l);
    } else if (strncmp(o, "mbarrier.arrive", 15) == 0) {
        int first = p->arg[0][0] != '[', tx = has(p, "expect_tx");
        unsigned n = p->args > first + 1 ? (unsigned)value(p, first + 1) : 0;
        uint64_t t =
            loom_mbarrier_arrive(address(p, first), tx || !n ? 1 : n,
                                 tx ? n : 0, has(p, "arrive_drop"), f, l);

        if (first)
            give(p, 0, t);
    } else if (strncmp(o, "mbarrier.expect_tx", 18) == 0) {
        loom_mbarrier_expect(address(p, 0), (int)value(p, 1), f, l);
    } else if (strncmp(o, "mbarrier.try_wait", 17) == 0 ||
               strncmp(o, "mbarrier.test_wait", 18) == 0) {
        give(p, 0,
             (uint64_t)loom_mbarrier_try(address(p, 1),
                                         (unsigned)(value(p, 2) & 1), f, l));
    } else if (strncmp(o, "fence", 5) == 0) {
        loom_fence_async();
    } else {
        return 0;
    }
    return 1;
}

/* execute PTX */
static void map(struct ptx *p)
{
    int is = strstr(p->op, "shared") != NULL;
    void *there = is ? loom_from_shared((unsigned)value(p, 1))
                     : (void *)(uintptr_t)value(p, 1);

    there = loom_map(there, (unsigned)value(p, 2), p->site.file, p->site.line);
    give(p, 0, is ? loom_to_shared(there) : (uint64_t)(uintptr_t)there);
}

/* execute a statement */
static void execute(struct ptx *p)
{
    int bits;
    char kind = type_of(p, &bits, -1);
    const char *o = p->op;

    if (strncmp(o, ".reg", 4) == 0) {
        const char *names = p->arg[0] + strcspn(p->arg[0], " \t");

        for (int i = 0; i < p->args; i++)
            declare(p, i ? p->arg[i] : names);
    } else if (strncmp(o, "mov.", 4) == 0) {
        give(p, 0, value(p, 1));
    } else if (strncmp(o, "cvta", 4) == 0) {
        if (!strstr(o, "shared"))
            give(p, 0, value(p, 1));
        else if (strstr(o, ".to."))
            give(p, 0, loom_to_shared((void *)(uintptr_t)value(p, 1)));
        else
            give(p, 0,
                 (uint64_t)(uintptr_t)loom_from_shared((unsigned)value(p, 1)));
    } else if (strncmp(o, "setp.", 5) == 0) {
        compare(p, kind, bits);
    } else if (strncmp(o, "selp.", 5) == 0) {
        give(p, 0, value(p, 3) ? value(p, 1) : value(p, 2));
    } else if (strncmp(o, "cvt.", 4) == 0) {
        convert(p);
    } else if (strncmp(o, "ld.", 3) == 0 || strncmp(o, "ldu.", 4) == 0) {
        move(p, 0);
    } else if (strncmp(o, "st.", 3) == 0) {
        move(p, 1);
    } else if (strncmp(o, "atom.", 5) == 0) {
        change(p, 1);
    } else if (strncmp(o, "red.", 4) == 0 && !has(p, "async")) {
        change(p, 0);
    } else if (strncmp(o, "mma.sync", 8) == 0) {
        multiply(p);
    } else if (strncmp(o, "ldmatrix.", 9) == 0 ||
               strncmp(o, "stmatrix.", 9) == 0) {
        rows(p, o[0] == 's');
    } else if (strncmp(o, "mapa.", 5) == 0) {
        map(p);
    } else if (strcmp(o, "trap") == 0) {
        loom_trap();
    } else if (strncmp(o, "prefetch", 8) && strncmp(o, "griddepcontrol", 14) &&
               strncmp(o, "setmaxnreg", 10) && strncmp(o, "pragma", 6) &&
               !meet(p) && !copy_or_wait(p) &&
               !(kind == 'f' && bits >= 32 && compute_floats(p, bits)) &&
               !(kind != 'f' && (compute_bits(p, kind, bits) ||
                                 compute_integers(p, kind, bits)))) {
        refuse(p, o);
    }
}

/* execute an asm */
/* Whether the statement, which may have a predicate, is to be done. */
static int wanted(struct ptx *p, const struct statement *t)
{
    uint64_t *at = t->guard ? place(p, t->guard) : NULL;

    if (t->guard && !at)
        refuse(p, t->guard);
    return !at || (t->not ? !*at : *at != 0);
}

static int find_label(struct ptx *p, const struct program *all)
{
    for (int i = 0; i < all->statements; i++)
        if (all->statement[i].label &&
            strcmp(all->statement[i].label, p->arg[0]) == 0)
            return i;
    refuse(p, p->arg[0]);
}

void loom_ptx(const char *text, struct loom_operand *o, int n, const char *file,
              int line)
{
    struct ptx p;
    const struct program *all;

    p.o = o;
    p.n = n;
    p.site = (struct loom_site){file, line};
    p.regs = 0;
    all = program_of(&p, text);
    for (int i = 0; i < all->statements; i++) {
        const struct statement *t = &all->statement[i];

        if (t->label || !wanted(&p, t))
            continue;
        p.name = t->name;
        p.op = t->op;
        p.args = t->args;
        memcpy(p.arg, t->arg, sizeof t->arg);
        if (is(&p, "bra"))
            i = find_label(&p, all);
        else if (is(&p, "ret") || is(&p, "exit"))
            refuse(&p, p.op);
        else
            execute(&p);
    }
}
