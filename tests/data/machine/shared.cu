/* each of these declarations becomes a macro */
extern __shared__ float tile[];
extern __shared__ __align__(16) unsigned char bytes[];
extern __shared__ std::pair<int, float> pairs [ ];
extern
    __shared__ int
    rows[];
int last;
