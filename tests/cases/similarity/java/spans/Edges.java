package spans;

import java.util.Map;
import java.util.NavigableMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where membership begins and ends is all that is noted: a map from a place to what holds from there on. */
class Edges {
    private final NavigableMap<Integer, Boolean> edges = new TreeMap<>(Map.of(Integer.MIN_VALUE, false));

    static Edges parse(String text) {
        Edges edges = new Edges();
        Stream.of(text.split(","))
            .map(String::trim)
            .filter(part -> !part.isEmpty())
            .forEach(part -> {
                boolean present = !part.startsWith("!");
                String[] ends = (present ? part : part.substring(1)).split("-");
                int first = Integer.parseInt(ends[0]);
                int last = Integer.parseInt(ends[ends.length - 1]);
                edges.set(first, last + 1, present);
            });
        return edges;
    }

    void set(int from, int upto, boolean present) {
        boolean after = edges.floorEntry(upto).getValue();
        edges.subMap(from, true, upto, true).clear();
        Map.Entry<Integer, Boolean> before = edges.lowerEntry(from);
        if (before == null || before.getValue() != present) {
            edges.put(from, present);
        }
        if (after != present) {
            edges.put(upto, after);
        }
    }

    boolean at(int place) {
        return edges.floorEntry(place).getValue();
    }

    void each(BiConsumer<Integer, Integer> visitor) {
        Integer open = null;
        for (var edge : edges.entrySet()) {
            if (edge.getValue()) {
                open = edge.getKey();
            } else if (open != null) {
                visitor.accept(open, edge.getKey() - 1);
                open = null;
            }
        }
    }

    String text() {
        StringJoiner joiner = new StringJoiner(",");
        each((low, high) -> joiner.add(low.equals(high) ? low.toString() : low + "-" + high));
        return joiner.toString();
    }

    Edges flipped() {
        Edges other = new Edges();
        other.edges.putAll(edges.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, it -> !it.getValue())));
        return other;
    }

    public static void main(String[] args) {
        Edges edges = parse("1-5, 9-12, 6-7, !3-10");
        System.out.println(edges.text() + " " + edges.at(2) + " " + edges.at(4) + " " + edges.flipped().at(4));
    }
}
