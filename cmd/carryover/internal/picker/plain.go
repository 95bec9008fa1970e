package picker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// plain is the question for a terminal that cannot draw, or a pipe: a numbered
// list, and one line of answer. An empty line takes what is marked.
func (q Question) plain() ([]string, error) {
	lines := bufio.NewReader(q.In)
	_, _ = fmt.Fprintln(q.Out, q.Title)
	for i, label := range q.labels() {
		mark := " "
		if q.Choices[i].Checked {
			mark = "x"
		}
		_, _ = fmt.Fprintf(q.Out, "%3d [%s] %s\n", i+1, mark, label)
	}
	if q.Note != "" {
		_, _ = fmt.Fprintln(q.Out, q.Note)
	}
	for {
		_, _ = fmt.Fprint(q.Out, "press enter to accept, or type numbers (1,3; 0 for none): ")
		line, err := lines.ReadString('\n')
		if !term.IsTerminal(int(q.In.Fd())) { // nobody typed the end of the line
			_, _ = fmt.Fprintln(q.Out)
		}
		if errors.Is(err, io.EOF) && strings.TrimSpace(line) == "" {
			return nil, ErrNobody
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read the answer: %w", err)
		}
		chosen, wrong := q.numbered(line)
		if wrong == "" {
			return chosen, nil
		}
		_, _ = fmt.Fprintf(q.Out, "%s is not in the list\n", wrong)
	}
}

// numbered reads an answer; wrong is the first word in it that is no number of
// the list.
func (q Question) numbered(line string) (chosen []string, wrong string) {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' })
	if len(words) == 0 {
		return q.checked(), ""
	}
	wanted := map[int]bool{}
	for _, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n > len(q.Choices) {
			return nil, word
		}
		wanted[n-1] = true
	}
	chosen = []string{}
	for i, choice := range q.Choices {
		if wanted[i] {
			chosen = append(chosen, choice.Value)
		}
	}
	return chosen, ""
}
