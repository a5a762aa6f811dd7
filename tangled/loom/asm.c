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
        if (s[0] == '/' && s[1] == '*' && strstr(s + 2, "*/")) {
            s = strstr(s + 2, "*/") + 1;
            continue;
        }
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
    uint3 v = zero, c = loom_cluster_shape();
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
    else if (strncmp(a, "cluster_ctaid.", 14) == 0)
        v = (uint3){blockIdx.x % c.x, blockIdx.y % c.y, blockIdx.z % c.z};
    else if (strncmp(a, "cluster_nctaid.", 15) == 0)
        v = c;
    else if (strncmp(a, "clusterid.", 10) == 0)
        v = (uint3){blockIdx.x / c.x, blockIdx.y / c.y, blockIdx.z / c.z};
    else if (strncmp(a, "nclusterid.", 11) == 0)
        v = (uint3){gridDim.x / c.x, gridDim.y / c.y, gridDim.z / c.z};
    /* evaluate a name of a lane or a warp */
    else if (strcmp(a, "laneid") == 0)
        return lane;
    else if (strcmp(a, "warpid") == 0)
        return threadIdx.number / 32;
    else if (strcmp(a, "nwarpid") == 0)
        return (loom_current->threads + 31) / 32;
    else if (strcmp(a, "WARP_SZ") == 0)
        return 32;
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
    if (*a == '%' || strcmp(a, "WARP_SZ") == 0)
        return special(p, a);
    if (a[0] == '0' &&
        (a[1] == 'f' || a[1] == 'F' || a[1] == 'd' || a[1] == 'D'))
        return strtoull(a + 2, NULL, 16);
    v = strtoull(a, &end, 0);
    if (end == a || (*end && *end != 'U'))
        refuse(p, a);
    return v;
}

