package calculator

import (
	"fmt"
	"math"
	"strconv"
	"unicode"
)

type reader struct {
	text []rune
	at   int
}

// Evaluate reads a sum and returns its value.
func Evaluate(text string) (value float64, err error) {
	r := &reader{text: []rune(text)}
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("%v", caught)
		}
	}()
	value = r.sum()
	if r.peek() != 0 {
		return 0, fmt.Errorf("unexpected %q at %d", r.peek(), r.at)
	}
	return value, nil
}

func (r *reader) peek() rune {
	for r.at < len(r.text) && unicode.IsSpace(r.text[r.at]) {
		r.at++
	}
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

func (r *reader) take(wanted rune) bool {
	if r.peek() == wanted {
		r.at++
		return true
	}
	return false
}

func (r *reader) sum() float64 {
	value := r.product()
	for {
		if r.take('+') {
			value += r.product()
		} else if r.take('-') {
			value -= r.product()
		} else {
			return value
		}
	}
}

func (r *reader) product() float64 {
	value := r.power()
	for {
		if r.take('*') {
			value *= r.power()
		} else if r.take('/') {
			divisor := r.power()
			if divisor == 0 {
				panic("division by zero")
			}
			value /= divisor
		} else {
			return value
		}
	}
}

func (r *reader) power() float64 {
	if r.take('-') {
		return -r.power()
	}
	base := r.atom()
	if r.take('^') {
		return math.Pow(base, r.power())
	}
	return base
}

func (r *reader) atom() float64 {
	if r.take('(') {
		value := r.sum()
		if !r.take(')') {
			panic(fmt.Sprintf("a bracket stays open at %d", r.at))
		}
		return value
	}
	r.peek()
	start := r.at
	for r.at < len(r.text) && (unicode.IsDigit(r.text[r.at]) || r.text[r.at] == '.') {
		r.at++
	}
	value, err := strconv.ParseFloat(string(r.text[start:r.at]), 64)
	if err != nil {
		panic(fmt.Sprintf("no number at %d", start))
	}
	return value
}
