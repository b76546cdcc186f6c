package cache;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Entries live for a while; what expired is swept when something is stored. */
public final class Expiring {
    private record Entry(String name, Object value, long deadline) {}

    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();
    private final PriorityQueue<Entry> deadlines = new PriorityQueue<>(Comparator.comparingLong(Entry::deadline));
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongSupplier clock;
    private final long life;

    public Expiring(Duration life, LongSupplier clock) {
        this.life = life.toMillis();
        this.clock = clock;
    }

    public <T> T fetch(String name, Class<T> type, Supplier<? extends T> maker) {
        return find(name).filter(type::isInstance).map(type::cast).orElseGet(() -> {
            T made = maker.get();
            store(name, made);
            return made;
        });
    }

    public Optional<Object> find(String name) {
        Entry entry = entries.get(name);
        if (entry != null && entry.deadline() > clock.getAsLong()) {
            hits.increment();
            return Optional.of(entry.value());
        }
        misses.increment();
        return Optional.empty();
    }

    public synchronized void store(String name, Object value) {
        sweep();
        Entry entry = new Entry(name, value, clock.getAsLong() + life);
        Entry old = entries.put(name, entry);
        if (old != null) {
            deadlines.remove(old);
        }
        deadlines.add(entry);
    }

    private void sweep() {
        long now = clock.getAsLong();
        for (Entry first = deadlines.peek(); first != null && first.deadline() <= now; first = deadlines.peek()) {
            deadlines.poll();
            entries.remove(first.name(), first);
        }
    }

    public String report() {
        long asked = hits.sum() + misses.sum();
        return asked == 0 ? "never asked" : String.format("%d of %d, %d kept", hits.sum(), asked, entries.size());
    }

    public static void main(String[] args) {
        long[] now = {0};
        Expiring cache = new Expiring(Duration.ofMillis(10), () -> now[0]);
        cache.store("a", 1);
        now[0] = 8;
        System.out.println(cache.fetch("a", Integer.class, () -> 2));
        now[0] = 12;
        System.out.println(cache.fetch("a", Integer.class, () -> 3));
        cache.store("b", "x");
        System.out.println(cache.report());
    }
}
