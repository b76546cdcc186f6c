package calculator;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Sums as trees that can be simplified, derived and evaluated. */
class Trees {
    sealed interface Expr permits Num, Var, Op {}

    record Num(double value) implements Expr {}

    record Var(String name) implements Expr {}

    record Op(char sign, Expr left, Expr right) implements Expr {}

    private static final Pattern WORD = Pattern.compile("\\d+(?:\\.\\d+)?|[a-z]+|[-+*/()]");
    private static final Map<Character, Integer> BINDING = new HashMap<>();

    static {
        BINDING.put('+', 10);
        BINDING.put('-', 10);
        BINDING.put('*', 20);
        BINDING.put('/', 20);
    }

    private final Iterator<String> words;
    private String word;

    private Trees(String text) {
        words = WORD.matcher(text).results().map(MatchResult::group).iterator();
        shift();
    }

    private String shift() {
        String before = word;
        word = words.hasNext() ? words.next() : "";
        return before;
    }

    private Expr climb(int least) {
        String first = shift();
        Expr left;
        if (first.equals("(")) {
            left = climb(0);
            shift();
        } else if (first.equals("-")) {
            left = new Op('-', new Num(0), climb(25));
        } else if (Character.isDigit(first.charAt(0))) {
            left = new Num(Double.parseDouble(first));
        } else {
            left = new Var(first);
        }
        while (!word.isEmpty() && BINDING.getOrDefault(word.charAt(0), -1) > least) {
            char sign = shift().charAt(0);
            left = new Op(sign, left, climb(BINDING.get(sign)));
        }
        return left;
    }

    static Expr parse(String text) {
        return new Trees(text).climb(0);
    }

    static double evaluate(Expr expr, Function<String, Double> names) {
        if (expr instanceof Num num) return num.value();
        if (expr instanceof Var var) return names.apply(var.name());
        Op op = (Op) expr;
        double a = evaluate(op.left(), names), b = evaluate(op.right(), names);
        return switch (op.sign()) {
            case '+' -> a + b;
            case '-' -> a - b;
            case '*' -> a * b;
            default -> a / b;
        };
    }

    static Expr derive(Expr expr, String by) {
        if (expr instanceof Num) return new Num(0);
        if (expr instanceof Var var) return new Num(var.name().equals(by) ? 1 : 0);
        Op op = (Op) expr;
        Expr left = derive(op.left(), by), right = derive(op.right(), by);
        if (op.sign() == '+' || op.sign() == '-') return new Op(op.sign(), left, right);
        Expr one = new Op('*', left, op.right()), other = new Op('*', op.left(), right);
        if (op.sign() == '*') return new Op('+', one, other);
        return new Op('/', new Op('-', one, other), new Op('*', op.right(), op.right()));
    }

    public static void main(String[] args) {
        Expr expr = parse("2*x*x - -(x + 1)/2");
        System.out.println(evaluate(expr, name -> 3.0));
        System.out.println(evaluate(derive(expr, "x"), name -> 3.0));
    }
}
