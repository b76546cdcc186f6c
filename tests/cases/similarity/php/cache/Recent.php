<?php

/** Forgets what was not used for the longest time; an array keeps the order in which keys were put. */
class Recent implements ArrayAccess
{
    private array $entries = [];
    private int $hits = 0;
    private int $misses = 0;

    public function __construct(private int $most, private ?Closure $evicted = null)
    {
        if ($most < 1) {
            throw new ValueError('room for one at least');
        }
    }

    public function offsetExists(mixed $key): bool
    {
        return array_key_exists($key, $this->entries);
    }

    public function offsetGet(mixed $key): mixed
    {
        if (!array_key_exists($key, $this->entries)) {
            $this->misses++;
            return null;
        }
        $this->hits++;
        $value = $this->entries[$key];
        unset($this->entries[$key]);
        $this->entries[$key] = $value;
        return $value;
    }

    public function offsetSet(mixed $key, mixed $value): void
    {
        unset($this->entries[$key]);
        $this->entries[$key] = $value;
        while (count($this->entries) > $this->most) {
            $oldest = array_key_first($this->entries);
            if ($this->evicted !== null) {
                ($this->evicted)($oldest, $this->entries[$oldest]);
            }
            unset($this->entries[$oldest]);
        }
    }

    public function offsetUnset(mixed $key): void
    {
        unset($this->entries[$key]);
    }

    public function remember(string $key, callable $make): mixed
    {
        if (isset($this[$key])) {
            return $this[$key];
        }
        $made = $make($key);
        $this[$key] = $made;
        return $made;
    }

    public function rate(): float
    {
        $asked = $this->hits + $this->misses;
        return $asked === 0 ? 0.0 : $this->hits / $asked;
    }

    public function resize(int $most): void
    {
        $this->most = $most;
        $this->entries = array_slice($this->entries, -$most, null, true);
    }
}
