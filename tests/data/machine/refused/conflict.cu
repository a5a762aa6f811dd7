// refused: conflict.cu:3: this is no launch
int x;
<<<<<<< HEAD
int y;
