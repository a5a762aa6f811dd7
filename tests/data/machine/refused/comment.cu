// refused: comment.cu:3: .*never ends
int x;
/* this comment
int y;
