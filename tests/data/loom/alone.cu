// what the rewriter must leave alone: a comment that goes on \
plain<<<1, 1>>>(p, 4);
template <class T> out &operator<<<>(out &o, T);
#define LINE 1
#error don't stop: k<<<1, 1>>>()
"a string that goes on \
k<<<1, 1>>>()"; int not_in_a_string = 'x' << 3 >> 1;
R"(k<<<1, 1>>>()
k<<<1, 1>>>())"; u8R"-()" k<<<1, 1>>>())-"; 'a' '"' '\'' "\"k<<<1, 1>>>()" 0x1'0'0 << 2
externs __shared__s; int extern_ = a<<b, c = (d)<<(e)>>f;
/**/ /* k<<<1, 1>>>() *//* // */ int division = a / b / c; // /* k<<<1, 1>>>()
