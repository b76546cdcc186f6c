// Package spans keeps a set of numbers as sorted ranges.
package spans

import (
	"fmt"
	"sort"
	"strings"
)

type span struct{ low, high int }

// Set holds ranges that neither overlap nor touch.
type Set struct {
	spans []span
}

func (s *Set) from(value int) int {
	return sort.Search(len(s.spans), func(i int) bool { return s.spans[i].high >= value })
}

// Add puts all numbers from low to high in.
func (s *Set) Add(low, high int) error {
	if low > high {
		return fmt.Errorf("%d is over %d", low, high)
	}
	first := s.from(low - 1)
	last := first
	for last < len(s.spans) && s.spans[last].low <= high+1 {
		if s.spans[last].low < low {
			low = s.spans[last].low
		}
		if s.spans[last].high > high {
			high = s.spans[last].high
		}
		last++
	}
	tail := append([]span{{low, high}}, s.spans[last:]...)
	s.spans = append(s.spans[:first], tail...)
	return nil
}

// Remove takes all numbers from low to high out.
func (s *Set) Remove(low, high int) {
	var kept []span
	for _, it := range s.spans {
		if it.high < low || it.low > high {
			kept = append(kept, it)
			continue
		}
		if it.low < low {
			kept = append(kept, span{it.low, low - 1})
		}
		if it.high > high {
			kept = append(kept, span{high + 1, it.high})
		}
	}
	s.spans = kept
}

// Has says whether a number is in.
func (s *Set) Has(value int) bool {
	i := s.from(value)
	return i < len(s.spans) && s.spans[i].low <= value
}

// Len counts the numbers.
func (s *Set) Len() int {
	total := 0
	for _, it := range s.spans {
		total += it.high - it.low + 1
	}
	return total
}

func (s *Set) String() string {
	parts := make([]string, 0, len(s.spans))
	for _, it := range s.spans {
		if it.low == it.high {
			parts = append(parts, fmt.Sprint(it.low))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", it.low, it.high))
		}
	}
	return strings.Join(parts, ",")
}
