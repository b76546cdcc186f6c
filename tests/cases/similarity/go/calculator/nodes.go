package calculator

import (
	"fmt"
	"math/big"
	"regexp"
)

// Node is a part of a sum.
type Node interface {
	Eval(names map[string]*big.Rat) (*big.Rat, error)
	fmt.Stringer
}

type (
	number   struct{ value *big.Rat }
	variable string
	binary   struct {
		sign        string
		left, right Node
	}
)

func (n number) Eval(map[string]*big.Rat) (*big.Rat, error) { return n.value, nil }
func (n number) String() string                             { return n.value.RatString() }

func (v variable) Eval(names map[string]*big.Rat) (*big.Rat, error) {
	if value, known := names[string(v)]; known {
		return value, nil
	}
	return nil, fmt.Errorf("%s has no value", string(v))
}

func (v variable) String() string { return string(v) }

func (b binary) Eval(names map[string]*big.Rat) (*big.Rat, error) {
	left, err := b.left.Eval(names)
	if err != nil {
		return nil, err
	}
	right, err := b.right.Eval(names)
	if err != nil {
		return nil, err
	}
	out := new(big.Rat)
	switch b.sign {
	case "+":
		return out.Add(left, right), nil
	case "-":
		return out.Sub(left, right), nil
	case "*":
		return out.Mul(left, right), nil
	}
	if right.Sign() == 0 {
		return nil, fmt.Errorf("%s is zero", b.right)
	}
	return out.Quo(left, right), nil
}

func (b binary) String() string { return "(" + b.left.String() + b.sign + b.right.String() + ")" }

var words = regexp.MustCompile(`\d+(?:\.\d+)?|[a-z]+|[-+*/()]`)
var strength = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2}

type stream []string

func (s *stream) pop() string {
	if len(*s) == 0 {
		return ""
	}
	word := (*s)[0]
	*s = (*s)[1:]
	return word
}

func (s *stream) parse(least int) (left Node, err error) {
	switch word := s.pop(); {
	case word == "(":
		if left, err = s.parse(0); err == nil && s.pop() != ")" {
			err = fmt.Errorf("not closed")
		}
	case word == "-":
		if left, err = s.parse(3); err == nil {
			left = binary{"-", number{new(big.Rat)}, left}
		}
	case word == "":
		err = fmt.Errorf("ends too early")
	case word[0] >= '0' && word[0] <= '9':
		value, _ := new(big.Rat).SetString(word)
		left = number{value}
	default:
		left = variable(word)
	}
	for err == nil && len(*s) > 0 && strength[(*s)[0]] > least {
		sign := s.pop()
		var right Node
		right, err = s.parse(strength[sign])
		left = binary{sign, left, right}
	}
	return left, err
}

// Parse reads a sum.
func Parse(text string) (Node, error) {
	s := stream(words.FindAllString(text, -1))
	return s.parse(0)
}
