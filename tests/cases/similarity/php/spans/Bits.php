<?php

class Bits implements IteratorAggregate
{
    const WIDTH = 32;

    protected $words = array();
    protected $offset;

    public function __construct($offset = 0)
    {
        $this->offset = $offset;
    }

    protected function each($first, $last, callable $change)
    {
        $first -= $this->offset;
        $last -= $this->offset;
        for ($word = $first >> 5; $word <= $last >> 5; $word++) {
            $low = max($first - $word * self::WIDTH, 0);
            $high = min($last - $word * self::WIDTH, self::WIDTH - 1);
            $mask = ((1 << ($high - $low + 1)) - 1) << $low;
            $old = isset($this->words[$word]) ? $this->words[$word] : 0;
            $new = $change($old, $mask);
            if ($new) {
                $this->words[$word] = $new;
            } else {
                unset($this->words[$word]);
            }
        }
    }

    public function set($first, $last = null)
    {
        $this->each($first, $last === null ? $first : $last, function ($old, $mask) {
            return $old | $mask;
        });
    }

    public function clear($first, $last = null)
    {
        $this->each($first, $last === null ? $first : $last, function ($old, $mask) {
            return $old & ~$mask;
        });
    }

    public function test($number)
    {
        $number -= $this->offset;
        $word = $number >> 5;
        return !empty($this->words[$word]) && ($this->words[$word] >> ($number & 31)) % 2 == 1;
    }

    public function population()
    {
        $count = 0;
        foreach ($this->words as $bits) {
            for (; $bits; $count++) {
                $bits &= $bits - 1;
            }
        }
        return $count;
    }

    public function getIterator(): Iterator
    {
        ksort($this->words);
        foreach ($this->words as $word => $bits) {
            for ($bit = 0; $bits >> $bit; $bit++) {
                if ($bits >> $bit & 1) {
                    yield $this->offset + $word * self::WIDTH + $bit;
                }
            }
        }
    }

    public function describe($between = ' ')
    {
        $text = '';
        $start = $previous = null;
        foreach ($this as $number) {
            if ($previous !== null && $number != $previous + 1) {
                $text .= $start . '~' . $previous . $between;
                $start = null;
            }
            $start = $start === null ? $number : $start;
            $previous = $number;
        }
        return $start === null ? $text : $text . $start . '~' . $previous;
    }
}
