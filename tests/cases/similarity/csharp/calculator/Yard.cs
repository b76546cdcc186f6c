using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace Calculator;

public static class Yard
{
    private sealed record Operator(int Rank, int Arity, Func<double[], double> Apply);

    private static readonly Dictionary<string, Operator> Operators = new()
    {
        ["+"] = new(1, 2, it => it[0] + it[1]),
        ["-"] = new(1, 2, it => it[0] - it[1]),
        ["*"] = new(2, 2, it => it[0] * it[1]),
        ["/"] = new(2, 2, it => it[1] == 0 ? throw new DivideByZeroException() : it[0] / it[1]),
        ["neg"] = new(3, 1, it => -it[0]),
        ["max"] = new(9, 2, it => Math.Max(it[0], it[1])),
    };

    private static readonly Regex Token = new(@"\G\s*(?:(?<number>\d+(\.\d+)?)|(?<name>[a-z]+)|(?<mark>[-+*/(),]))\s*");

    public static double Run(string line)
    {
        var output = new Stack<double>();
        var waiting = new Stack<string>();
        bool expecting = true;
        int seen = 0;
        foreach (Match match in Token.Matches(line))
        {
            seen += match.Length;
            string word = match.Value.Trim();
            if (match.Groups["number"].Success)
            {
                output.Push(double.Parse(word));
                expecting = false;
            }
            else if (match.Groups["name"].Success || word == "(")
            {
                waiting.Push(word);
                expecting = true;
            }
            else if (word is ")" or ",")
            {
                Unwind(output, waiting, top => top != "(");
                if (word == ",")
                {
                    expecting = true;
                    continue;
                }
                waiting.Pop();
                if (waiting.TryPeek(out string? function) && Operators.TryGetValue(function, out Operator? known) && known.Rank == 9)
                {
                    Reduce(output, waiting.Pop());
                }
                expecting = false;
            }
            else
            {
                string name = expecting && word == "-" ? "neg" : word;
                int rank = Operators[name].Rank;
                if (name != "neg")
                {
                    Unwind(output, waiting, top => top != "(" && Operators[top].Rank >= rank);
                }
                waiting.Push(name);
                expecting = true;
            }
        }
        if (seen != line.Length || expecting)
        {
            throw new ArgumentException("cannot be read: " + line);
        }
        Unwind(output, waiting, _ => true);
        return output.Single();
    }

    private static void Unwind(Stack<double> output, Stack<string> waiting, Predicate<string> while_)
    {
        while (waiting.Count > 0 && while_(waiting.Peek()))
        {
            Reduce(output, waiting.Pop());
        }
    }

    private static void Reduce(Stack<double> output, string name)
    {
        Operator known = Operators[name];
        var operands = new double[known.Arity];
        for (int i = known.Arity - 1; i >= 0; i--)
        {
            operands[i] = output.Pop();
        }
        output.Push(known.Apply(operands));
    }
}
