/* Two stacks: operators wait on one until what binds tighter is done on the other. */
#include <stdio.h>
#include <string.h>

#define DEPTH 64

enum fault { NONE, SYNTAX, DIVISION, TOO_DEEP };

typedef struct {
    double numbers[DEPTH];
    char waiting[DEPTH];
    int count, held;
    enum fault fault;
} Yard;

static int rank_of(char sign)
{
    switch (sign) {
    case '+':
    case '-':
        return 1;
    case '*':
    case '/':
        return 2;
    case '~':
        return 3;
    default:
        return 0;
    }
}

static void apply(Yard *yard)
{
    char sign = yard->waiting[--yard->held];
    int needed = sign == '~' ? 1 : 2;
    if (yard->count < needed) {
        yard->fault = SYNTAX;
        return;
    }
    double right = yard->numbers[--yard->count];
    double left = needed == 2 ? yard->numbers[--yard->count] : 0;
    double made = 0;
    switch (sign) {
    case '+': made = left + right; break;
    case '-': made = left - right; break;
    case '*': made = left * right; break;
    case '~': made = -right; break;
    case '/':
        if (right == 0)
            yard->fault = DIVISION;
        else
            made = left / right;
        break;
    default:
        yard->fault = SYNTAX;
    }
    yard->numbers[yard->count++] = made;
}

static void push_sign(Yard *yard, char sign)
{
    while (sign != '~' && yard->held > 0 && !yard->fault
           && rank_of(yard->waiting[yard->held - 1]) >= rank_of(sign))
        apply(yard);
    if (yard->held == DEPTH)
        yard->fault = TOO_DEEP;
    else
        yard->waiting[yard->held++] = sign;
}

static void close_bracket(Yard *yard)
{
    while (yard->held > 0 && yard->waiting[yard->held - 1] != '(' && !yard->fault)
        apply(yard);
    if (yard->held == 0)
        yard->fault = SYNTAX;
    else
        yard->held--;
}

enum fault run(const char *line, double *answer)
{
    Yard yard = {.count = 0};
    int wants_number = 1, used;
    double number;
    while (*line && !yard.fault) {
        if (*line == ' ') {
            line++;
        } else if (wants_number && sscanf(line, "%lf%n", &number, &used) == 1 && *line != '-') {
            yard.numbers[yard.count++] = number;
            line += used;
            wants_number = 0;
        } else if (*line == '(') {
            yard.waiting[yard.held++] = *line++;
        } else if (*line == ')') {
            close_bracket(&yard);
            line++;
        } else if (strchr("+-*/", *line)) {
            push_sign(&yard, wants_number && *line == '-' ? '~' : *line);
            wants_number = 1;
            line++;
        } else {
            yard.fault = SYNTAX;
        }
    }
    while (yard.held > 0 && !yard.fault)
        apply(&yard);
    if (!yard.fault && yard.count != 1)
        yard.fault = SYNTAX;
    *answer = yard.count ? yard.numbers[0] : 0;
    return yard.fault;
}

int main(void)
{
    double answer;
    printf("%d ", run("1 + 2*3", &answer));
    printf("%g\n", answer);
    printf("%d ", run("(1+2)*3 - -4", &answer));
    printf("%g\n", answer);
    printf("%d %d\n", run("2/0", &answer), run("2 +", &answer));
    return 0;
}
