/* A set of whole numbers, kept as a linked list of closed ranges. */
#include <stdio.h>
#include <stdlib.h>

struct range {
    long low, high;
    struct range *next;
};

struct range *range_new(long low, long high, struct range *next)
{
    struct range *fresh = malloc(sizeof *fresh);
    if (fresh == NULL) {
        perror("range");
        exit(2);
    }
    fresh->low = low;
    fresh->high = high;
    fresh->next = next;
    return fresh;
}

void set_add(struct range **head, long low, long high)
{
    struct range **link = head;
    while (*link != NULL && (*link)->high + 1 < low)
        link = &(*link)->next;
    while (*link != NULL && (*link)->low <= high + 1) {
        struct range *old = *link;
        if (old->low < low)
            low = old->low;
        if (old->high > high)
            high = old->high;
        *link = old->next;
        free(old);
    }
    *link = range_new(low, high, *link);
}

void set_remove(struct range **head, long low, long high)
{
    struct range **link = head;
    while (*link != NULL) {
        struct range *now = *link;
        if (now->high < low || now->low > high) {
            link = &now->next;
            continue;
        }
        if (now->low < low && now->high > high) {
            now->next = range_new(high + 1, now->high, now->next);
            now->high = low - 1;
            return;
        }
        if (now->low < low) {
            now->high = low - 1;
            link = &now->next;
        } else if (now->high > high) {
            now->low = high + 1;
            return;
        } else {
            *link = now->next;
            free(now);
        }
    }
}

int set_has(const struct range *head, long value)
{
    for (; head != NULL; head = head->next)
        if (value >= head->low && value <= head->high)
            return 1;
    return 0;
}

void set_print(const struct range *head)
{
    const char *between = "";
    for (; head != NULL; head = head->next) {
        if (head->low == head->high)
            printf("%s%ld", between, head->low);
        else
            printf("%s%ld-%ld", between, head->low, head->high);
        between = ",";
    }
    printf("\n");
}

int main(void)
{
    struct range *set = NULL;
    set_add(&set, 1, 5);
    set_add(&set, 9, 12);
    set_add(&set, 6, 7);
    set_remove(&set, 3, 10);
    set_print(set);
    printf("%d %d\n", set_has(set, 2), set_has(set, 4));
    return 0;
}
