package calculator

import (
	"errors"
	"strings"
	"text/scanner"
)

// ErrSyntax is what cannot be read as a sum.
var ErrSyntax = errors.New("no sum")

type opcode byte

const (
	opPush opcode = iota
	opAdd
	opSub
	opMul
	opDiv
	opNeg
	opOpen
)

var precedence = map[opcode]int{opAdd: 1, opSub: 1, opMul: 2, opDiv: 2, opNeg: 3}
var signs = map[rune]opcode{'+': opAdd, '-': opSub, '*': opMul, '/': opDiv}

// Program is a compiled sum.
type Program struct {
	code      []opcode
	constants []string
}

type compiler struct {
	program Program
	stack   []opcode
}

func (c *compiler) drain(least int) {
	for n := len(c.stack); n > 0 && c.stack[n-1] != opOpen && precedence[c.stack[n-1]] >= least; n-- {
		c.program.code = append(c.program.code, c.stack[n-1])
		c.stack = c.stack[:n-1]
	}
}

// Compile turns a sum into a program.
func Compile(text string) (*Program, error) {
	var s scanner.Scanner
	s.Init(strings.NewReader(text))
	c := compiler{}
	wantValue := true
	for token := s.Scan(); token != scanner.EOF; token = s.Scan() {
		sign, isSign := signs[token]
		switch {
		case token == scanner.Int || token == scanner.Float:
			if !wantValue {
				return nil, ErrSyntax
			}
			c.program.constants = append(c.program.constants, s.TokenText())
			c.program.code = append(c.program.code, opPush)
			wantValue = false
		case token == '(' && wantValue:
			c.stack = append(c.stack, opOpen)
		case token == ')' && !wantValue:
			c.drain(0)
			if len(c.stack) == 0 {
				return nil, ErrSyntax
			}
			c.stack = c.stack[:len(c.stack)-1]
		case isSign && wantValue && sign == opSub:
			c.stack = append(c.stack, opNeg)
		case isSign && !wantValue:
			c.drain(precedence[sign])
			c.stack = append(c.stack, sign)
			wantValue = true
		default:
			return nil, ErrSyntax
		}
	}
	c.drain(0)
	if wantValue || len(c.stack) > 0 {
		return nil, ErrSyntax
	}
	return &c.program, nil
}

// Run works the program off with a parser for its numbers.
func (p *Program) Run(parse func(string) float64) float64 {
	var values []float64
	next := 0
	for _, op := range p.code {
		top := len(values) - 1
		switch op {
		case opPush:
			values = append(values, parse(p.constants[next]))
			next++
			continue
		case opNeg:
			values[top] = -values[top]
			continue
		case opAdd:
			values[top-1] += values[top]
		case opSub:
			values[top-1] -= values[top]
		case opMul:
			values[top-1] *= values[top]
		case opDiv:
			values[top-1] /= values[top]
		}
		values = values[:top]
	}
	return values[0]
}
