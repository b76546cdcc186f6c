package cache

import "hash/maphash"

type slot struct {
	hash  uint64
	data  []byte
	fresh bool
}

// Ring keeps blobs in shards; in each a hand goes round and drops what was not read.
type Ring struct {
	seed   maphash.Seed
	shards []shard
}

type shard struct {
	slots []slot
	hand  int
	bytes int
	limit int
}

// New returns a ring of shards, each for so many bytes.
func New(shards, limit int) *Ring {
	r := &Ring{seed: maphash.MakeSeed(), shards: make([]shard, shards)}
	for i := range r.shards {
		r.shards[i].limit = limit
	}
	return r
}

func (r *Ring) locate(name []byte) (*shard, uint64) {
	hash := maphash.Bytes(r.seed, name)
	return &r.shards[hash%uint64(len(r.shards))], hash
}

// Read returns a blob, or nil.
func (r *Ring) Read(name []byte) []byte {
	s, hash := r.locate(name)
	for i := range s.slots {
		if s.slots[i].hash == hash {
			s.slots[i].fresh = true
			return s.slots[i].data
		}
	}
	return nil
}

// Write keeps a blob; one that is larger than a shard is not kept.
func (r *Ring) Write(name, data []byte) bool {
	s, hash := r.locate(name)
	if len(data) > s.limit {
		return false
	}
	for i := range s.slots {
		if s.slots[i].hash != hash {
			continue
		}
		s.bytes += len(data) - len(s.slots[i].data)
		s.slots[i].data = data
		s.shrink(i)
		return true
	}
	s.bytes += len(data)
	s.slots = append(s.slots, slot{hash: hash, data: data})
	s.shrink(len(s.slots) - 1)
	return true
}

func (s *shard) shrink(kept int) {
	for s.bytes > s.limit {
		if s.hand >= len(s.slots) {
			s.hand = 0
		}
		victim := &s.slots[s.hand]
		if victim.fresh || s.hand == kept {
			victim.fresh = false
			s.hand++
			continue
		}
		s.bytes -= len(victim.data)
		last := len(s.slots) - 1
		if kept == last {
			kept = s.hand
		}
		s.slots[s.hand] = s.slots[last]
		s.slots = s.slots[:last]
	}
}

// Usage returns how full each shard is, in [0, 1].
func (r *Ring) Usage() []float64 {
	out := make([]float64, 0, len(r.shards))
	for _, s := range r.shards {
		out = append(out, float64(s.bytes)/float64(s.limit))
	}
	return out
}
