#line 7 "tests/data/weave/good/03-reed.md"
int main(void)
{
    for (int i = 0; i < 2; i++) {
        /* count both */
#line 27 "tests/data/weave/good/03-reed.md"
        if (i)

                n++;
#line 11 "tests/data/weave/good/03-reed.md"
        for (int j = 0; j < 2; j++)
            if (i != j) {
                /* count both */
#line 27 "tests/data/weave/good/03-reed.md"
                if (i)

                        n++;
#line 14 "tests/data/weave/good/03-reed.md"
            }
    }
    /* a name that ends in -- %s */
#line 37 "tests/data/weave/good/03-reed.md"
    ;
#line 17 "tests/data/weave/good/03-reed.md"
    /* [[main]] */
#line 45 "tests/data/weave/good/03-reed.md"
    ;
#line 18 "tests/data/weave/good/03-reed.md"
    return 0;
}
