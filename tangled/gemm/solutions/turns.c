/* turns: which share of 132 SMs' time do tiles of 128 x 256 use? */
#include "tour/check.h"

enum { SMS = 132 };

int main(void)
{
    static const struct {
        int n, tiles, turns, percent;
    } want[] = {{2048, 128, 1, 97},
                {3000, 288, 3, 73},
                {4096, 512, 4, 97},
                {5000, 800, 7, 87}};

    for (int i = 0; i < 4; i++) {
        int n = want[i].n;
        int tiles = (n + 127) / 128 * ((n + 255) / 256);
        int turns = (tiles + SMS - 1) / SMS;
        int percent = (100 * tiles + turns * SMS / 2) / (turns * SMS);

        printf("%d: %d tiles, %d turns, %d %%\n", n, tiles, turns, percent);
        CHECK(tiles == want[i].tiles && turns == want[i].turns &&
                  percent == want[i].percent,
              "%d: %d, %d, %d", n, tiles, turns, percent);
    }
    return 0;
}
