package cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Open addressing in two arrays, with a probation and a protected part told apart by a bit. */
class Segmented {
    private static final int FREE = 0, NEW = 1, PROVEN = 2;

    private final long[] keys;
    private final double[] values;
    private final byte[] states;
    private final int[] stamps;
    private int clock;
    private int proven;

    Segmented(int size) {
        keys = new long[size];
        values = new double[size];
        states = new byte[size];
        stamps = new int[size];
    }

    private int search(long key) {
        int start = (int) Math.floorMod(key * 0x9E3779B97F4A7C15L >>> 7, (long) keys.length);
        for (int step = 0; step < keys.length; step++) {
            int slot = (start + step) % keys.length;
            if (states[slot] != FREE && keys[slot] == key) {
                return slot;
            }
        }
        return -1;
    }

    private int oldest(int state) {
        int found = -1;
        for (int slot = 0; slot < keys.length; slot++) {
            if (states[slot] == state && (found < 0 || stamps[slot] < stamps[found])) {
                found = slot;
            }
        }
        return found;
    }

    double read(long key, double otherwise) {
        int slot = search(key);
        if (slot < 0) {
            return otherwise;
        }
        stamps[slot] = ++clock;
        if (states[slot] == NEW) {
            states[slot] = PROVEN;
            if (++proven > keys.length / 2) {
                states[oldest(PROVEN)] = NEW;
                proven--;
            }
        }
        return values[slot];
    }

    void write(long key, double value) {
        int slot = search(key);
        if (slot < 0) {
            slot = oldest(FREE);
            if (slot < 0) {
                slot = oldest(NEW);
            }
            if (slot < 0) {
                slot = oldest(PROVEN);
                proven--;
            }
            keys[slot] = key;
            states[slot] = NEW;
        }
        values[slot] = value;
        stamps[slot] = ++clock;
    }

    List<Long> held() {
        List<Long> out = new ArrayList<>();
        for (int slot = 0; slot < keys.length; slot++) {
            if (states[slot] != FREE) {
                out.add(keys[slot]);
            }
        }
        out.sort(null);
        return out;
    }

    void clear() {
        Arrays.fill(states, (byte) FREE);
        clock = proven = 0;
    }

    public static void main(String[] args) {
        Segmented cache = new Segmented(2);
        cache.write(1, 1.5);
        cache.write(2, 2.5);
        cache.read(1, 0);
        cache.write(3, 3.5);
        System.out.println(cache.held() + " " + cache.read(2, -1));
    }
}
