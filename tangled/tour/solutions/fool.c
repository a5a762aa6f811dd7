/* fool: flip characters of a drawing until the net changes its mind */
#include "tour/check.h"
#include "tour/drawings.h"
#include "tour/net.h"
#include "tour/letters.h"

/* measure the lead of a digit */
static float lead(const struct net *nn, const unsigned char *picture, int digit)
{
    struct tensor *x = tensor_new(NET_INPUTS, 1), *scores;
    float rival = -1, own;

    net_pool(x, 0, picture, PAPER);
    scores = net_scores(nn, x);
    own = tensor_get(scores, digit, 0);
    for (int d = 0; d < NET_DIGITS; d++)
        if (d != digit && tensor_get(scores, d, 0) > rival)
            rival = tensor_get(scores, d, 0);
    tensor_destroy(scores);
    tensor_destroy(x);
    return own - rival;
}

/* flip the character that helps most */
static void flip_best(const struct net *nn, unsigned char *picture, int digit)
{
    float least = INFINITY;
    int best = 0;

    for (int i = 0; i < DRAWN * DRAWN; i++) {
        int at = (FRAME + i / DRAWN) * PAPER + FRAME + i % DRAWN;
        float now;

        picture[at] = (unsigned char)(255 - picture[at]);
        now = lead(nn, picture, digit);
        picture[at] = (unsigned char)(255 - picture[at]);
        if (now <= least) {
            least = now;
            best = at;
        }
    }
    picture[best] = (unsigned char)(255 - picture[best]);
}

int main(void)
{
    unsigned char picture[PAPER * PAPER];
    struct net nn;
    int flips = 0;

    net_thaw(&nn, frozen);
    draw_digit(picture, 7);
    CHECK(lead(&nn, picture, 7) > 0, "at first the 7 is read");
    while (lead(&nn, picture, 7) >= 0 && flips < DRAWN * DRAWN) {
        flip_best(&nn, picture, 7);
        flips++;
    }
    CHECK(lead(&nn, picture, 7) < 0, "100 flips did not fool it");
    printf("after %d flips the 7 is read as another digit\n", flips);
    net_free(&nn);
    return 0;
}
