<?php

namespace Sweep;

const HOLE = -1000;

function edges(string $text): array
{
    $edges = [];
    foreach (preg_split('/\s*[,;]\s*/', trim($text), -1, PREG_SPLIT_NO_EMPTY) as $part) {
        if (!preg_match('/^(!?)(\d+)(?:\.\.(\d+))?$/', $part, $found)) {
            throw new \UnexpectedValueException("cannot be read: $part");
        }
        $weight = $found[1] === '!' ? HOLE : 1;
        $start = (int) $found[2];
        $end = (int) ($found[3] ?? $found[2]) + 1;
        $edges[$start] = ($edges[$start] ?? 0) + $weight;
        $edges[$end] = ($edges[$end] ?? 0) - $weight;
    }
    ksort($edges);
    return $edges;
}

function stretches(array $edges): \Generator
{
    $depth = 0;
    $open = null;
    foreach ($edges as $place => $change) {
        $depth += $change;
        if ($depth > 0 && $open === null) {
            $open = $place;
        } elseif ($depth <= 0 && $open !== null) {
            yield $open => $place - 1;
            $open = null;
        }
    }
}

function summary(string $text): array
{
    $out = ['stretches' => [], 'total' => 0, 'longest' => null];
    foreach (stretches(edges($text)) as $low => $high) {
        $length = $high - $low + 1;
        $out['stretches'][] = compact('low', 'high');
        $out['total'] += $length;
        if ($out['longest'] === null || $length > $out['longest']['length']) {
            $out['longest'] = ['at' => $low, 'length' => $length];
        }
    }
    return $out;
}

function gaps(string $text, int $first, int $last): array
{
    $gaps = [];
    $at = $first;
    foreach (stretches(edges($text)) as $low => $high) {
        if ($low > $last) {
            break;
        }
        if ($low > $at) {
            $gaps[] = range($at, $low - 1);
        }
        $at = max($at, $high + 1);
    }
    if ($at <= $last) {
        $gaps[] = range($at, $last);
    }
    return array_merge([], ...$gaps);
}

function depth(string $text, int $place): int
{
    $edges = array_filter(edges($text), fn (int $at): bool => $at <= $place, ARRAY_FILTER_USE_KEY);
    return array_sum($edges);
}
