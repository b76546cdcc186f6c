<?php

namespace Cache;

use DateInterval;
use DateTimeImmutable;
use SplPriorityQueue;

class Expiring
{
    protected SplPriorityQueue $deadlines;
    protected array $items = [];
    protected int $generation = 0;

    public function __construct(protected DateInterval $life, protected \Closure $clock)
    {
        $this->deadlines = new SplPriorityQueue();
        $this->deadlines->setExtractFlags(SplPriorityQueue::EXTR_BOTH);
    }

    protected function now(): DateTimeImmutable
    {
        return ($this->clock)();
    }

    public function store(string $name, mixed $value, ?DateInterval $life = null): void
    {
        $deadline = $this->now()->add($life ?? $this->life)->getTimestamp();
        $number = ++$this->generation;
        $this->items[$name] = ['value' => $value, 'deadline' => $deadline, 'number' => $number];
        $this->deadlines->insert([$name, $number], -$deadline);
    }

    public function sweep(): int
    {
        $gone = 0;
        $present = $this->now()->getTimestamp();
        while (!$this->deadlines->isEmpty() && -$this->deadlines->top()['priority'] <= $present) {
            [$name, $number] = $this->deadlines->extract()['data'];
            if (($this->items[$name]['number'] ?? null) === $number) {
                unset($this->items[$name]);
                $gone++;
            }
        }
        return $gone;
    }

    public function find(string $name, mixed $otherwise = null): mixed
    {
        $this->sweep();
        return isset($this->items[$name]) ? $this->items[$name]['value'] : $otherwise;
    }

    public function touch(string $name): bool
    {
        if (!isset($this->items[$name])) {
            return false;
        }
        $this->store($name, $this->items[$name]['value']);
        return true;
    }

    public function soonest(int $count): array
    {
        $items = $this->items;
        uasort($items, fn (array $a, array $b): int => $a['deadline'] <=> $b['deadline'] ?: $a['number'] <=> $b['number']);
        return array_keys(array_slice($items, 0, $count, true));
    }
}
