#line 37 "tests/data/weave/good/04w-web-workshop.md"
int threads(void);
