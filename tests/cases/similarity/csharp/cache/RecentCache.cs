using System;
using System.Collections.Generic;

namespace Caching
{
    public class RecentCache<TKey, TValue> where TKey : notnull
    {
        private readonly int capacity;
        private readonly LinkedList<KeyValuePair<TKey, TValue>> order = new();
        private readonly Dictionary<TKey, LinkedListNode<KeyValuePair<TKey, TValue>>> index = new();

        public event Action<TKey, TValue>? Evicted;

        public RecentCache(int capacity)
        {
            if (capacity <= 0)
            {
                throw new ArgumentOutOfRangeException(nameof(capacity));
            }
            this.capacity = capacity;
        }

        public int Count => order.Count;

        public bool TryGet(TKey key, out TValue? value)
        {
            if (!index.TryGetValue(key, out var node))
            {
                value = default;
                return false;
            }
            order.Remove(node);
            order.AddFirst(node);
            value = node.Value.Value;
            return true;
        }

        public void Put(TKey key, TValue value)
        {
            if (index.TryGetValue(key, out var known))
            {
                order.Remove(known);
                known.Value = new KeyValuePair<TKey, TValue>(key, value);
                order.AddFirst(known);
                return;
            }
            if (order.Count >= capacity)
            {
                var last = order.Last!;
                order.RemoveLast();
                index.Remove(last.Value.Key);
                Evicted?.Invoke(last.Value.Key, last.Value.Value);
            }
            index[key] = order.AddFirst(new KeyValuePair<TKey, TValue>(key, value));
        }

        public TValue GetOrAdd(TKey key, Func<TKey, TValue> make)
        {
            if (TryGet(key, out var found))
            {
                return found!;
            }
            TValue made = make(key);
            Put(key, made);
            return made;
        }

        public IEnumerable<TKey> Keys()
        {
            for (var node = order.First; node != null; node = node.Next)
            {
                yield return node.Value.Key;
            }
        }

        public bool Remove(TKey key)
        {
            if (!index.Remove(key, out var node))
            {
                return false;
            }
            order.Remove(node);
            return true;
        }
    }
}
