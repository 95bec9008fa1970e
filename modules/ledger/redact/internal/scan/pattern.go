package scan

import (
	"regexp/syntax"
	"unicode"
)

// Pattern is a regular expression for bytes, tied to where it is tried. Go's
// own engine unrolls counted repeats, which makes `[a-z0-9]{40}` a hundred
// times slower than a loop; here a repeat of a class is one instruction. It
// backtracks, within a budget of steps: a pattern gives up rather than take
// long on a text that was made for it.
type Pattern []instruction

type opcode uint8

const (
	opRun    opcode = iota // bytes of a class, min to max of them
	opSplit                // go on here, or at arg
	opJump                 // go on at arg
	opSave                 // the position is the begin or end of group 1
	opBound                // between a word and no word
	opEnd                  // End of the text, or of a line
	opStart                // begin of the text
	opAccept               // matched
)

type instruction struct {
	op       opcode
	lazy     bool
	arg      int
	min, max int // max -1: without end
	class    *[256]bool
}

// budget is how many steps one attempt may take.
const budget = 4096

// attempt is one try of a program at one place.
type attempt struct {
	program  Pattern
	text     string
	steps    int
	from, to int // of group 1; -1 without one
	end      int
}

// Match tries the program at offset at and returns group 1 where there is one,
// else the whole match.
func (p Pattern) Match(text string, at int) (from, to int, ok bool) {
	try := attempt{program: p, text: text, from: -1}
	if !try.run(0, at) {
		return 0, 0, false
	}
	if try.from < 0 || try.to < try.from {
		return at, try.end, true
	}
	return try.from, try.to, true
}

// End tries the program at offset at and returns where the whole match ends.
func (p Pattern) End(text string, at int) (to int, ok bool) {
	try := attempt{program: p, text: text, from: -1}
	ok = try.run(0, at)
	return try.end, ok
}

func (t *attempt) run(pc, at int) bool {
	for {
		if t.steps++; t.steps > budget {
			return false
		}
		switch in := &t.program[pc]; in.op {
		case opAccept:
			t.end = at
			return true
		case opJump:
			pc = in.arg
			continue
		case opSplit:
			first, second := pc+1, in.arg
			if in.lazy {
				first, second = second, first
			}
			if t.run(first, at) {
				return true
			}
			pc = second
			continue
		case opSave:
			return t.save(in.arg, pc, at)
		case opRun:
			return t.repeat(in, pc, at)
		default:
			if !t.holds(in.op, at) {
				return false
			}
		}
		pc++
	}
}

func (t *attempt) save(arg, pc, at int) bool {
	from, to := t.from, t.to
	if arg == 0 {
		t.from = at
	} else {
		t.to = at
	}
	if t.run(pc+1, at) {
		return true
	}
	t.from, t.to = from, to
	return false
}

func (t *attempt) repeat(in *instruction, pc, at int) bool {
	n := 0
	for at+n < len(t.text) && (in.max < 0 || n < in.max) && in.class[t.text[at+n]] {
		n++
	}
	t.steps += n / 8
	if n < in.min {
		return false
	}
	if in.min == n {
		return t.run(pc+1, at+n)
	}
	if in.lazy {
		for i := in.min; i <= n; i++ {
			if t.run(pc+1, at+i) {
				return true
			}
		}
		return false
	}
	for i := n; i >= in.min; i-- {
		if t.run(pc+1, at+i) {
			return true
		}
	}
	return false
}

func (t *attempt) holds(op opcode, at int) bool {
	switch op {
	case opStart:
		return at == 0
	case opEnd:
		return at == len(t.text) || t.text[at] == '\n' || t.text[at] == '\r'
	default:
		before := at > 0 && IsWord(t.text[at-1])
		after := at < len(t.text) && IsWord(t.text[at])
		return before != after
	}
}

// NewPattern compiles a regular expression of Go's syntax. Every character
// beyond ASCII counts as one that no class has.
func NewPattern(pattern string) Pattern {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic("scan: " + err.Error())
	}
	var c compiler
	c.add(parsed)
	return append(c.program, instruction{op: opAccept})
}

type compiler struct {
	program Pattern
	grouped bool // a group has been met: only the first is the secret
}

