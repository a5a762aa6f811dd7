int threads(void);
