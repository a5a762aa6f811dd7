/* tiles.h: tiles of more than one warp. C11 and C++17. */
#ifndef LOOM_TILES_H
#define LOOM_TILES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* declare what large tiles need */
/* Waits for the n threads of this tile, of which the caller is one. */
void loom_tile_sync(unsigned n, const char *file, int line);
/* How many of them have voted. */
unsigned loom_tile_count(unsigned n, int vote, const char *file, int line);
/* Copies the value of the thread of a rank in the tile. */
void loom_tile_share(unsigned n, unsigned rank, const void *value, void *to,
                     size_t size, const char *file, int line);
#ifdef __cplusplus
}
#endif
#endif
