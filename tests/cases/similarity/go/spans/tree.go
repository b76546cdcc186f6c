package spans

import "math/bits"

const leafBits = 6

// node covers a power of two of numbers; full and empty ones have no children.
type node struct {
	full        bool
	leaf        uint64
	left, right *node
}

// Tree is a set of small numbers in a tree that halves the range at each step.
type Tree struct {
	root   *node
	height uint
}

// NewTree returns an empty tree for numbers below 2^height.
func NewTree(height uint) *Tree {
	if height < leafBits {
		height = leafBits
	}
	return &Tree{root: &node{}, height: height}
}

func paint(n *node, height uint, base, first, last uint64, on bool) {
	size := uint64(1) << height
	if first <= base && base+size-1 <= last {
		*n = node{full: on}
		if height == leafBits && on {
			n.leaf = ^uint64(0)
		}
		return
	}
	if height == leafBits {
		if n.full {
			n.leaf = ^uint64(0)
		}
		for at := max(first, base); at <= last && at < base+size; at++ {
			if on {
				n.leaf |= 1 << (at - base)
			} else {
				n.leaf &^= 1 << (at - base)
			}
		}
		n.full = n.leaf == ^uint64(0)
		return
	}
	if n.left == nil {
		fill := uint64(0)
		if n.full {
			fill = ^uint64(0)
		}
		n.left, n.right = &node{full: n.full, leaf: fill}, &node{full: n.full, leaf: fill}
	}
	n.full = false
	half := base + size/2
	if first < half {
		paint(n.left, height-1, base, first, last, on)
	}
	if last >= half {
		paint(n.right, height-1, half, first, last, on)
	}
	if n.left.full && n.right.full {
		*n = node{full: true}
	}
}

// Paint sets or clears all numbers from first to last.
func (t *Tree) Paint(first, last uint64, on bool) {
	paint(t.root, t.height, 0, first, last, on)
}

func count(n *node, height uint) uint64 {
	switch {
	case n == nil:
		return 0
	case n.full:
		return 1 << height
	case height == leafBits:
		return uint64(bits.OnesCount64(n.leaf))
	}
	return count(n.left, height-1) + count(n.right, height-1)
}

// Count returns how many numbers are set.
func (t *Tree) Count() uint64 {
	return count(t.root, t.height)
}

// Contains says whether a number is set.
func (t *Tree) Contains(at uint64) bool {
	n := t.root
	for height := t.height; ; height-- {
		if n == nil || n.full {
			return n != nil
		}
		if height == leafBits {
			return n.leaf>>(at&63)&1 == 1
		}
		if at>>(height-1)&1 == 0 {
			n = n.left
		} else {
			n = n.right
		}
	}
}
