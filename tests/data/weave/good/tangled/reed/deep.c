int main(void)
{
    for (int i = 0; i < 2; i++) {
        /* count both */
        if (i)

                n++;
        for (int j = 0; j < 2; j++)
            if (i != j) {
                /* count both */
                if (i)

                        n++;
            }
    }
    /* a name that ends in -- %s */
    ;
    /* [[main]] */
    ;
    return 0;
}
