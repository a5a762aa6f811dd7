/* fiber_x86_64.h: six registers and the stack pointer. */

/* switch stacks on x86-64 */
__asm__(".pushsection loom_turns, \"ax\", @progbits\n"
        ".globl loom_switch\n"
        ".type loom_switch, @function\n"
        "loom_switch:\n"
        "    push %rbp\n    push %rbx\n    push %r12\n"
        "    push %r13\n    push %r14\n    push %r15\n"
        "    mov %rsp, (%rdi)\n" /* *from = stack pointer */
        "    mov %rsi, %rsp\n"   /* stack pointer = to */
        "    pop %r15\n    pop %r14\n    pop %r13\n"
        "    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    mov %rdx, %rax\n"
        "    ret\n"
        ".size loom_switch, . - loom_switch\n"
        ".popsection\n");

/* lay out a fresh stack on x86-64 */
void *loom_fresh(void *top, void (*f)(void))
{
    uintptr_t *sp = top;

    *--sp = 0;            /* f returns to nowhere */
    *--sp = (uintptr_t)f; /* where the switch goes */
    for (int i = 0; i < 6; i++)
        *--sp = 0;
    return sp;
}
