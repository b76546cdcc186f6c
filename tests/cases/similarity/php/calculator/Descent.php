<?php

final class Descent
{
    private string $text;
    private int $at = 0;

    private function __construct(string $text)
    {
        $this->text = $text;
    }

    public static function evaluate(string $text): float
    {
        $reader = new self($text);
        $value = $reader->sum();
        if ($reader->peek() !== '') {
            throw new DomainException(sprintf("unexpected '%s' at %d", $reader->peek(), $reader->at));
        }
        return $value;
    }

    private function peek(): string
    {
        while ($this->at < strlen($this->text) && ctype_space($this->text[$this->at])) {
            $this->at++;
        }
        return $this->text[$this->at] ?? '';
    }

    private function take(string $wanted): bool
    {
        if ($this->peek() !== $wanted) {
            return false;
        }
        $this->at++;
        return true;
    }

    private function sum(): float
    {
        $value = $this->product();
        while (true) {
            if ($this->take('+')) {
                $value += $this->product();
            } elseif ($this->take('-')) {
                $value -= $this->product();
            } else {
                return $value;
            }
        }
    }

    private function product(): float
    {
        $value = $this->factor();
        while (true) {
            if ($this->take('*')) {
                $value *= $this->factor();
            } elseif ($this->take('/')) {
                $divisor = $this->factor();
                if ($divisor == 0) {
                    throw new DivisionByZeroError('division by zero');
                }
                $value /= $divisor;
            } else {
                return $value;
            }
        }
    }

    private function factor(): float
    {
        if ($this->take('-')) {
            return -$this->factor();
        }
        if ($this->take('(')) {
            $value = $this->sum();
            if (!$this->take(')')) {
                throw new DomainException("a bracket stays open at {$this->at}");
            }
            return $value;
        }
        $this->peek();
        $start = $this->at;
        while ($this->at < strlen($this->text) && strpos('0123456789.', $this->text[$this->at]) !== false) {
            $this->at++;
        }
        if ($start === $this->at) {
            throw new DomainException("no number at $start");
        }
        return (float) substr($this->text, $start, $this->at - $start);
    }
}
