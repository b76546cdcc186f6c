/* Evaluates sums by recursive descent, one function a level of precedence. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *text;
    int bad;
};

static double sum(struct reader *in);

static void blanks(struct reader *in)
{
    while (isspace((unsigned char)*in->text))
        in->text++;
}

static int accept(struct reader *in, char wanted)
{
    blanks(in);
    if (*in->text != wanted)
        return 0;
    in->text++;
    return 1;
}

static double atom(struct reader *in)
{
    double value;
    char *end;
    if (accept(in, '(')) {
        value = sum(in);
        if (!accept(in, ')'))
            in->bad = 1;
        return value;
    }
    if (accept(in, '-'))
        return -atom(in);
    blanks(in);
    if (strncmp(in->text, "pi", 2) == 0) {
        in->text += 2;
        return 3.0;
    }
    value = strtod(in->text, &end);
    if (end == in->text)
        in->bad = 1;
    in->text = end;
    return value;
}

static double power(struct reader *in)
{
    double base = atom(in);
    if (accept(in, '^'))
        return pow(base, power(in));
    return base;
}

static double product(struct reader *in)
{
    double value = power(in);
    while (!in->bad) {
        if (accept(in, '*')) {
            value *= power(in);
        } else if (accept(in, '/')) {
            double by = power(in);
            if (by == 0)
                in->bad = 2;
            else
                value /= by;
        } else {
            break;
        }
    }
    return value;
}

static double sum(struct reader *in)
{
    double value = product(in);
    for (;;) {
        if (accept(in, '+'))
            value += product(in);
        else if (accept(in, '-'))
            value -= product(in);
        else
            return value;
    }
}

int evaluate(const char *text, double *out)
{
    struct reader in = {text, 0};
    *out = sum(&in);
    blanks(&in);
    if (*in.text != '\0' && !in.bad)
        in.bad = 1;
    return in.bad;
}

int main(void)
{
    const char *asked[] = {"1 + 2*3", "(1+2)*3 - -4", "2/0", "2 +"};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        double out;
        int bad = evaluate(asked[i], &out);
        if (bad)
            printf("error %d\n", bad);
        else
            printf("%g\n", out);
    }
    return 0;
}
