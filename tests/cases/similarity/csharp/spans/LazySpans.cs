using System;
using System.Collections;
using System.Collections.Generic;
using System.Text;

namespace Spans;

public readonly struct Piece : IComparable<Piece>
{
    public readonly long From;
    public readonly long Upto;

    public Piece(long from, long upto)
    {
        From = from;
        Upto = upto;
    }

    public bool IsEmpty => Upto <= From;

    public int CompareTo(Piece other) => From != other.From ? From.CompareTo(other.From) : Upto.CompareTo(other.Upto);
}

public static class LazySpans
{
    public static IEnumerable<Piece> Parse(string text)
    {
        foreach (string part in text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            int dash = part.IndexOf('-', 1);
            long low = long.Parse(dash < 0 ? part : part[..dash]);
            long high = dash < 0 ? low : long.Parse(part[(dash + 1)..]);
            yield return new Piece(low, high + 1);
        }
    }

    public static IEnumerable<Piece> Union(IEnumerable<Piece> pieces)
    {
        var queue = new SortedSet<Piece>(pieces);
        Piece? open = null;
        foreach (Piece piece in queue)
        {
            if (piece.IsEmpty) continue;
            if (open is { } current && piece.From <= current.Upto)
            {
                open = new Piece(current.From, Math.Max(current.Upto, piece.Upto));
                continue;
            }
            if (open is { } done) yield return done;
            open = piece;
        }
        if (open is { } last) yield return last;
    }

    public static IEnumerable<Piece> Except(IEnumerable<Piece> left, IEnumerable<Piece> right)
    {
        using IEnumerator<Piece> holes = Union(right).GetEnumerator();
        bool more = holes.MoveNext();
        foreach (Piece piece in Union(left))
        {
            long at = piece.From;
            while (more && holes.Current.Upto <= at) more = holes.MoveNext();
            while (more && holes.Current.From < piece.Upto)
            {
                var before = new Piece(at, holes.Current.From);
                if (!before.IsEmpty) yield return before;
                at = holes.Current.Upto;
                if (at >= piece.Upto) break;
                more = holes.MoveNext();
            }
            var rest = new Piece(at, piece.Upto);
            if (!rest.IsEmpty) yield return rest;
        }
    }

    public static string Describe(IEnumerable<Piece> pieces)
    {
        var text = new StringBuilder();
        long total = 0;
        foreach (Piece piece in pieces)
        {
            text.Append(text.Length == 0 ? "" : "; ").Append(piece.From).Append(" to ").Append(piece.Upto - 1);
            total += piece.Upto - piece.From;
        }
        return text.Append($" ({total})").ToString();
    }
}
