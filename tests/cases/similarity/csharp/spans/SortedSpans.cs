using System;
using System.Collections.Generic;
using System.Linq;

namespace Spans
{
    /// <summary>Ranges in a sorted list; each change makes what touches one.</summary>
    public sealed class SortedSpans
    {
        private readonly List<(int Low, int High)> spans = new();

        public int Count => spans.Sum(it => it.High - it.Low + 1);

        public void Add(int low, int high)
        {
            if (low > high)
            {
                throw new ArgumentException($"{low} is over {high}");
            }
            var touching = new List<(int Low, int High)>();
            foreach (var span in spans)
            {
                if (span.High >= low - 1 && span.Low <= high + 1)
                {
                    touching.Add(span);
                }
            }
            foreach (var span in touching)
            {
                spans.Remove(span);
                low = Math.Min(low, span.Low);
                high = Math.Max(high, span.High);
            }
            spans.Add((low, high));
            spans.Sort((a, b) => a.Low.CompareTo(b.Low));
        }

        public void Remove(int low, int high)
        {
            for (int i = spans.Count - 1; i >= 0; i--)
            {
                var (first, last) = spans[i];
                if (last < low || first > high)
                {
                    continue;
                }
                spans.RemoveAt(i);
                if (last > high)
                {
                    spans.Insert(i, (high + 1, last));
                }
                if (first < low)
                {
                    spans.Insert(i, (first, low - 1));
                }
            }
        }

        public bool Contains(int value)
        {
            int from = 0, upto = spans.Count - 1;
            while (from <= upto)
            {
                int middle = (from + upto) / 2;
                if (value < spans[middle].Low)
                {
                    upto = middle - 1;
                }
                else if (value > spans[middle].High)
                {
                    from = middle + 1;
                }
                else
                {
                    return true;
                }
            }
            return false;
        }

        public override string ToString()
        {
            return string.Join(",", spans.Select(it => it.Low == it.High ? $"{it.Low}" : $"{it.Low}-{it.High}"));
        }
    }
}
