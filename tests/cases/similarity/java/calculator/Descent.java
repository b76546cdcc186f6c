package calculator;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Evaluates while it reads, one method a level. */
public class Descent {
    private static final Map<String, DoubleUnaryOperator> FUNCTIONS =
        Map.of("abs", Math::abs, "sqrt", Math::sqrt, "twice", it -> 2 * it);

    private final String text;
    private int position = 0;

    Descent(String text) {
        this.text = text;
    }

    static class SyntaxException extends RuntimeException {
        SyntaxException(String message, int position) {
            super(message + " at " + position);
        }
    }

    static double evaluate(String text) {
        Descent reader = new Descent(text);
        double value = reader.sum();
        if (reader.next() != 0) {
            throw new SyntaxException("unexpected '" + reader.next() + "'", reader.position);
        }
        return value;
    }

    private char next() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
        return position < text.length() ? text.charAt(position) : 0;
    }

    private boolean skip(char wanted) {
        if (next() == wanted) {
            position++;
            return true;
        }
        return false;
    }

    private double sum() {
        double value = product();
        while (true) {
            if (skip('+')) {
                value += product();
            } else if (skip('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    private double product() {
        double value = unary();
        while (true) {
            if (skip('*')) {
                value *= unary();
            } else if (skip('/')) {
                double divisor = unary();
                if (divisor == 0) {
                    throw new ArithmeticException("division by zero");
                }
                value /= divisor;
            } else {
                return value;
            }
        }
    }

    private double unary() {
        if (skip('-')) {
            return -unary();
        }
        double base = primary();
        return skip('^') ? Math.pow(base, unary()) : base;
    }

    private double primary() {
        if (skip('(')) {
            double value = sum();
            if (!skip(')')) {
                throw new SyntaxException("expected ')'", position);
            }
            return value;
        }
        int start = position;
        if (Character.isLetter(next())) {
            start = position;
            while (position < text.length() && Character.isLetter(text.charAt(position))) {
                position++;
            }
            DoubleUnaryOperator function = FUNCTIONS.get(text.substring(start, position));
            if (function == null) {
                throw new SyntaxException("unknown name", start);
            }
            return function.applyAsDouble(primary());
        }
        start = position;
        while (position < text.length() && "0123456789.".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        if (start == position) {
            throw new SyntaxException("expected a number", start);
        }
        return Double.parseDouble(text.substring(start, position));
    }

    public static void main(String[] args) {
        for (String it : new String[] {"1 + 2*3", "(1+2)*3 - -4", "2/0", "2 +", "abs(1-3)^2"}) {
            try {
                System.out.println(evaluate(it));
            } catch (RuntimeException cause) {
                System.out.println(cause.getMessage());
            }
        }
    }
}
