// refused: stray_bracket.cu:2: error: this launch has no end
void f() { g(k<<<1, 2)>>>(3); }
