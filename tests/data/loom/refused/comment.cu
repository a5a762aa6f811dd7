// refused: comment.cu:3: error: .*never ends
int x;
/* this comment
int y;
