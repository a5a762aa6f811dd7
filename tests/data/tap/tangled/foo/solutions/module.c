int three = 3;
