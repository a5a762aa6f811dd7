MODULES = tangled/tour/net.c tangled/tour/tensor.c tangled/tour/idx.c tangled/tour/drawings.c

digits: tangled/tour/digits.c $(MODULES)
	$(CC) -std=c11 -O2 -Wall -Wextra -I tangled -o $@ $^
