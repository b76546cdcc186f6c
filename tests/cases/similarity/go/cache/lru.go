package cache

import (
	"container/list"
	"sync"
)

type pair struct {
	key   string
	value any
}

// LRU forgets what was not used for the longest time.
type LRU struct {
	mutex   sync.Mutex
	most    int
	order   *list.List
	index   map[string]*list.Element
	OnEvict func(key string, value any)
}

// NewLRU returns a cache for at most that many entries.
func NewLRU(most int) *LRU {
	return &LRU{most: most, order: list.New(), index: make(map[string]*list.Element)}
}

// Get returns what is kept and whether it is.
func (c *LRU) Get(key string) (any, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	element, found := c.index[key]
	if !found {
		return nil, false
	}
	c.order.MoveToFront(element)
	return element.Value.(*pair).value, true
}

// Put keeps a value.
func (c *LRU) Put(key string, value any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if element, found := c.index[key]; found {
		element.Value.(*pair).value = value
		c.order.MoveToFront(element)
		return
	}
	c.index[key] = c.order.PushFront(&pair{key, value})
	for c.order.Len() > c.most {
		c.evict(c.order.Back())
	}
}

func (c *LRU) evict(element *list.Element) {
	gone := c.order.Remove(element).(*pair)
	delete(c.index, gone.key)
	if c.OnEvict != nil {
		c.OnEvict(gone.key, gone.value)
	}
}

// Remove forgets one entry.
func (c *LRU) Remove(key string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	element, found := c.index[key]
	if found {
		c.evict(element)
	}
	return found
}

// Keys returns the keys, the latest first.
func (c *LRU) Keys() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	keys := make([]string, 0, c.order.Len())
	for element := c.order.Front(); element != nil; element = element.Next() {
		keys = append(keys, element.Value.(*pair).key)
	}
	return keys
}
