<?php

declare(strict_types=1);

/** A set of whole numbers as sorted ranges. */
final class Spans implements Countable
{
    /** @var array<int, array{int, int}> */
    private array $ranges = [];

    public function add(int $low, int $high): self
    {
        if ($low > $high) {
            throw new InvalidArgumentException("$low is over $high");
        }
        $before = [];
        $after = [];
        foreach ($this->ranges as [$first, $last]) {
            if ($last < $low - 1) {
                $before[] = [$first, $last];
            } elseif ($first > $high + 1) {
                $after[] = [$first, $last];
            } else {
                $low = min($low, $first);
                $high = max($high, $last);
            }
        }
        $this->ranges = [...$before, [$low, $high], ...$after];
        return $this;
    }

    public function remove(int $low, int $high): self
    {
        $kept = [];
        foreach ($this->ranges as [$first, $last]) {
            if ($last < $low || $first > $high) {
                $kept[] = [$first, $last];
                continue;
            }
            if ($first < $low) {
                $kept[] = [$first, $low - 1];
            }
            if ($last > $high) {
                $kept[] = [$high + 1, $last];
            }
        }
        $this->ranges = $kept;
        return $this;
    }

    public function has(int $value): bool
    {
        $from = 0;
        $upto = count($this->ranges);
        while ($from < $upto) {
            $middle = intdiv($from + $upto, 2);
            if ($this->ranges[$middle][1] < $value) {
                $from = $middle + 1;
            } else {
                $upto = $middle;
            }
        }
        return isset($this->ranges[$from]) && $this->ranges[$from][0] <= $value;
    }

    public function count(): int
    {
        $total = 0;
        foreach ($this->ranges as [$first, $last]) {
            $total += $last - $first + 1;
        }
        return $total;
    }

    public function __toString(): string
    {
        $parts = [];
        foreach ($this->ranges as [$first, $last]) {
            $parts[] = $first === $last ? (string) $first : "$first-$last";
        }
        return implode(',', $parts);
    }
}