func (c *compiler) emit(in instruction) int {
	c.program = append(c.program, in)
	return len(c.program) - 1
}

func (c *compiler) add(node *syntax.Regexp) {
	switch node.Op {
	case syntax.OpConcat:
		for _, sub := range node.Sub {
			c.add(sub)
		}
	case syntax.OpAlternate:
		c.alternate(node.Sub)
	case syntax.OpCapture:
		c.capture(node)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		c.repeat(node)
	case syntax.OpLiteral:
		for _, r := range node.Rune {
			c.emit(instruction{op: opRun, min: 1, max: 1, class: literalClass(r, node.Flags&syntax.FoldCase != 0)})
		}
	case syntax.OpWordBoundary:
		c.emit(instruction{op: opBound})
	case syntax.OpEndText, syntax.OpEndLine:
		c.emit(instruction{op: opEnd})
	case syntax.OpBeginText, syntax.OpBeginLine:
		c.emit(instruction{op: opStart})
	case syntax.OpEmptyMatch:
	default:
		c.emit(instruction{op: opRun, min: 1, max: 1, class: classOf(node)})
	}
}

func (c *compiler) alternate(choices []*syntax.Regexp) {
	var ends []int
	for i, choice := range choices {
		if i == len(choices)-1 {
			c.add(choice)
			break
		}
		split := c.emit(instruction{op: opSplit})
		c.add(choice)
		ends = append(ends, c.emit(instruction{op: opJump}))
		c.program[split].arg = len(c.program)
	}
	for _, end := range ends {
		c.program[end].arg = len(c.program)
	}
}

func (c *compiler) capture(node *syntax.Regexp) {
	if c.grouped {
		c.add(node.Sub[0])
		return
	}
	c.grouped = true
	c.emit(instruction{op: opSave, arg: 0})
	c.add(node.Sub[0])
	c.emit(instruction{op: opSave, arg: 1})
}

func (c *compiler) repeat(node *syntax.Regexp) {
	least, most := bounds(node)
	lazy := node.Flags&syntax.NonGreedy != 0
	if class := classOf(node.Sub[0]); class != nil {
		c.emit(instruction{op: opRun, min: least, max: most, class: class, lazy: lazy})
		return
	}
	for range least {
		c.add(node.Sub[0])
	}
	if most < 0 {
		split := c.emit(instruction{op: opSplit, lazy: lazy})
		c.add(node.Sub[0])
		c.emit(instruction{op: opJump, arg: split})
		c.program[split].arg = len(c.program)
		return
	}
	for range most - least {
		split := c.emit(instruction{op: opSplit, lazy: lazy})
		c.add(node.Sub[0])
		c.program[split].arg = len(c.program)
	}
}

func bounds(node *syntax.Regexp) (least, most int) {
	switch node.Op {
	case syntax.OpStar:
		return 0, -1
	case syntax.OpPlus:
		return 1, -1
	case syntax.OpQuest:
		return 0, 1
	default:
		return node.Min, node.Max
	}
}

// classOf is the set of bytes that a node stands for, nil when it is more than
// one byte.
func classOf(node *syntax.Regexp) *[256]bool {
	switch node.Op {
	case syntax.OpCharClass:
		class := &[256]bool{}
		for i := 0; i < len(node.Rune); i += 2 {
			for r := node.Rune[i]; r <= min(node.Rune[i+1], unicode.MaxASCII); r++ {
				class[r] = true
			}
		}
		return class
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		class := &[256]bool{}
		for b := range class {
			class[b] = b != '\n' || node.Op == syntax.OpAnyChar
		}
		return class
	case syntax.OpLiteral:
		if len(node.Rune) == 1 {
			return literalClass(node.Rune[0], node.Flags&syntax.FoldCase != 0)
		}
	}
	return nil
}

func literalClass(r rune, anyCase bool) *[256]bool {
	class := &[256]bool{}
	if r > unicode.MaxASCII {
		return class
	}
	class[r] = true
	if anyCase {
		class[unicode.ToLower(r)], class[unicode.ToUpper(r)] = true, true
	}
	return class
}

// IsWord reports whether a byte is of a word: an ASCII letter, a digit, an underscore.
func IsWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
