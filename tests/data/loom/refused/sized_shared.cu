// refused: sized_shared.cu:2: error: write this as extern __shared__ T name
extern __shared__ float a[32];
