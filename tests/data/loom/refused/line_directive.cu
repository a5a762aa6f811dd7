// refused: book/99-x.md:101: error: a launch takes
#line 100 "book/99-x.md"
int x;
void f() { k<<<1>>>(); }
