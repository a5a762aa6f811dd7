fill: tangled/primer/fill.c tangled/primer/jar.c
	$(CC) -std=c11 -O2 -Wall -Wextra -I tangled -o $@ $^ -lm
