/* A bounded cache whose entries expire: a heap by deadline beside a sorted index. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    const char *name;
    long due;
    double worth;
};

struct expiring {
    struct item **heap;
    struct item **index;
    int size, room;
};

static void swap(struct item **items, int a, int b)
{
    struct item *held = items[a];
    items[a] = items[b];
    items[b] = held;
}

static void sift(struct expiring *it, int at)
{
    while (at > 0 && it->heap[(at - 1) / 2]->due > it->heap[at]->due) {
        swap(it->heap, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
    for (;;) {
        int least = at, child;
        for (child = 2 * at + 1; child <= 2 * at + 2 && child < it->size; child++)
            if (it->heap[child]->due < it->heap[least]->due)
                least = child;
        if (least == at)
            return;
        swap(it->heap, at, least);
        at = least;
    }
}

static int find(const struct expiring *it, const char *name, int *where)
{
    int low = 0, high = it->size;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(it->index[middle]->name, name);
        if (order == 0) {
            *where = middle;
            return 1;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *where = low;
    return 0;
}

static void expire(struct expiring *it, long now, int force)
{
    while (it->size > 0 && (it->heap[0]->due <= now || force-- > 0)) {
        struct item *gone = it->heap[0];
        int where;
        find(it, gone->name, &where);
        memmove(it->index + where, it->index + where + 1, (size_t)(it->size - where - 1) * sizeof gone);
        it->heap[0] = it->heap[--it->size];
        if (it->size)
            sift(it, 0);
        free(gone);
    }
}

void store(struct expiring *it, const char *name, double worth, long due, long now)
{
    int where;
    expire(it, now, 0);
    if (find(it, name, &where)) {
        int at = 0;
        while (it->heap[at] != it->index[where])
            at++;
        it->heap[at]->worth = worth;
        it->heap[at]->due = due;
        sift(it, at);
        return;
    }
    if (it->size == it->room)
        expire(it, now, 1);
    find(it, name, &where);
    struct item *item = malloc(sizeof *item);
    *item = (struct item){name, due, worth};
    memmove(it->index + where + 1, it->index + where, (size_t)(it->size - where) * sizeof item);
    it->index[where] = it->heap[it->size++] = item;
    sift(it, it->size - 1);
}

int main(void)
{
    struct item *heap[2], *index[2];
    struct expiring it = {heap, index, 0, 2};
    int where;
    store(&it, "a", 1, 10, 0);
    store(&it, "b", 2, 20, 0);
    store(&it, "c", 3, 15, 5);
    printf("%d %d %d\n", find(&it, "a", &where), find(&it, "b", &where), find(&it, "c", &where));
    expire(&it, 16, 0);
    printf("%d\n", it.size);
    return 0;
}
