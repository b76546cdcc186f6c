package spans;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** A set of numbers in pages of bits; pages that are empty are not kept. */
public class Shelf implements Iterable<Integer> {
    private static final int PAGE = 1 << 10;
    private final HashMap<Integer, BitSet> pages = new HashMap<>();
    private int changes;

    public Shelf with(int first, int last) {
        int number = first;
        do {
            int page = Math.floorDiv(number, PAGE);
            int end = Math.min(last, (page + 1) * PAGE - 1);
            pages.computeIfAbsent(page, it -> new BitSet(PAGE)).set(number - page * PAGE, end - page * PAGE + 1);
            number = end + 1;
        } while (number <= last);
        changes++;
        return this;
    }

    public Shelf without(Shelf other) {
        for (Integer page : other.pages.keySet()) {
            BitSet bits = pages.get(page);
            if (bits == null) continue;
            bits.andNot(other.pages.get(page));
            if (bits.isEmpty()) pages.remove(page);
        }
        changes++;
        return this;
    }

    public int count() {
        return pages.values().stream().mapToInt(BitSet::cardinality).sum();
    }

    @Override
    public Iterator<Integer> iterator() {
        final int[] order = pages.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        final int seen = changes;
        return new Iterator<>() {
            private int at = 0;
            private int bit = -1;

            { advance(); }

            private void advance() {
                while (at < order.length) {
                    bit = pages.get(order[at]).nextSetBit(bit + 1);
                    if (bit >= 0) return;
                    at++;
                }
            }

            @Override
            public boolean hasNext() {
                return at < order.length;
            }

            @Override
            public Integer next() {
                if (seen != changes) throw new IllegalStateException("changed meanwhile");
                if (!hasNext()) throw new NoSuchElementException();
                int value = order[at] * PAGE + bit;
                advance();
                return value;
            }
        };
    }

    public String describe() {
        String text = "";
        Integer start = null, last = null;
        for (int value : this) {
            if (last != null && value == last + 1) {
                last = value;
                continue;
            }
            if (start != null) text += start + ".." + last + " ";
            start = last = value;
        }
        return start == null ? "nothing" : text + start + ".." + last;
    }

    public static void main(String[] args) {
        Shelf shelf = new Shelf().with(1, 5).with(9, 12).with(6, 7).without(new Shelf().with(3, 10));
        System.out.println(shelf.describe() + " " + shelf.count());
    }
}
