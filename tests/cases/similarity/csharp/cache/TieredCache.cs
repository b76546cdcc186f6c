using System.Collections.Generic;
using System.Linq;

namespace Caching
{
    internal interface ITier
    {
        bool Offer(int key, byte[] data, out int lostKey, out byte[] lostData);
        byte[] Take(int key);
        int Weight { get; }
    }

    internal class QueueTier : ITier
    {
        private readonly int most;
        private readonly Queue<int> arrivals = new Queue<int>();
        private readonly IDictionary<int, byte[]> held = new Dictionary<int, byte[]>();

        public QueueTier(int most)
        {
            this.most = most;
        }

        public int Weight => held.Values.Select(it => it.Length).DefaultIfEmpty(0).Sum();

        public bool Offer(int key, byte[] data, out int lostKey, out byte[] lostData)
        {
            lostKey = 0;
            lostData = null;
            if (!held.ContainsKey(key))
                arrivals.Enqueue(key);
            held[key] = data;
            bool lost = false;
            while (!lost && Weight > most && arrivals.Count > 1)
            {
                lostKey = arrivals.Dequeue();
                lost = held.TryGetValue(lostKey, out lostData) && held.Remove(lostKey);
            }
            return lost;
        }

        public byte[] Take(int key)
        {
            byte[] data;
            if (!held.TryGetValue(key, out data))
                return null;
            held.Remove(key);
            return data;
        }
    }

    internal class TieredCache
    {
        private readonly ITier[] tiers;
        private readonly Dictionary<int, int> asked = new Dictionary<int, int>();

        public TieredCache(params ITier[] tiers)
        {
            this.tiers = tiers;
        }

        public byte[] Read(int key)
        {
            int times;
            asked.TryGetValue(key, out times);
            asked[key] = times + 1;
            foreach (ITier tier in tiers)
            {
                byte[] data = tier.Take(key);
                if (data != null)
                {
                    Write(key, data);
                    return data;
                }
            }
            return null;
        }

        public void Write(int key, byte[] data)
        {
            int level = 0;
            while (level < tiers.Length)
            {
                int lostKey;
                byte[] lostData;
                if (!tiers[level].Offer(key, data, out lostKey, out lostData))
                    return;
                key = lostKey;
                data = lostData;
                level = level + 1;
            }
            asked.Remove(key);
        }

        public string Report()
        {
            var popular = from pair in asked where pair.Value > 1 orderby pair.Value descending select pair.Key;
            return string.Join(" ", popular.Take(3)) + " / " + string.Join(" ", tiers.Select(it => it.Weight));
        }
    }
}