/* The same of a name that is only a part of an operand. */
static uint64_t named(struct ptx *p, const char *name)
{
    int args = p->args;
    uint64_t v;

    p->arg[PARTS - 1] = name;
    p->args = PARTS;
    v = value(p, PARTS - 1);
    p->args = args;
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

/* read a type */
struct type {
    char kind;
    int bits, lanes, element; /* element: of matrix.h, or -1 */
};

/* A type of an instruction: the first is 1; -1 is the last. */
static struct type type_at(const struct ptx *p, int which)
{
    static const struct {
        const char *name;
        struct type is;
    } small[] = {
        {"f16", {'f', 16, 1, LOOM_F16}},   {"f16x2", {'f', 16, 2, LOOM_F16}},
        {"bf16", {'f', 16, 1, LOOM_BF16}}, {"bf16x2", {'f', 16, 2, LOOM_BF16}},
        {"tf32", {'f', 32, 1, LOOM_TF32}}, {"e4m3x2", {'f', 8, 2, LOOM_E4M3}},
        {"e5m2x2", {'f', 8, 2, LOOM_E5M2}}};
    struct type t = {'b', 32, 1, -1}, found = t;
    int n = 0;

    for (const char *s = p->op; (s = strchr(s, '.')); s++) {
        size_t length = strcspn(s + 1, ".");

        found.kind = 0;
        if (s[1] && strchr("usbf", s[1]) && isdigit((unsigned char)s[2]))
            found = (struct type){
                s[1], atoi(s + 2),
                s[length] == '2' && s[length - 1] == 'x' ? 2 : 1, -1};
        for (size_t i = 0; i < sizeof small / sizeof *small; i++)
            if (strlen(small[i].name) == length &&
                memcmp(small[i].name, s + 1, length) == 0)
                found = small[i].is;
        if (found.kind && (n++ < which || which < 0))
            t = found;
        else if (!found.kind && strncmp(s, ".pred", 5) == 0)
            t.bits = 1;
    }
    return t;
}

static char type_of(const struct ptx *p, int *bits, int which)
{
    struct type t = type_at(p, which);

    *bits = t.bits;
    return t.kind;
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
static double number(uint64_t v, struct type t, int lane)
{
    float f;
    double d;

    if (t.element >= 0)
        return loom_element(t.element, (unsigned)(v >> lane * t.bits));
    memcpy(&f, &v, 4);
    memcpy(&d, &v, 8);
    return t.bits == 64 ? d : f;
}

static uint64_t bits_of(double x, struct type t, int finite)
{
    float f = (float)x;
    uint64_t v = 0;

    if (t.element == LOOM_TF32)
        return loom_tf32(f);
    if (t.element >= 0)
        return loom_narrow(t.element, x, finite);
    if (t.bits == 64)
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

/* The first result may be two: a|b. */
static void give_both(struct ptx *p, uint64_t first, uint64_t second)
{
    const char *all = p->arg[0], *bar = strchr(all, '|');
    char copy[64];

    if (bar && bar - all < (long)sizeof copy) {
        memcpy(copy, all, (size_t)(bar - all));
        copy[bar - all] = 0;
        p->arg[0] = bar + 1 + strspn(bar + 1, " \t\n");
        give(p, 0, second);
        p->arg[0] = trim(copy);
    }
    give(p, 0, first);
    p->arg[0] = all;
}

/* compute with PTX's numbers */
static double sum_to_odd(double a, double b)
{
    double s = a + b, t = s - a, lost = (a - (s - t)) + (b - t);
    uint64_t bits;

    memcpy(&bits, &s, 8);
    return fabs(lost) > 0 && !(bits & 1)
               ? nextafter(s, lost > 0 ? INFINITY : -INFINITY)
               : s;
}

/* Arithmetic with up to three operands, in the rounding that is set: 1, or 0
   when it is something else. */
static int arithmetic(struct ptx *p, struct type t, double x, double y,
                      double z, double *r)
{
    if (is(p, "add"))
        *r = x + y;
    else if (is(p, "sub"))
        *r = x - y;
    else if (is(p, "mul"))
        *r = x * y;
    else if (is(p, "div"))
        *r = x / y;
    else if (is(p, "fma") || is(p, "mad"))
        *r = t.bits == 64   ? fma(x, y, z)
             : t.bits == 32 ? fmaf((float)x, (float)y, (float)z)
                            : sum_to_odd(x * y, z);
    else if (is(p, "min"))
        *r = has(p, "NaN") && (isnan(x) || isnan(y)) ? NAN : fmin(x, y);
    else if (is(p, "max"))
        *r = has(p, "NaN") && (isnan(x) || isnan(y)) ? NAN : fmax(x, y);
    else if (is(p, "neg"))
        *r = -x;
    else if (is(p, "abs"))
        *r = fabs(x);
    else if (is(p, "copysign"))
        *r = copysign(y, x);
    else if (is(p, "sqrt"))
        *r = sqrt(x);
    else if (is(p, "rsqrt"))
        *r = 1 / sqrt(x);
    else if (is(p, "rcp"))
        *r = 1 / x;
    else if (is(p, "ex2"))
        *r = exp2(x);
    else if (is(p, "lg2"))
        *r = log2(x);
    else if (is(p, "sin"))
        *r = sin(x);
    else if (is(p, "cos"))
        *r = cos(x);
    else if (is(p, "tanh"))
        *r = tanh(x);
    else
        return 0;
    return 1;
}

/* round as PTX asks */
static void set_rounding(struct ptx *p)
{
    fesetround(has(p, "rz")   ? FE_TOWARDZERO
               : has(p, "rm") ? FE_DOWNWARD
               : has(p, "rp") ? FE_UPWARD
                              : FE_TONEAREST);
}

/* What an instruction makes of a number at the end. */
static double bounded(struct ptx *p, double r)
{
    if (has(p, "relu"))
        r = r > 0 || isnan(r) ? r : 0;
    if (has(p, "sat"))
        r = r > 0 ? fmin(r, 1) : 0;
    return r;
}

static int compute_floats(struct ptx *p, struct type t)
{
    uint64_t all = 0;
    double x[3] = {0}, r;
    int done = !has(p, "xorsign") && !has(p, "oob") &&
               (t.element >= 0 ? t.bits == 16 : t.bits >= 32 && t.lanes == 1);

    if (done)
        set_rounding(p);
    for (int lane = 0; done && lane < t.lanes; lane++) {
        for (int i = 1; i < p->args && i < 4; i++)
            x[i - 1] = number(value(p, i), t, lane);
        done = arithmetic(p, t, x[0], x[1], x[2], &r);
        if (done)
            all |= bits_of(bounded(p, r), t, 0) << lane * t.bits;
    }
    fesetround(FE_TONEAREST);
    if (done)
        give(p, 0, all);
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

/* 32 of the 64 bits of b a, moved. */
static uint64_t funnel(struct ptx *p, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t all = b << 32 | cut(a, 32), n = cut(c, 32);

    n = has(p, "wrap") ? n & 31 : n < 32 ? n : 32;
    return has(p, "l") ? all << n >> 32 : all >> n;
}

/* The highest bit that is not like the sign, or how far it is from the top. */
static uint64_t find_bit(struct ptx *p, int64_t a, int bits)
{
    uint64_t v =
        cut((uint64_t)(type_at(p, 1).kind == 's' && a < 0 ? ~a : a), bits);
    int at = v ? 63 - __builtin_clzll(v) : -1;

    return cut((uint64_t)(v && has(p, "shiftamt") ? bits - 1 - at : at), 32);
}

/* So many bits of a from a place on; behind the last one are signs. */
static uint64_t extract(uint64_t a, uint64_t at, uint64_t n, char kind,
                        int bits)
{
    uint64_t last = (uint64_t)bits - 1;

    if (n == 0 || (at > last && kind != 's'))
        return 0;
    at = at < last ? at : last;
    return (uint64_t)widen(cut(a, bits) >> at, kind,
                           at + n > last ? bits - (int)at : (int)n);
}

/* b with so many bits of a at a place. */
static uint64_t insert(uint64_t a, uint64_t b, uint64_t at, uint64_t n,
                       int bits)
{
    uint64_t ones = cut(~UINT64_C(0), (int)n);

    return at >= (uint64_t)bits ? b : (b & ~(ones << at)) | (a & ones) << at;
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
    /* compute with bytes and fields */
    else if (is(p, "prmt") && strlen(p->op) > 8)
        return 0; /* its modes */
    else if (is(p, "prmt"))
        r = permute(a, b, c);
    else if (is(p, "shf"))
        r = funnel(p, a, b, c);
    else if (is(p, "bfind"))
        return give(p, 0, find_bit(p, widen(a, kind, bits), bits)), 1;
    else if (is(p, "cnot"))
        r = !cut(a, bits);
    else if (is(p, "bmsk") && has(p, "clamp"))
        r = a < 32 ? cut(~UINT64_C(0), b < 32 ? (int)b : 32) << a : 0;
    else if (is(p, "lop3"))
        for (int i = 0; i < 32; i++)
            r |= (value(p, 4) >>
                      ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) &
                  1)
                 << i;
    else if (is(p, "bfe"))
        r = extract(a, b & 255, c & 255, kind, bits);
    else if (is(p, "bfi"))
        r = insert(a, b, c & 255, value(p, 4) & 255, bits);
    else
        return 0;
    give(p, 0, cut(r, bits));
    return 1;
}

/* compute with PTX's integers */

/* compute in parts of a word */
static int shift_by(struct ptx *p, int64_t n)
{
    return (int)(has(p, "wrap") ? n & 31 : (uint64_t)n < 32 ? n : 32);
}

static uint64_t compute_parts(struct ptx *p, uint64_t a, uint64_t b, uint64_t c)
{
    size_t end = strlen(p->name) - 1;
    int digit = isdigit((unsigned char)p->name[end]) != 0;
    int n = digit ? p->name[end] - '0' : 1, w = 32 / (n ? n : 1), bits;
    char td = type_of(p, &bits, 1), ta = type_of(p, &bits, 2),
         tb = type_of(p, &bits, 3);
    int64_t low = td == 's' ? -(INT64_C(1) << (w - 1)) : 0,
            high = low + (INT64_C(1) << w) - 1, sum = widen(c, td, 32);
    uint64_t all = 0;

    end += !digit;
    if ((n != 1 && n != 2 && n != 4) || strchr(p->arg[1], '.') ||
        strchr(p->arg[2], '.') || strchr(p->arg[0], '.') ||
        (n == 1 && p->args > 3 && !has(p, "add")))
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
        else if (n == 1 && strcmp(p->name, "vshl") == 0)
            r = (int64_t)((uint64_t)x << shift_by(p, y));
        else if (n == 1 && strcmp(p->name, "vshr") == 0)
            r = x >> shift_by(p, y);
        else
            refuse(p, p->op);
        if (has(p, "sat"))
            r = r < low ? low : r > high ? high : r;
        all |= cut((uint64_t)r, w) << w * i;
        sum += widen((uint64_t)r, td, w);
    }
    return has(p, "add") ? (uint64_t)sum : all;
}

/* multiply bytes */
static uint64_t dot_bytes(struct ptx *p, uint64_t a, uint64_t b)
{
    int bits;
    char ta = type_of(p, &bits, 1), tb = type_of(p, &bits, 2);
    int64_t sum = 0;
    int n = is(p, "dp4a") ? 4 : 2, w = 32 / n;

    if (has(p, "hi")) /* dp2a: the upper two bytes of b */
        b >>= 16;
    for (int i = 0; i < n; i++)
        sum += widen(a >> w * i, ta, w) * widen(b >> 8 * i, tb, 8);
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

/* compute with PTX's whole numbers */
static uint64_t add_or_subtract(struct ptx *p, int64_t a, int64_t b)
{
    int64_t r = (int64_t)(is(p, "add") ? (uint64_t)a + (uint64_t)b
                                       : (uint64_t)a - (uint64_t)b);

    if (has(p, "sat"))
        r = r < INT32_MIN ? INT32_MIN : r > INT32_MAX ? INT32_MAX : r;
    return (uint64_t)r;
}

/* slct.to.from: whether its last operand is 0 or more. */
static int compare_with_0(struct ptx *p, uint64_t v)
{
    struct type t = type_at(p, 2);

    return t.kind == 'f' ? number(v, t, 0) >= 0 : widen(v, 's', t.bits) >= 0;
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
    else if (has(p, "sat") && p->name[0] != 'v' &&
             (bits != 32 || !(is(p, "add") || is(p, "sub"))))
        return 0;
    else if (is(p, "add") || is(p, "sub"))
        r = add_or_subtract(p, a, b);
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
    /* compare and scale integers */
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
    else if (is(p, "dp4a") || is(p, "dp2a"))
        r = c + dot_bytes(p, (uint64_t)a, (uint64_t)b);
    else if (is(p, "slct"))
        r = (uint64_t)(compare_with_0(p, c) ? a : b);
    else if (p->name[0] == 'v' && p->args >= 3)
        r = compute_parts(p, (uint64_t)a, (uint64_t)b, c);
    else
        return 0;
    give(p, 0, cut(r, has(p, "wide") ? 2 * bits : bits));
    return 1;
}

/* compare and convert */
/* Whether the comparison that the instruction names holds. */
static int compared(struct ptx *p, struct type t, int lane)
{
    enum { LESS = 1, SAME = 2, MORE = 4, NONE = 8 };
    static const struct {
        const char *name;
        int holds;
    } all[] = {{"lt", LESS},
               {"lo", LESS},
               {"le", LESS | SAME},
               {"ls", LESS | SAME},
               {"gt", MORE},
               {"hi", MORE},
               {"ge", MORE | SAME},
               {"hs", MORE | SAME},
               {"eq", SAME},
               {"ne", LESS | MORE},
               {"num", LESS | SAME | MORE},
               {"nan", NONE},
               {"ltu", NONE | LESS},
               {"leu", NONE | LESS | SAME},
               {"gtu", NONE | MORE},
               {"geu", NONE | MORE | SAME},
               {"equ", NONE | SAME},
               {"neu", NONE | LESS | MORE}};
    int64_t a = widen(value(p, 1), t.kind, t.bits),
            b = widen(value(p, 2), t.kind, t.bits);
    int is, more = t.kind == 's' ? a > b : (uint64_t)a > (uint64_t)b, r = -1;

    is = a == b ? SAME : more ? MORE : LESS;
    if (t.kind == 'f') {
        double x = number((uint64_t)value(p, 1), t, lane),
               y = number((uint64_t)value(p, 2), t, lane);

        is = x < y ? LESS : x > y ? MORE : x == y ? SAME : NONE;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (has(p, all[i].name))
            r = (all[i].holds & is) != 0;
    if (r < 0)
        refuse(p, p->op);
    if (p->args < 4)
        return r;
    a = value(p, 3) != 0;
    return has(p, "and")  ? r && a
           : has(p, "or") ? r || a
                          : (has(p, "xor") ? r != a : (refuse(p, p->op), 0));
}

/* give what was compared */
/* setp gives one or two predicates, set all ones or 1.0, for each half. */
static void compare(struct ptx *p)
{
    struct type t = type_at(p, -1), to = type_at(p, 1);
    int first = compared(p, t, 0), second = t.lanes == 2 && compared(p, t, 1);
    uint64_t ones, all;

    if (p->args > 3 && strchr(p->arg[0], '|') && t.lanes == 1)
        refuse(p, p->op);
    if (is(p, "setp")) {
        give_both(p, (uint64_t)first,
                  (uint64_t)(t.lanes == 2 ? second : !first));
        return;
    }
    ones = to.kind == 'f' ? bits_of(1, to, 0) : ~UINT64_C(0);
    if (t.lanes == 1)
        all = first ? cut(ones, to.bits * to.lanes) : 0;
    else
        all = (first ? cut(ones, 16) : 0) | (second ? cut(ones, 16) << 16 : 0);
    give(p, 0, all);
}

/* convert */
static uint64_t to_integer(double x, struct type t)
{
    double high = ldexp(1, t.bits - (t.kind == 's')),
           low = t.kind == 's' ? -high : 0;
    uint64_t most = cut(~UINT64_C(0), t.bits) >> (t.kind == 's');

    if (isnan(x))
        return t.bits == 64 ? UINT64_C(1) << 63 : 0;
    if (x >= high)
        return most;
    if (x < low)
        return t.kind == 's' ? most + 1 : 0;
    return cut(t.kind == 's' ? (uint64_t)(int64_t)x : (uint64_t)x, t.bits);
}

/* A float of any size, as the instruction rounds it. */
static uint64_t to_float(struct ptx *p, double x, struct type t)
{
    uint64_t bits;

    set_rounding(p);
    bits = bits_of(bounded(p, x), t, has(p, "satfinite"));
    fesetround(FE_TONEAREST);
    return bits;
}

/* An integer as a float; of one of 64 bits a double could lose a bit first. */
static uint64_t from_integer(struct ptx *p, int64_t v, int is_signed,
                             struct type t)
{
    float f;
    double d;

    set_rounding(p);
    f = is_signed ? (float)v : (float)(uint64_t)v;
    d = is_signed ? (double)v : (double)(uint64_t)v;
    fesetround(FE_TONEAREST);
    return to_float(p, t.bits == 64 || t.element >= 0 ? d : f, t);
}

/* convert from and to any type */
/* cvt.to.from */
static void convert(struct ptx *p)
{
    struct type to = type_at(p, 1), from = type_at(p, 2);
    uint64_t v = value(p, 1), all = 0;
    double x = from.kind == 'f' ? number(v, from, 0) : 0;
    int is_signed = from.kind == 's';

    if (has(p, "pack") || to.bits < 8 ||
        (to.element == LOOM_TF32 && !has(p, "rna")) ||
        to.lanes != (p->args == 3 ? 2 : from.lanes) ||
        (has(p, "sat") && (to.kind != 'f' || from.kind != 'f')))
        refuse(p, p->op);
    if (p->args == 3) {
        x = number(value(p, 2), from, 0);
        all = to_float(p, number(v, from, 0), to) << to.bits;
    } else if (to.lanes == 2) {
        all = to_float(p, number(v, from, 1), to) << to.bits;
    }
    if (from.kind == 'f' &&
        (has(p, "rni") || has(p, "rzi") || has(p, "rmi") || has(p, "rpi")))
        x = has(p, "rni")   ? nearbyint(x)
            : has(p, "rzi") ? trunc(x)
            : has(p, "rmi") ? floor(x)
                            : ceil(x);
    if (to.kind == 'f' && from.kind != 'f')
        all = from_integer(p, widen(v, from.kind, from.bits), is_signed, to);
    else if (to.kind == 'f')
        all |= to_float(p, x, to);
    else if (from.kind == 'f')
        all = to_integer(x, to);
    else
        all = cut((uint64_t)widen(v, from.kind, from.bits), to.bits);
    give(p, 0, all);
}

/* reach memory from PTX */
/* [address + 8]: of shared memory, or of generic or global memory. */
static char *address_in(struct ptx *p, int i, int shared)
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
    if (shared)
        return (char *)loom_from_shared((unsigned)*at) + offset;
    return (char *)(uintptr_t)*at + offset;
}

static char *address(struct ptx *p, int i)
{
    return address_in(p, i, strstr(p->op, ".shared") != NULL);
}

/* take operands apart */
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

/* mov with {a, b} on one side: the lowest bits are the first. */
static void pack(struct ptx *p, int bits)
{
    char copy[256], *name[8];
    int to = p->arg[0][0] == '{', n = elements(p, to ? 0 : 1, name, copy);
    uint64_t v = to ? value(p, 1) : 0;

    if (bits > 64 || n == 0 || bits % n)
        refuse(p, p->op);
    bits /= n;
    for (int k = 0; k < n; k++)
        if (!to) {
            v |= cut(named(p, name[k]), bits) << k * bits;
        } else if (strcmp(name[k], "_")) {
            p->arg[0] = name[k];
            give(p, 0, cut(v >> k * bits, bits));
        }
    if (!to)
        give(p, 0, v);
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
            v = named(p, name[i]);
            memcpy(a, &v, (size_t)bits / 8);
        } else if (strcmp(name[i], "_")) {
            uint64_t *at = place(p, name[i]);

            if (!at)
                refuse(p, name[i]);
            memcpy(&v, a, (size_t)bits / 8);
            *at = kind == 's' ? (uint64_t)widen(v, kind, bits) : v;
        }
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (has(p, "async")) /* st.async tells an mbarrier */
        loom_mbarrier_expect(address(p, 2), -bits / 8 * n, p->site.file,
                             p->site.line);
    if (!store && is_strong(p))
        loom_look(a, p->site.file, p->site.line);
    if (has(p, "acquire"))
        loom_fence(p->site.file, p->site.line);
}

/* change memory atomically from PTX */
/* What stands in memory afterwards; the third operand is for cas. */
static uint64_t changed(struct ptx *p, struct type t, uint64_t old, uint64_t b,
                        int third)
{
    int64_t x = widen(old, t.kind, t.bits), y = widen(b, t.kind, t.bits);
    int less = t.kind == 's' ? x < y : (uint64_t)x < (uint64_t)y;
    uint64_t sum = 0;

    for (int l = 0; t.kind == 'f' && l < t.lanes; l++)
        sum |= bits_of(number(old, t, l) + number(b, t, l), t, 0) << l * t.bits;
    return has(p, "add")    ? t.kind == 'f' ? sum : old + b
           : has(p, "exch") ? b
           : has(p, "cas")  ? old == cut(b, t.bits) ? value(p, third) : old
           : has(p, "and")  ? old & b
           : has(p, "or")   ? old | b
           : has(p, "xor")  ? old ^ b
           : has(p, "min")  ? less ? old : b
           : has(p, "max")  ? less ? b : old
           : has(p, "inc")  ? old >= b ? 0 : old + 1
           : has(p, "dec")  ? old == 0 || old > b ? b : old - 1
                            : (refuse(p, p->op), 0);
}

#define EXCHANGE(T, a, old, new)                                              \
    __extension__({                                                           \
        T was = (T)(old);                                                     \
        int done = __atomic_compare_exchange_n(                               \
            (T *)(a), &was, (T)(new), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        done;                                                                 \
    })

/* change a word atomically */
/* atom and red */
static void change(struct ptx *p, int first)
{
    struct type t = type_at(p, -1);
    int bits = t.bits * t.lanes, done;
    void *a = address(p, first);
    uint64_t b, old = 0, new;

    if (bits < 16 || bits > 64 || (t.kind == 'f' && !has(p, "add")) ||
        (t.kind != 'f' && t.lanes > 1) || p->arg[first + 1][0] == '{')
        refuse(p, p->op);
    b = value(p, first + 1);
    if (has(p, "release") || has(p, "acq_rel"))
        loom_fence(p->site.file, p->site.line);
    touch(p, a, (size_t)bits / 8, LOOM_UPDATE | LOOM_STRONG);
    do {
        old = bits == 64   ? __atomic_load_n((uint64_t *)a, __ATOMIC_RELAXED)
              : bits == 32 ? __atomic_load_n((uint32_t *)a, __ATOMIC_RELAXED)
                           : __atomic_load_n((uint16_t *)a, __ATOMIC_RELAXED);
        new = changed(p, t, old, b, first + 2);
        done = bits == 64   ? EXCHANGE(uint64_t, a, old, new)
               : bits == 32 ? EXCHANGE(uint32_t, a, old, new)
                            : EXCHANGE(uint16_t, a, old, new);
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
    give_both(p,
              loom_meet(LOOM_SHUFFLE, (uint32_t)value(p, 4), value(p, 1),
                        in ? from : lane, p->site.file, p->site.line),
              (uint64_t)in);
}

/* meet and shuffle from PTX */
static uint64_t ballot(struct ptx *p, int vote)
{
    return loom_meet(LOOM_BALLOT, (uint32_t)value(p, 2), (uint64_t)vote, 0,
                     p->site.file, p->site.line);
}

static void vote(struct ptx *p)
{
    int yes = value(p, 1) != 0;
    uint64_t some = has(p, "all") ? 1 : ballot(p, yes);
    uint64_t none = has(p, "all") || has(p, "uni") ? !ballot(p, !yes) : 0;

    give(p, 0,
         has(p, "ballot") ? some
         : has(p, "any")  ? some != 0
         : has(p, "all")  ? none
                          : some == 0 || none);
}

/* The lanes that bring the same, or, of match.all, all of them or none. */
static void match(struct ptx *p, int bits)
{
    uint32_t mask = (uint32_t)value(p, 2);
    uint64_t like = loom_meet(LOOM_MATCH, mask, cut(value(p, 1), bits), 0,
                              p->site.file, p->site.line);

    if (has(p, "any"))
        give(p, 0, like);
    else
        give_both(p, like == mask ? mask : 0, like == mask);
}

static void reduce(struct ptx *p, char kind)
{
    int op = has(p, "add")   ? LOOM_ADD
             : has(p, "min") ? kind == 's' ? LOOM_MIN : LOOM_MIN_UNSIGNED
             : has(p, "max") ? kind == 's' ? LOOM_MAX : LOOM_MAX_UNSIGNED
             : has(p, "and") ? LOOM_AND
             : has(p, "or")  ? LOOM_OR
                             : LOOM_XOR;

    if (kind == 'f')
        refuse(p, p->op);
    give(p, 0,
         cut(loom_meet(op, (uint32_t)value(p, 2), cut(value(p, 1), 32), 0,
                       p->site.file, p->site.line),
             32));
}

/* meet a block from PTX */
/* bar.sync, bar.arrive and bar.red, also called barrier and barrier.cta. */
static void block_barrier(struct ptx *p)
{
    const char *f = p->site.file;
    int l = p->site.line, red = has(p, "red"), votes;
    unsigned id = (unsigned)value(p, red);
    unsigned n =
        p->args > 1 && !red ? (unsigned)value(p, 1) : loom_current->threads;

    if (red && (p->args != 3 || id))
        refuse(p, p->op);
    if (red) {
        votes = value(p, 2) != 0;
        votes = loom_barrier(LOOM_BLOCK, has(p, "and") ? !votes : votes, f, l);
        give(p, 0,
             (uint64_t)(has(p, "popc") ? votes
                        : has(p, "or") ? votes != 0
                                       : votes == 0));
    } else if (has(p, "arrive")) {
        loom_barrier_arrive(id, n, f, l);
    } else if (p->args != 1 || id) {
        loom_barrier_part(id, n, f, l);
    } else {
        loom_syncthreads(f, l);
    }
}

/* meet whom it names */
/* Barriers and warps. */
static int meet(struct ptx *p, char kind, int bits)
{
    const char *f = p->site.file;
    int l = p->site.line;
    unsigned lane = threadIdx.number % 32;

    if (strncmp(p->op, "bar.warp.sync", 13) == 0) {
        loom_meet(LOOM_SYNC, (uint32_t)value(p, 0), 0, 0, f, l);
    } else if (strncmp(p->op, "barrier.cluster.arrive", 22) == 0) {
        loom_cluster_arrive(f, l);
    } else if (strncmp(p->op, "barrier.cluster.wait", 20) == 0) {
        loom_cluster_wait(f, l);
    } else if (is(p, "bar") || is(p, "barrier")) {
        block_barrier(p);
    } else if (is(p, "vote") && has(p, "sync")) { /* CUB: vote.ballot.sync */
        vote(p);
    } else if (strncmp(p->op, "match.", 6) == 0) {
        match(p, bits);
    } else if (strncmp(p->op, "redux.sync.", 11) == 0) {
        reduce(p, kind);
    } else if (strncmp(p->op, "activemask", 10) == 0) {
        give(p, 0, loom_active(f, l));
    } else if (strncmp(p->op, "shfl.sync", 9) == 0) {
        shuffle(p);
    } else if (strncmp(p->op, "membar", 6) == 0 ||
               (strncmp(p->op, "fence", 5) == 0 && !has(p, "proxy"))) {
        loom_fence(f, l);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    } else if (strncmp(p->op, "nanosleep", 9) == 0) {
        loom_rest(f, l);
    } else if (strncmp(p->op, "elect.sync", 10) == 0) {
        unsigned first = (unsigned)__builtin_ctz((unsigned)value(p, 1));

        loom_meet(LOOM_BALLOT, (uint32_t)value(p, 1), 0, 0, f, l);
        give_both(p, first, lane == first);
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
        if (store)
            *at = w[k];
        else
            w[k] = (unsigned)named(p, name[k]);
    }
    return n;
}

/* The elements that mma.sync knows: their names, and how many bits they have. */
static const struct {
    const char *name;
    int is, bits;
} element_of[] = {
    {"f16", LOOM_F16, 16},  {"bf16", LOOM_BF16, 16}, {"tf32", LOOM_TF32, 32},
    {"e4m3", LOOM_E4M3, 8}, {"e5m2", LOOM_E5M2, 8},  {"s8", LOOM_S8, 8},
    {"u8", LOOM_U8, 8},     {"s4", LOOM_S4, 4},      {"u4", LOOM_U4, 4}};

/* multiply elements */
/* mma.sync.aligned.m16n8k16.row.col.d.a.b.c: a and b are as large as each other,
   c and d of one type, and there are 16 or 32 bytes along k. */
static void multiply(struct ptx *p)
{
    unsigned d[8] = {0}, a[8] = {0}, b[8] = {0}, c[8] = {0};
    struct loom_shape s = {0};
    char t[4][8], copy[128], *rest, *m = NULL;
    int e[2] = {-1, -1}, n = 0, registers, whole;

    snprintf(copy, sizeof copy, "%s", p->op);
    for (char *w = strtok_r(copy, ".", &rest); w;
         w = strtok_r(NULL, ".", &rest))
        if (w[0] == 'm' && isdigit((unsigned char)w[1]))
            m = w;
        else if (m && strcmp(w, "row") && strcmp(w, "col") &&
                 strcmp(w, "satfinite") && n++ < 4)
            snprintf(t[n - 1], sizeof t[0], "%.7s", w);
    if (n == 4)
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 9; k++)
                if (strcmp(t[i + 1], element_of[k].name) == 0)
                    e[i] = k;
    if (e[0] < 0 || e[1] < 0 || sscanf(m, "m%dn8k%d", &s.m, &s.k) != 2 ||
        element_of[e[0]].bits != element_of[e[1]].bits)
        refuse(p, p->op);
    s.a = element_of[e[0]].is;
    s.b = element_of[e[1]].is;
    whole = s.a >= LOOM_S8;
    s.narrow = !strcmp(t[0], "f16");
    s.bounded = whole && has(p, "satfinite");
    registers = s.k * element_of[e[0]].bits / 128;
    if (strcmp(t[0], t[3]) || (registers != 1 && registers != 2) ||
        s.k * element_of[e[0]].bits % 128 ||
        (s.m != 16 && (s.m != 8 || !whole)) ||
        strcmp(t[0], whole      ? "s32"
                     : s.narrow ? "f16"
                                : "f32") ||
        !has(p, "row") || !has(p, "col") || has(p, "popc"))
        refuse(p, p->op);
    if (words(p, 1, a, 0) != registers * s.m / 8 ||
        words(p, 2, b, 0) != registers ||
        words(p, 3, c, 0) != (s.narrow ? 2 : s.m / 4))
        refuse(p, p->op);
    loom_mma_of(s, d, a, b, c, p->site.file, p->site.line);
    words(p, 0, d, 1);
}

/* multiply for a warpgroup from PTX */
/* The descriptor with as many bits of its address as Loom's ptx_matrix gives. */
static uint64_t descriptor(uint64_t d)
{
    return d >> 14 & 3
               ? d
               : (d & ~UINT64_C(0xffff)) |
                     loom_whole_address((unsigned)(d & 0x3fff) << 4) >> 4;
}

/* read a multiplication of a warpgroup */
/* wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {d}, a, b, add, sign of a,
   sign of b, turned a, turned b; A is a descriptor or, not turned, {registers}. */
static void multiply_in_group(struct ptx *p)
{
    struct loom_wgmma is = {.element = LOOM_BF16};
    char d[1024], type[16], *rest;
    unsigned a[8] = {0};
    float *at[128];
    struct loom_operand *o[128];
    int n = 0, end = 0;

    if (sscanf(p->op, "wgmma.mma_async.sync.aligned.m64n%dk16.f32.%15s%n",
               &is.n, type, &end) != 2 ||
        p->op[end] || is.n < 8 || is.n > 256 || is.n % 8 ||
        (strcmp(type, "bf16.bf16") && strcmp(type, "f16.f16")) ||
        strlen(p->arg[0]) >= sizeof d)
        refuse(p, p->op);
    if (*type == 'f')
        is.element = LOOM_F16;
    is.held = p->args > 1 && p->arg[1][0] == '{';
    strcpy(d, p->arg[0]);
    for (char *s = strtok_r(d, "{}, \t\n", &rest); s && n < is.n / 2;
         s = strtok_r(NULL, "{}, \t\n", &rest)) {
        uint64_t *v = place(p, s);

        for (o[n] = p->o; o[n] < p->o + p->n && v != &o[n]->bits; o[n]++)
            ;
        if (o[n] == p->o + p->n || !o[n]->at)
            refuse(p, "registers of wgmma that are no outputs of its asm");
        at[n] = (float *)o[n]->at;
        n++;
    }
    if (n != is.n / 2 || p->args != 8 - is.held ||
        (is.held && words(p, 1, a, 0) != 4))
        refuse(p, p->op);
    if (!is.held)
        is.a = descriptor(value(p, 1));
    is.b = descriptor(value(p, 2));
    is.add = value(p, 3) != 0;
    is.minus_a = (int)value(p, 4) < 0;
    is.minus_b = (int)value(p, 5) < 0;
    is.turned_a = !is.held && value(p, 6);
    is.turned_b = value(p, 7 - is.held) != 0;
    loom_wgmma_of(at, &is, a, p->site.file, p->site.line);
    for (int i = 0; i < n; i++)
        memcpy(&o[i]->bits, at[i], 4);
}

static int work_in_group(struct ptx *p)
{
    const char *f = p->site.file;
    int l = p->site.line;

    if (has(p, "mma_async"))
        multiply_in_group(p);
    else if (has(p, "fence"))
        loom_wgmma_fence(f, l);
    else if (has(p, "commit_group"))
        loom_wgmma_commit(f, l);
    else if (has(p, "wait_group"))
        loom_wgmma_wait((unsigned)value(p, 0), f, l);
    else
        return 0;
    return 1;
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

/* movmatrix: the lanes that would name rows hold them. */
static void turn(struct ptx *p)
{
    unsigned own[4] = {0}, d = (unsigned)value(p, 1);

    if (!has(p, "m8n8") || !has(p, "b16") || !has(p, "trans"))
        refuse(p, p->op);
    loom_stmatrix(own, 1, 0, &d, p->site.file, p->site.line);
    loom_ldmatrix(&d, 1, 1, own, p->site.file, p->site.line);
    give(p, 0, d);
}

/* copy and wait from PTX */

/* copy in bulk from PTX */
/* [map, {x, y}]: returns the map. */
static const void *box(struct ptx *p, int i, int at[5], int dims)
{
    char copy[256], *name[8];
    int n;

    if (i >= p->args || p->arg[i][0] != '[')
        refuse(p, p->op);
    p->arg[i]++;
    n = elements(p, i, name, copy);
    if (dims < 1 || dims > 5 || n < dims + 1)
        refuse(p, p->op);
    for (int k = 0; k < dims; k++)
        at[k] = (int)named(p, name[k + 1]);
    return (const void *)(uintptr_t)named(p, name[0]);
}

static int copy_in_bulk(struct ptx *p)
{
    const char *f = p->site.file, *o = p->op, *tensor = strstr(o, ".tensor.");
    int l = p->site.line, add = strncmp(o, "cp.reduce.async.bulk.", 21) == 0;
    int at[5], dims = tensor ? tensor[8] - '0' : 0;
    int store = strstr(o, "bulk_group") != NULL;
    unsigned blocks =
        has(p, "multicast::cluster") ? (unsigned)value(p, 4 - !!tensor) : 0;

    if (strncmp(o, "cp.async.bulk.prefetch", 22) == 0)
        return 1;
    if ((!add && strncmp(o, "cp.async.bulk.", 14)) ||
        (add && (!has(p, "add") || (!tensor && !has(p, "f32")))) ||
        strstr(o, "im2col") || strstr(o, "gather") || strstr(o, "scatter"))
        return 0;
    if (store && tensor) {
        const void *map = box(p, 0, at, dims);

        loom_tensor_store(map, dims, at, address_in(p, 1, 1), add, f, l);
    } else if (store) {
        loom_bulk_store(address_in(p, 0, 0), address_in(p, 1, 1), value(p, 2),
                        add, f, l);
    } else if (tensor) {
        const void *map = box(p, 1, at, dims);

        loom_tensor_load(address_in(p, 0, 1), map, dims, at,
                         address_in(p, 2, 1), blocks, f, l);
    } else {
        loom_bulk_load(address_in(p, 0, 1), address_in(p, 1, !has(p, "global")),
                       value(p, 2), address_in(p, 3, 1), blocks, f, l);
    }
    return 1;
}

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
        int n = p->args - has(p, "L2::cache_hint");

        loom_copy_later(address(p, 0), address_in(p, 1, 0), size,
                        n > 3 ? size - value(p, 3) : 0, f, l);
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
        return copy_in_bulk(p);
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
static int without_effect(const char *op)
{
    static const char *const all[] = {"prefetch",      "griddepcontrol",
                                      "setmaxnreg",    "pragma",
                                      "applypriority", "pmevent"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strncmp(op, all[i], strlen(all[i])) == 0)
            return 1;
    return 0;
}

/* execute what reaches memory or multiplies */
/* isspacep: whether an address is in this memory. */
static int is_in(struct ptx *p, uint64_t address)
{
    size_t at = loom_to_shared((void *)(uintptr_t)address);

    if (has(p, "global"))
        return at == 0xffffffff;
    if (!strstr(p->op, ".shared"))
        refuse(p, p->op);
    return at < (has(p, "shared::cluster") ? 0xffffffff : 1u << 24);
}

static int reach_or_multiply(struct ptx *p)
{
    const char *o = p->op;

    if (strncmp(o, "ld.", 3) == 0 || strncmp(o, "ldu.", 4) == 0) {
        move(p, 0);
    } else if (strncmp(o, "st.", 3) == 0) {
        move(p, 1);
    } else if (strncmp(o, "atom.", 5) == 0) {
        change(p, 1);
    } else if (strncmp(o, "red.", 4) == 0 && !has(p, "async")) {
        change(p, 0);
    } else if (strncmp(o, "mma.sync", 8) == 0) {
        multiply(p);
    } else if (is(p, "wgmma")) {
        return work_in_group(p);
    } else if (strncmp(o, "movmatrix.", 10) == 0) {
        turn(p);
    } else if (strncmp(o, "ldmatrix.", 9) == 0 ||
               strncmp(o, "stmatrix.", 9) == 0) {
        rows(p, o[0] == 's');
    } else if (strncmp(o, "mapa.", 5) == 0) {
        map(p);
    } else if (strncmp(o, "getctarank.", 11) == 0) {
        give(p, 0,
             loom_rank_of(strstr(o, "shared")
                              ? loom_from_shared((unsigned)value(p, 1))
                              : (void *)(uintptr_t)value(p, 1)));
    } else if (strncmp(o, "isspacep.", 9) == 0) {
        give(p, 0, (uint64_t)is_in(p, value(p, 1)));
    } else if (strncmp(o, "createpolicy.", 13) == 0) {
        give(p, 0, 0); /* of the cache, which Loom has not */
    } else if (strcmp(o, "trap") == 0 || strcmp(o, "brkpt") == 0) {
        loom_trap();
    } else {
        return 0;
    }
    return 1;
}

static void execute(struct ptx *p)
{
    int bits;
    char kind = type_of(p, &bits, -1);
    const char *o = p->op;

    if (strncmp(o, ".reg", 4) == 0) {
        const char *names = p->arg[0] + strcspn(p->arg[0], " \t");

        for (int i = 0; i < p->args; i++)
            declare(p, i ? p->arg[i] : names);
    } else if (strncmp(o, "mov.", 4) == 0 &&
               (strchr(p->arg[0], '{') || strchr(p->arg[1], '{'))) {
        pack(p, bits);
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
    } else if (strncmp(o, "setp.", 5) == 0 || strncmp(o, "set.", 4) == 0) {
        compare(p);
    } else if (strncmp(o, "selp.", 5) == 0) {
        give(p, 0, value(p, 3) ? value(p, 1) : value(p, 2));
    } else if (strncmp(o, "cvt.", 4) == 0) {
        convert(p);
    } else if (!reach_or_multiply(p) && !without_effect(o) &&
               !meet(p, kind, bits) && !copy_or_wait(p) &&
               !(kind == 'f' && compute_floats(p, type_at(p, -1))) &&
               !(kind != 'f' && type_at(p, -1).lanes == 1 &&
                 (compute_bits(p, kind, bits) ||
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
