// refused: conflict.cu:3: error: this is no launch
int x;
<<<<<<< HEAD
int y;
