/* A bounded cache in one array; a hand goes round and evicts what was not used since. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SLOTS 8
#define KEY_SIZE 16

typedef struct {
    char key[KEY_SIZE];
    int64_t value;
    bool taken, touched;
} Slot;

typedef struct {
    Slot slots[SLOTS];
    int size, hand;
    long hits, misses;
} Clock;

static Slot *look(Clock *clock, const char *key)
{
    for (int i = 0; i < clock->size; i++) {
        Slot *slot = clock->slots + i;
        if (slot->taken && strncmp(slot->key, key, KEY_SIZE) == 0)
            return slot;
    }
    return NULL;
}

static Slot *evict(Clock *clock)
{
    for (;;) {
        Slot *slot = &clock->slots[clock->hand];
        clock->hand = (clock->hand + 1) % clock->size;
        if (!slot->taken || !slot->touched)
            return slot;
        slot->touched = false;
    }
}

bool clock_read(Clock *clock, const char *key, int64_t *out)
{
    Slot *slot = look(clock, key);
    if (slot == NULL) {
        clock->misses++;
        return false;
    }
    clock->hits++;
    slot->touched = true;
    *out = slot->value;
    return true;
}

bool clock_write(Clock *clock, const char *key, int64_t value)
{
    if (strlen(key) >= KEY_SIZE)
        return false;
    Slot *slot = look(clock, key);
    if (slot == NULL) {
        slot = evict(clock);
        memset(slot, 0, sizeof *slot);
        strcpy(slot->key, key);
        slot->taken = true;
    }
    slot->value = value;
    return true;
}

int clock_forget(Clock *clock, bool (*chosen)(const char *key, int64_t value))
{
    int gone = 0;
    for (Slot *slot = clock->slots; slot < clock->slots + clock->size; slot++)
        if (slot->taken && chosen(slot->key, slot->value)) {
            slot->taken = false;
            gone++;
        }
    return gone;
}

static bool is_even(const char *key, int64_t value)
{
    (void)key;
    return value % 2 == 0;
}

int main(void)
{
    Clock clock = {.size = 2};
    int64_t out = 0;
    clock_write(&clock, "a", 1);
    clock_write(&clock, "b", 2);
    clock_read(&clock, "a", &out);
    clock_write(&clock, "c", 3);
    printf("%d %d %d\n", clock_read(&clock, "a", &out), clock_read(&clock, "b", &out), clock_read(&clock, "c", &out));
    printf("%d %ld %ld\n", clock_forget(&clock, is_even), clock.hits, clock.misses);
    return 0;
}
