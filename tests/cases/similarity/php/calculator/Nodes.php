<?php

namespace Nodes;

interface Node
{
    public function value(array $names = []): float;
}

final class Number implements Node
{
    public function __construct(private readonly float $number)
    {
    }

    public function value(array $names = []): float
    {
        return $this->number;
    }
}

final class Name implements Node
{
    public function __construct(private readonly string $name)
    {
    }

    public function value(array $names = []): float
    {
        if (!array_key_exists($this->name, $names)) {
            throw new \OutOfBoundsException($this->name);
        }
        return $names[$this->name];
    }
}

final class Pair implements Node
{
    public function __construct(private string $sign, private Node $left, private Node $right)
    {
    }

    public function value(array $names = []): float
    {
        $left = $this->left->value($names);
        $right = $this->right->value($names);
        if ($this->sign === '/' && $right == 0) {
            throw new \ArithmeticError('over zero');
        }
        $work = [
            '+' => fn () => $left + $right,
            '-' => fn () => $left - $right,
            '*' => fn () => $left * $right,
            '/' => fn () => $left / $right,
            '^' => fn () => $left ** $right,
        ];
        return $work[$this->sign]();
    }
}

final class Parser
{
    private static array $strength = ['+' => 10, '-' => 10, '*' => 20, '/' => 20, '^' => 31];
    private array $words;

    public function __construct(string $text)
    {
        $this->words = array_map('strval', token_words($text));
    }

    public function parse(int $least = 0): Node
    {
        $word = array_shift($this->words);
        if ($word === null) {
            throw new \RuntimeException('ends too early');
        }
        if ($word === '(') {
            $left = $this->parse();
            if (array_shift($this->words) !== ')') {
                throw new \RuntimeException('not closed');
            }
        } elseif ($word === '-') {
            $left = new Pair('-', new Number(0), $this->parse(25));
        } else {
            $left = is_numeric($word) ? new Number((float) $word) : new Name($word);
        }
        while ($this->words && (self::$strength[$this->words[0]] ?? -1) > $least) {
            $sign = array_shift($this->words);
            $beyond = self::$strength[$sign];
            $left = new Pair($sign, $left, $this->parse($sign === '^' ? $beyond - 1 : $beyond));
        }
        return $left;
    }
}

function token_words(string $text): array
{
    $words = [];
    for ($i = 0; $i < strlen($text); $i += max(1, $length)) {
        $length = strspn($text, '0123456789.', $i) ?: strspn($text, 'abcdefghijklmnopqrstuvwxyz', $i);
        if ($length > 0 || !ctype_space($text[$i])) {
            $words[] = substr($text, $i, max(1, $length));
        }
    }
    return $words;
}
