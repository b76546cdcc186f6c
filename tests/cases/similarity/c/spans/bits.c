/* A bounded set of numbers as bits; ranges are only a way of writing it. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 16, BITS = 64 };

struct bits {
    uint64_t word[WORDS];
};

uint64_t mask(unsigned first, unsigned last)
{
    uint64_t upper = last == BITS - 1 ? ~UINT64_C(0) : (UINT64_C(1) << (last + 1)) - 1;
    return upper & ~((UINT64_C(1) << first) - 1);
}

void fill(struct bits *set, unsigned first, unsigned last, int on)
{
    unsigned w;
    for (w = first / BITS; w <= last / BITS && w < WORDS; w++) {
        unsigned lo = w == first / BITS ? first % BITS : 0;
        unsigned hi = w == last / BITS ? last % BITS : BITS - 1;
        if (on)
            set->word[w] |= mask(lo, hi);
        else
            set->word[w] &= ~mask(lo, hi);
    }
}

int parse(struct bits *set, const char *text)
{
    unsigned numbers[2], which = 0;
    int on = 1;
    numbers[0] = 0;
    for (;; text++) {
        if (isdigit((unsigned char)*text)) {
            numbers[which] = numbers[which] * 10 + (unsigned)(*text - '0');
        } else if (*text == '-' && which == 0) {
            numbers[++which] = 0;
        } else if (*text == ',' || *text == '\0') {
            if (numbers[0] > numbers[which] || numbers[which] >= WORDS * BITS)
                return -1;
            fill(set, numbers[0], numbers[which], on);
            which = numbers[0] = 0;
            on = 1;
            if (*text == '\0')
                return 0;
        } else if (*text == '!') {
            on = 0;
        } else if (!isspace((unsigned char)*text)) {
            return -1;
        }
    }
}

size_t format(const struct bits *set, char *out, size_t room)
{
    size_t length = 0;
    unsigned bit = 0;
    out[0] = '\0';
    while (bit < WORDS * BITS) {
        unsigned start = bit;
        while (bit < WORDS * BITS && (set->word[bit / BITS] >> (bit % BITS) & 1))
            bit++;
        if (bit > start) {
            const char *comma = length ? "," : "";
            if (bit - start == 1)
                length += (size_t)snprintf(out + length, room - length, "%s%u", comma, start);
            else
                length += (size_t)snprintf(out + length, room - length, "%s%u-%u", comma, start, bit - 1);
        }
        bit++;
    }
    return length;
}

int main(void)
{
    struct bits set;
    char out[200];
    memset(&set, 0, sizeof set);
    if (parse(&set, "1-5, 9-12, 6-7, !3-10") != 0)
        return 1;
    format(&set, out, sizeof out);
    puts(out);
    return 0;
}
