package spans;

import java.util.ArrayList;
import java.util.List;

/** A set of whole numbers as a sorted list of ranges that do not touch. */
public final class Spans {
    private final List<long[]> ranges = new ArrayList<>();

    /** Adds all numbers from low to high. */
    public void add(long low, long high) {
        if (low > high) {
            throw new IllegalArgumentException("out of order: " + low + "-" + high);
        }
        int place = placeOf(low - 1);
        while (place < ranges.size() && ranges.get(place)[0] <= high + 1) {
            long[] old = ranges.remove(place);
            low = Math.min(low, old[0]);
            high = Math.max(high, old[1]);
        }
        ranges.add(place, new long[] {low, high});
    }

    /** Takes all numbers from low to high out. */
    public void remove(long low, long high) {
        int place = placeOf(low);
        while (place < ranges.size() && ranges.get(place)[0] <= high) {
            long[] old = ranges.remove(place);
            if (old[0] < low) {
                ranges.add(place++, new long[] {old[0], low - 1});
            }
            if (old[1] > high) {
                ranges.add(place, new long[] {high + 1, old[1]});
                return;
            }
        }
    }

    public boolean contains(long value) {
        int place = placeOf(value);
        return place < ranges.size() && ranges.get(place)[0] <= value;
    }

    public long size() {
        long total = 0;
        for (long[] range : ranges) {
            total += range[1] - range[0] + 1;
        }
        return total;
    }

    // The first range that does not end before the value.
    private int placeOf(long value) {
        int from = 0;
        int upto = ranges.size();
        while (from < upto) {
            int middle = (from + upto) >>> 1;
            if (ranges.get(middle)[1] < value) {
                from = middle + 1;
            } else {
                upto = middle;
            }
        }
        return from;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (long[] range : ranges) {
            if (out.length() > 0) {
                out.append(',');
            }
            out.append(range[0]);
            if (range[1] != range[0]) {
                out.append('-').append(range[1]);
            }
        }
        return out.toString();
    }

    public static void main(String[] args) {
        Spans spans = new Spans();
        spans.add(1, 5);
        spans.add(9, 12);
        spans.add(6, 7);
        spans.remove(3, 10);
        System.out.println(spans + " " + spans.size() + " " + spans.contains(2) + " " + spans.contains(4));
    }
}
