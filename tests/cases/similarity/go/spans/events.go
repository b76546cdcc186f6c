package spans

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

var errOrder = errors.New("the end lies before the start")

type event struct {
	at    int64
	delta int
}

// Timeline is a list of starts and ends; nothing is merged until it is asked.
type Timeline struct {
	events []event
	dirty  bool
}

func (t *Timeline) mark(start, end int64, delta int) {
	t.events = append(t.events, event{start, delta}, event{end, -delta})
	t.dirty = true
}

// ReadFrom reads lines such as `3..9` and `!4..5`.
func (t *Timeline) ReadFrom(r io.Reader) (int64, error) {
	scanner := bufio.NewScanner(r)
	var count int64
	for scanner.Scan() {
		line := strings.TrimSpace(scanner.Text())
		if line == "" {
			continue
		}
		delta := 1
		if rest, found := strings.CutPrefix(line, "!"); found {
			line, delta = rest, -1000
		}
		left, right, ranged := strings.Cut(line, "..")
		if !ranged {
			right = left
		}
		start, err := strconv.ParseInt(left, 10, 64)
		if err != nil {
			return count, err
		}
		end, err := strconv.ParseInt(right, 10, 64)
		if err != nil {
			return count, err
		}
		if end < start {
			return count, errOrder
		}
		t.mark(start, end+1, delta)
		count++
	}
	return count, scanner.Err()
}

// Walk calls visit for each stretch that is covered, until it returns false.
func (t *Timeline) Walk(visit func(start, end int64) bool) {
	if t.dirty {
		slices.SortFunc(t.events, func(a, b event) int {
			switch {
			case a.at < b.at:
				return -1
			case a.at > b.at:
				return 1
			}
			return b.delta - a.delta
		})
		t.dirty = false
	}
	depth, open := 0, int64(0)
	for i := 0; i < len(t.events); {
		was, at := depth > 0, t.events[i].at
		for ; i < len(t.events) && t.events[i].at == at; i++ {
			depth += t.events[i].delta
		}
		switch is := depth > 0; {
		case is && !was:
			open = at
		case was && !is:
			if !visit(open, at-1) {
				return
			}
		}
	}
}

// Longest returns the longest stretch.
func (t *Timeline) Longest() (start, end int64) {
	best := int64(-1)
	t.Walk(func(low, high int64) bool {
		if high-low > best {
			best, start, end = high-low, low, high
		}
		return true
	})
	return
}
