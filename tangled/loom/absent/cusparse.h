#error "Loom lacks cuSPARSE (cusparse.h)"
