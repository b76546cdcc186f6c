package calculator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.StringTokenizer;
import java.util.function.DoubleBinaryOperator;

/** Turns a sum into postfix order, which can be shown, and works it off. */
final class Postfix {
    enum Sign implements DoubleBinaryOperator {
        PLUS("+", 1) {
            public double applyAsDouble(double a, double b) {
                return a + b;
            }
        },
        MINUS("-", 1) {
            public double applyAsDouble(double a, double b) {
                return a - b;
            }
        },
        TIMES("*", 2) {
            public double applyAsDouble(double a, double b) {
                return a * b;
            }
        },
        OVER("/", 2) {
            public double applyAsDouble(double a, double b) {
                if (b == 0) {
                    throw new ArithmeticException("nothing can be parted in no parts");
                }
                return a / b;
            }
        };

        final String written;
        final int rank;

        Sign(String written, int rank) {
            this.written = written;
            this.rank = rank;
        }

        static Sign of(String token) {
            for (Sign sign : values()) {
                if (sign.written.equals(token)) {
                    return sign;
                }
            }
            return null;
        }
    }

    private Postfix() {}

    static List<Object> order(String line) {
        List<Object> out = new ArrayList<>();
        Deque<Object> stack = new ArrayDeque<>();
        StringTokenizer tokens = new StringTokenizer(line, "+-*/() ", true);
        Object previous = null;
        while (tokens.hasMoreTokens()) {
            String token = tokens.nextToken();
            if (token.isBlank()) {
                continue;
            }
            Sign sign = Sign.of(token);
            if (token.equals("(")) {
                stack.push(token);
            } else if (token.equals(")")) {
                for (Object top = stack.pop(); !"(".equals(top); top = stack.pop()) {
                    out.add(top);
                }
            } else if (sign == null) {
                out.add(Double.valueOf(token));
            } else {
                if (sign == Sign.MINUS && (previous == null || previous instanceof Sign || "(".equals(previous))) {
                    out.add(0.0);
                    stack.push(Sign.MINUS);
                    previous = sign;
                    continue;
                }
                while (stack.peek() instanceof Sign waiting && waiting.rank >= sign.rank) {
                    out.add(stack.pop());
                }
                stack.push(sign);
            }
            previous = sign != null ? sign : token;
        }
        while (!stack.isEmpty()) {
            out.add(stack.pop());
        }
        return out;
    }

    static double work(List<Object> order) {
        double[] values = new double[order.size() + 1];
        int top = 0;
        for (Object item : order) {
            if (item instanceof Double number) {
                values[top++] = number;
            } else if (item instanceof Sign sign && top > 1) {
                top--;
                values[top - 1] = sign.applyAsDouble(values[top - 1], values[top]);
            } else {
                throw new IllegalArgumentException("too few numbers");
            }
        }
        return values[0];
    }

    public static void main(String[] args) {
        System.out.println(work(order("1 + 2*3")) + " " + work(order("(1+2)*3 - 4")));
        System.out.println(order("2 * (3 + 4)").size());
    }
}
