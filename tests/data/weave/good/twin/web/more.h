#line 39 "tests/data/weave/good/04b-web-more.md"
int threads(void);
