using System;
using System.Collections.Generic;

namespace Calculator
{
    internal abstract class Node
    {
        public abstract decimal Value(IDictionary<string, decimal> names);

        public virtual Node Folded() => this;

        public static Node Parse(string source)
        {
            var words = new Queue<string>(Words(source));
            Node tree = Climb(words, 0);
            if (words.Count > 0)
                throw new InvalidOperationException("left over: " + words.Peek());
            return tree.Folded();
        }

        private static IEnumerable<string> Words(string source)
        {
            int i = 0;
            while (i < source.Length)
            {
                int start = i++;
                if (source[start] == ' ')
                    continue;
                if (char.IsLetterOrDigit(source[start]))
                    while (i < source.Length && (char.IsLetterOrDigit(source[i]) || source[i] == '.'))
                        i++;
                yield return source.Substring(start, i - start);
            }
        }

        private static int Power(string word)
        {
            int place = "+-*/^".IndexOf(word, StringComparison.Ordinal);
            return place < 0 || word.Length != 1 ? -1 : place / 2 + 1;
        }

        private static Node Climb(Queue<string> words, int least)
        {
            string word = words.Count > 0 ? words.Dequeue() : throw new InvalidOperationException("ends early");
            Node left;
            if (word == "-")
                left = new Pair("-", new Constant(0), Climb(words, 3));
            else if (word == "(")
            {
                left = Climb(words, 0);
                if (words.Count == 0 || words.Dequeue() != ")")
                    throw new InvalidOperationException("not closed");
            }
            else if (char.IsDigit(word[0]))
                left = new Constant(decimal.Parse(word));
            else
                left = new Name(word);
            while (words.Count > 0 && Power(words.Peek()) > least)
            {
                string sign = words.Dequeue();
                left = new Pair(sign, left, Climb(words, Power(sign)));
            }
            return left;
        }
    }

    internal sealed class Constant : Node
    {
        public readonly decimal Number;
        public Constant(decimal number) { Number = number; }
        public override decimal Value(IDictionary<string, decimal> names) => Number;
    }

    internal sealed class Name : Node
    {
        private readonly string name;
        public Name(string name) { this.name = name; }
        public override decimal Value(IDictionary<string, decimal> names)
        {
            if (!names.TryGetValue(name, out decimal value))
                throw new KeyNotFoundException(name);
            return value;
        }
    }

    internal sealed class Pair : Node
    {
        private readonly string sign;
        private readonly Node left, right;

        public Pair(string sign, Node left, Node right)
        {
            this.sign = sign;
            this.left = left;
            this.right = right;
        }

        public override decimal Value(IDictionary<string, decimal> names)
        {
            decimal a = left.Value(names), b = right.Value(names);
            return sign switch
            {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                _ => (decimal)Math.Pow((double)a, (double)b),
            };
        }

        public override Node Folded()
        {
            Node one = left.Folded(), other = right.Folded();
            var pair = new Pair(sign, one, other);
            return one is Constant && other is Constant ? new Constant(pair.Value(new Dictionary<string, decimal>())) : pair;
        }
    }
}
