using System;
using System.Threading;

namespace Caching;

public sealed class ClockCache
{
    private struct Slot
    {
        public string? Key;
        public object? Value;
        public int Uses;
        public DateTime Until;
    }

    private const int MostUses = 3;
    private readonly Slot[] slots;
    private readonly TimeSpan life;
    private readonly Func<DateTime> now;
    private readonly object gate = new();
    private int hand;
    private long hits;
    private long misses;

    public ClockCache(int size, TimeSpan life, Func<DateTime> now)
    {
        slots = new Slot[size];
        this.life = life;
        this.now = now;
    }

    public (long Hits, long Misses) Counts => (Interlocked.Read(ref hits), Interlocked.Read(ref misses));

    public object? this[string key]
    {
        get
        {
            lock (gate)
            {
                int at = Array.FindIndex(slots, it => it.Key == key);
                if (at >= 0 && slots[at].Until > now())
                {
                    slots[at].Uses = Math.Min(slots[at].Uses + 1, MostUses);
                    hits++;
                    return slots[at].Value;
                }
                if (at >= 0) slots[at] = default;
                misses++;
                return null;
            }
        }
        set
        {
            lock (gate)
            {
                int at = Array.FindIndex(slots, it => it.Key == key);
                if (at < 0) at = Free();
                slots[at] = new Slot { Key = key, Value = value, Uses = 1, Until = now() + life };
            }
        }
    }

    private int Free()
    {
        DateTime present = now();
        while (true)
        {
            int at = hand;
            hand = (hand + 1) % slots.Length;
            ref Slot slot = ref slots[at];
            if (slot.Key == null || slot.Until <= present || slot.Uses == 0) return at;
            slot.Uses--;
        }
    }

    public int Forget(Predicate<string> chosen)
    {
        int gone = 0;
        lock (gate)
        {
            for (int at = 0; at < slots.Length; at++)
            {
                if (slots[at].Key is { } key && chosen(key))
                {
                    slots[at] = default;
                    gone++;
                }
            }
        }
        return gone;
    }
}
