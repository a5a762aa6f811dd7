/* … ünïcode, 'quotes', $dollars, `backticks` and a trailing \ */
 @ is no end of a chunk when it is indented
#define @ 1
enum { shift = 1<<3, back = 8>>1 };
