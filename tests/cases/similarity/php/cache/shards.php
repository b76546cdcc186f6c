<?php

function shards_open($count, $bytes)
{
    $shards = array();
    for ($i = 0; $i < $count; $i++) {
        $shards[] = array('slots' => array(), 'hand' => 0, 'used' => 0, 'limit' => $bytes);
    }
    return $shards;
}

function shards_pick(&$shards, $key)
{
    return abs(crc32($key)) % count($shards);
}

function shards_read(&$shards, $key)
{
    $which = shards_pick($shards, $key);
    foreach ($shards[$which]['slots'] as $place => $slot) {
        if ($slot['key'] == $key) {
            $shards[$which]['slots'][$place]['fresh'] = true;
            return $slot['data'];
        }
    }
    return false;
}

function shards_write(&$shards, $key, $data)
{
    $shard = &$shards[shards_pick($shards, $key)];
    $size = strlen($data);
    if ($size > $shard['limit']) {
        return false;
    }
    foreach ($shard['slots'] as $place => $slot) {
        if ($slot['key'] == $key) {
            $shard['used'] -= strlen($slot['data']);
            array_splice($shard['slots'], $place, 1);
            break;
        }
    }
    while ($shard['used'] + $size > $shard['limit']) {
        if ($shard['hand'] >= count($shard['slots'])) {
            $shard['hand'] = 0;
        }
        $victim = &$shard['slots'][$shard['hand']];
        if ($victim['fresh']) {
            $victim['fresh'] = false;
            $shard['hand']++;
        } else {
            $shard['used'] -= strlen($victim['data']);
            unset($victim);
            array_splice($shard['slots'], $shard['hand'], 1);
        }
        unset($victim);
    }
    $shard['slots'][] = array('key' => $key, 'data' => $data, 'fresh' => false);
    $shard['used'] += $size;
    return true;
}

function shards_report($shards)
{
    $lines = array();
    foreach ($shards as $number => $shard) {
        $share = $shard['limit'] ? round(100 * $shard['used'] / $shard['limit']) : 0;
        $keys = array_map(function ($slot) {
            return $slot['fresh'] ? strtoupper($slot['key']) : $slot['key'];
        }, $shard['slots']);
        $lines[] = "$number: $share% " . implode(' ', $keys);
    }
    return implode("\n", $lines) . "\n";
}
