/* Ranges are gathered as edges, and put in order when they are asked for. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 256

typedef struct {
    int at;
    int step;
} Edge;

typedef struct {
    Edge edges[MOST];
    size_t used;
    bool ordered;
} Sweep;

static int by_place(const void *a, const void *b)
{
    const Edge *one = a, *other = b;
    if (one->at != other->at)
        return one->at < other->at ? -1 : 1;
    return other->step - one->step;
}

static bool put(Sweep *sweep, int from, int upto, int weight)
{
    if (sweep->used + 2 > MOST || from > upto)
        return false;
    sweep->edges[sweep->used++] = (Edge){from, weight};
    sweep->edges[sweep->used++] = (Edge){upto + 1, -weight};
    sweep->ordered = false;
    return true;
}

static void settle(Sweep *sweep)
{
    if (sweep->ordered)
        return;
    qsort(sweep->edges, sweep->used, sizeof(Edge), by_place);
    sweep->ordered = true;
}

static int depth_at(Sweep *sweep, int place)
{
    int depth = 0;
    settle(sweep);
    for (size_t i = 0; i < sweep->used && sweep->edges[i].at <= place; i++)
        depth += sweep->edges[i].step;
    return depth;
}

static int write_covered(Sweep *sweep, FILE *out)
{
    int depth = 0, start = 0, total = 0;
    bool first = true;
    settle(sweep);
    for (size_t i = 0; i < sweep->used;) {
        int before = depth, here = sweep->edges[i].at;
        do
            depth += sweep->edges[i++].step;
        while (i < sweep->used && sweep->edges[i].at == here);
        if (before <= 0 && depth > 0)
            start = here;
        if (before > 0 && depth <= 0) {
            if (!first)
                fputc(',', out);
            first = false;
            total += here - start;
            if (here - 1 == start)
                fprintf(out, "%d", start);
            else
                fprintf(out, "%d-%d", start, here - 1);
        }
    }
    fputc('\n', out);
    return total;
}

int main(void)
{
    Sweep sweep = {.used = 0};
    put(&sweep, 1, 5, 1);
    put(&sweep, 9, 12, 1);
    put(&sweep, 6, 7, 1);
    put(&sweep, 3, 10, -1);
    int total = write_covered(&sweep, stdout);
    printf("%d %d %d\n", total, depth_at(&sweep, 2), depth_at(&sweep, 4));
    return 0;
}
