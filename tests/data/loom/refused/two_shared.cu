// refused: two_shared.cu:2: error: write this as extern __shared__ T name
extern __shared__ int a[], b[];
