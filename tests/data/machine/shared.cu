/* each of these lines becomes SIMT_DYNAMIC_SHARED(name, type); */
extern __shared__ float tile[];
extern __shared__ __align__(16) unsigned char bytes[];
extern __shared__ std::pair<int, float> pairs [ ];
extern
    __shared__ int
    rows[];
int last;
