using System;
using System.Collections.Generic;
using System.Numerics;

namespace Spans
{
    // Blocks of 64 numbers by their number; a block of zeros is dropped.
    internal class BlockSpans
    {
        private readonly SortedDictionary<int, ulong> blocks = new SortedDictionary<int, ulong>();

        private delegate ulong Merge(ulong old, ulong mask);

        public void Set(int first, int last) => Apply(first, last, (old, mask) => old | mask);

        public void Clear(int first, int last) => Apply(first, last, (old, mask) => old & ~mask);

        public void Flip(int first, int last) => Apply(first, last, (old, mask) => old ^ mask);

        private void Apply(int first, int last, Merge merge)
        {
            for (int block = first >> 6; block <= last >> 6; ++block)
            {
                ulong mask = ulong.MaxValue;
                if (block == first >> 6)
                    mask &= ulong.MaxValue << (first & 63);
                if (block == last >> 6)
                    mask &= ulong.MaxValue >> (63 - (last & 63));
                blocks.TryGetValue(block, out ulong old);
                ulong made = merge(old, mask);
                if (made == 0)
                    blocks.Remove(block);
                else
                    blocks[block] = made;
            }
        }

        public bool this[int number]
        {
            get { return blocks.TryGetValue(number >> 6, out ulong bits) && (bits >> (number & 63) & 1) == 1; }
            set
            {
                if (value)
                    Set(number, number);
                else
                    Clear(number, number);
            }
        }

        public int Population()
        {
            int total = 0;
            foreach (KeyValuePair<int, ulong> pair in blocks)
                total += BitOperations.PopCount(pair.Value);
            return total;
        }

        public Tuple<int, int>[] Runs()
        {
            var runs = new List<Tuple<int, int>>();
            int start = int.MinValue, previous = int.MinValue;
            foreach (var pair in blocks)
            {
                ulong bits = pair.Value;
                while (bits != 0)
                {
                    int number = (pair.Key << 6) + BitOperations.TrailingZeroCount(bits);
                    bits &= bits - 1;
                    if (previous != number - 1)
                    {
                        if (start != int.MinValue)
                            runs.Add(Tuple.Create(start, previous));
                        start = number;
                    }
                    previous = number;
                }
            }
            if (start != int.MinValue)
                runs.Add(Tuple.Create(start, previous));
            return runs.ToArray();
        }
    }
}
