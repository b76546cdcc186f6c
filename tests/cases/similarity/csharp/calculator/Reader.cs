using System;
using System.Globalization;

namespace Calculator
{
    public class Reader
    {
        private readonly string text;
        private int at;

        private Reader(string text)
        {
            this.text = text;
        }

        public static double Evaluate(string text)
        {
            var reader = new Reader(text);
            double value = reader.Sum();
            if (reader.Peek() != '\0')
            {
                throw new FormatException("unexpected '" + reader.Peek() + "' at " + reader.at);
            }
            return value;
        }

        private char Peek()
        {
            while (at < text.Length && char.IsWhiteSpace(text[at]))
            {
                at++;
            }
            return at < text.Length ? text[at] : '\0';
        }

        private double Sum()
        {
            double value = Product();
            while (Peek() == '+' || Peek() == '-')
            {
                if (text[at++] == '+')
                {
                    value += Product();
                }
                else
                {
                    value -= Product();
                }
            }
            return value;
        }

        private double Product()
        {
            double value = Factor();
            for (;;)
            {
                switch (Peek())
                {
                    case '*':
                        at++;
                        value *= Factor();
                        break;
                    case '/':
                        at++;
                        double by = Factor();
                        if (by == 0)
                        {
                            throw new DivideByZeroException();
                        }
                        value /= by;
                        break;
                    default:
                        return value;
                }
            }
        }

        private double Factor()
        {
            char next = Peek();
            if (next == '-')
            {
                at++;
                return -Factor();
            }
            if (next == '(')
            {
                at++;
                double inner = Sum();
                if (Peek() != ')')
                {
                    throw new FormatException("a bracket is open at " + at);
                }
                at++;
                return inner;
            }
            int start = at;
            while (at < text.Length && (char.IsDigit(text[at]) || text[at] == '.'))
            {
                at++;
            }
            if (start == at)
            {
                throw new FormatException("expected a number at " + start);
            }
            return double.Parse(text.Substring(start, at - start), CultureInfo.InvariantCulture);
        }
    }
}
