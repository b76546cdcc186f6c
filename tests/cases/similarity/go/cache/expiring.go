package cache

import (
	"container/heap"
	"time"
)

type item[V any] struct {
	name     string
	value    V
	deadline time.Time
	place    int
}

type queue[V any] []*item[V]

func (q queue[V]) Len() int           { return len(q) }
func (q queue[V]) Less(i, j int) bool { return q[i].deadline.Before(q[j].deadline) }

func (q queue[V]) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place = i
	q[j].place = j
}

func (q *queue[V]) Push(x any) {
	it := x.(*item[V])
	it.place = len(*q)
	*q = append(*q, it)
}

func (q *queue[V]) Pop() any {
	old := *q
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return last
}

// Expiring keeps values for a while.
type Expiring[V any] struct {
	life  time.Duration
	now   func() time.Time
	items map[string]*item[V]
	queue queue[V]
}

// NewExpiring returns a cache whose entries live that long.
func NewExpiring[V any](life time.Duration, now func() time.Time) *Expiring[V] {
	return &Expiring[V]{life: life, now: now, items: map[string]*item[V]{}}
}

func (e *Expiring[V]) sweep() int {
	gone, present := 0, e.now()
	for len(e.queue) > 0 && !e.queue[0].deadline.After(present) {
		dead := heap.Pop(&e.queue).(*item[V])
		delete(e.items, dead.name)
		gone++
	}
	return gone
}

// Store keeps a value, and lets its time begin anew.
func (e *Expiring[V]) Store(name string, value V) {
	e.sweep()
	deadline := e.now().Add(e.life)
	if it, known := e.items[name]; known {
		it.value, it.deadline = value, deadline
		heap.Fix(&e.queue, it.place)
		return
	}
	it := &item[V]{name: name, value: value, deadline: deadline}
	e.items[name] = it
	heap.Push(&e.queue, it)
}

// Load returns a value, or makes and keeps it.
func (e *Expiring[V]) Load(name string, make func() (V, error)) (V, error) {
	e.sweep()
	if it, known := e.items[name]; known {
		return it.value, nil
	}
	made, err := make()
	if err == nil {
		e.Store(name, made)
	}
	return made, err
}
