/* A bounded cache: a table of chains, and a ring in the order of last use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 31

struct entry {
    char *key;
    int value;
    struct entry *chain, *before, *after;
};

struct cache {
    struct entry *table[BUCKETS];
    struct entry ring;
    unsigned count, most;
};

static unsigned bucket(const char *key)
{
    unsigned hash = 5381;
    while (*key)
        hash = hash * 33 ^ (unsigned char)*key++;
    return hash % BUCKETS;
}

struct cache *cache_open(unsigned most)
{
    struct cache *cache = calloc(1, sizeof *cache);
    cache->most = most;
    cache->ring.before = cache->ring.after = &cache->ring;
    return cache;
}

static void unlink_entry(struct entry *entry)
{
    entry->before->after = entry->after;
    entry->after->before = entry->before;
}

static void to_front(struct cache *cache, struct entry *entry)
{
    entry->after = cache->ring.after;
    entry->before = &cache->ring;
    cache->ring.after->before = entry;
    cache->ring.after = entry;
}

static struct entry **place_of(struct cache *cache, const char *key)
{
    struct entry **place = &cache->table[bucket(key)];
    while (*place && strcmp((*place)->key, key))
        place = &(*place)->chain;
    return place;
}

static void drop(struct cache *cache, struct entry **place)
{
    struct entry *gone = *place;
    *place = gone->chain;
    unlink_entry(gone);
    free(gone->key);
    free(gone);
    cache->count--;
}

int cache_get(struct cache *cache, const char *key, int *value)
{
    struct entry *found = *place_of(cache, key);
    if (!found)
        return 0;
    unlink_entry(found);
    to_front(cache, found);
    *value = found->value;
    return 1;
}

void cache_put(struct cache *cache, const char *key, int value)
{
    struct entry **place = place_of(cache, key);
    if (*place) {
        (*place)->value = value;
        unlink_entry(*place);
        to_front(cache, *place);
        return;
    }
    if (cache->count == cache->most) {
        drop(cache, place_of(cache, cache->ring.before->key));
        place = place_of(cache, key);
    }
    struct entry *fresh = calloc(1, sizeof *fresh);
    fresh->key = malloc(strlen(key) + 1);
    strcpy(fresh->key, key);
    fresh->value = value;
    *place = fresh;
    to_front(cache, fresh);
    cache->count++;
}

int main(void)
{
    int value = 0;
    struct cache *cache = cache_open(2);
    cache_put(cache, "a", 1);
    cache_put(cache, "b", 2);
    cache_get(cache, "a", &value);
    cache_put(cache, "c", 3);
    printf("%d %d %d\n", cache_get(cache, "a", &value), cache_get(cache, "b", &value), cache_get(cache, "c", &value));
    return 0;
}
