/* Parses by binding power into a tree in a pool, then folds the tree. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    char kind;
    double number;
    short left, right;
};

static struct node pool[128];
static short used;
static const char *cursor;

static short make(char kind, double number, short left, short right)
{
    if (used >= 128)
        return -1;
    pool[used].kind = kind;
    pool[used].number = number;
    pool[used].left = left;
    pool[used].right = right;
    return used++;
}

static char peek(void)
{
    while (*cursor == ' ' || *cursor == '\t')
        cursor++;
    return *cursor;
}

static int power_of(char sign, int *right_side)
{
    static const char table[][3] = {{'+', 1, 2}, {'-', 1, 2}, {'*', 3, 4}, {'/', 3, 4}, {'^', 8, 7}};
    for (int row = 0; row < 5; row++)
        if (table[row][0] == sign) {
            *right_side = table[row][2];
            return table[row][1];
        }
    return 0;
}

static short parse(int least)
{
    short left, right;
    int beyond, power;
    char sign = peek();
    if (sign == '-') {
        cursor++;
        left = parse(5);
        left = left < 0 ? left : make('n', 0, left, -1);
    } else if (sign == '(') {
        cursor++;
        left = parse(0);
        if (left < 0 || peek() != ')')
            return -1;
        cursor++;
    } else if (sign >= '0' && sign <= '9') {
        char *end;
        double number = strtod(cursor, &end);
        cursor = end;
        left = make('#', number, -1, -1);
    } else {
        return -1;
    }
    while (left >= 0 && (power = power_of(peek(), &beyond)) > least) {
        char found = *cursor++;
        right = parse(beyond - 1);
        if (right < 0)
            return -1;
        left = make(found, 0, left, right);
    }
    return left;
}

static double fold(short at)
{
    struct node *node = &pool[at];
    double one, other, out = 1;
    if (node->kind == '#')
        return node->number;
    one = fold(node->left);
    if (node->kind == 'n')
        return -one;
    other = fold(node->right);
    if (node->kind == '+')
        return one + other;
    if (node->kind == '-')
        return one - other;
    if (node->kind == '*')
        return one * other;
    if (node->kind == '/')
        return one / other;
    while (other-- >= 1)
        out *= one;
    return out;
}

int main(void)
{
    const char *lines[] = {"1 + 2*3", "(1+2)*3 - -4", "2^3^2", "2 +"};
    for (int i = 0; i < 4; i++) {
        used = 0;
        cursor = lines[i];
        short top = parse(0);
        if (top < 0 || peek() != '\0')
            puts("cannot be read");
        else
            printf("%g\n", fold(top));
    }
    return EXIT_SUCCESS;
}
