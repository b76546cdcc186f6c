<?php

const SIGNS = [
    '+' => ['rank' => 1, 'arity' => 2],
    '-' => ['rank' => 1, 'arity' => 2],
    '*' => ['rank' => 2, 'arity' => 2],
    '/' => ['rank' => 2, 'arity' => 2],
    '~' => ['rank' => 3, 'arity' => 1],
];

function tokens(string $line): array
{
    if (preg_match_all('/\G\s*(\d+(?:\.\d+)?|[-+*\/()])\s*/', $line, $found) === 0) {
        throw new ParseError('empty');
    }
    if (strlen(implode('', $found[0])) !== strlen($line)) {
        throw new ParseError('strange letter');
    }
    $previous = '(';
    return array_map(function ($token) use (&$previous) {
        $unary = $token === '-' && (isset(SIGNS[$previous]) || $previous === '(');
        return $previous = $unary ? '~' : $token;
    }, $found[1]);
}

function postfix(array $tokens): array
{
    $output = [];
    $stack = new SplStack();
    foreach ($tokens as $token) {
        switch (true) {
            case is_numeric($token):
                $output[] = (float) $token;
                break;
            case $token === '(' || $token === '~':
                $stack->push($token);
                break;
            case $token === ')':
                while (!$stack->isEmpty() && $stack->top() !== '(') {
                    $output[] = $stack->pop();
                }
                if ($stack->isEmpty()) {
                    throw new ParseError('not opened');
                }
                $stack->pop();
                break;
            default:
                while (!$stack->isEmpty() && $stack->top() !== '('
                    && SIGNS[$stack->top()]['rank'] >= SIGNS[$token]['rank']) {
                    $output[] = $stack->pop();
                }
                $stack->push($token);
        }
    }
    foreach ($stack as $left) {
        if ($left === '(') {
            throw new ParseError('not closed');
        }
        $output[] = $left;
    }
    return $output;
}

function work(array $postfix): float
{
    $values = [];
    foreach ($postfix as $item) {
        if (is_float($item)) {
            array_push($values, $item);
            continue;
        }
        $operands = array_splice($values, -SIGNS[$item]['arity']);
        if (count($operands) !== SIGNS[$item]['arity']) {
            throw new ParseError("too few numbers for $item");
        }
        [$a, $b] = $operands + [1 => null];
        $values[] = match ($item) {
            '+' => $a + $b,
            '-' => $a - $b,
            '*' => $a * $b,
            '/' => fdiv($a, $b),
            '~' => -$a,
        };
    }
    return count($values) === 1 ? $values[0] : throw new ParseError('no single number');
}
