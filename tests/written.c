/* tests/written.c: linked to the programs that coverage is measured with: who ends by
 * _exit, as Loom does when it has reported a mistake, writes the counters of gcov first.
 */
void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}
