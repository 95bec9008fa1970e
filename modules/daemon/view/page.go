package view

import (
	"encoding/base64"
	"encoding/json"
)

// Page is the part of a list that is asked for. A list that grows while it is
// read shows nothing twice.
type Page struct {
	Limit  int    `query:"limit" jsonschema:"At most so many, 50 when left out and 1,000 at once."`
	Cursor string `query:"cursor" jsonschema:"The next of the part before; left out at the beginning."`
}

const (
	defaultLimit = 50
	maxLimit     = 1000
)

// Bounded is the page with a limit that is within bounds.
func (p Page) Bounded() Page {
	if p.Limit <= 0 {
		p.Limit = defaultLimit
	}
	p.Limit = min(p.Limit, maxLimit)
	return p
}

// List is a part of a list. Next is the cursor of what follows; nil at the end.
type List[T any] struct {
	Schema int     `json:"schema"`
	Items  []T     `json:"items"`
	Next   *string `json:"next"`
}

// Part reads the part of a list that a page wants. read gives the items behind
// a mark, the zero one for the beginning, at most so many; mark is what the
// list goes on behind, of an item.
func Part[T, M any](page Page, mark func(T) M, read func(after M, limit int) ([]T, error)) (List[T], error) {
	page = page.Bounded()
	after, err := markOf[M](page)
	if err != nil {
		return List[T]{}, err
	}
	items, err := read(after, page.Limit+1)
	if err != nil {
		return List[T]{}, err
	}
	list := List[T]{Schema: 1, Items: items}
	if len(items) <= page.Limit {
		if items == nil {
			list.Items = []T{}
		}
		return list, nil
	}
	list.Items = items[:page.Limit]
	data, err := json.Marshal(mark(items[page.Limit-1]))
	next := base64.RawURLEncoding.EncodeToString(data)
	list.Next = &next
	return list, err
}

// All reads every part of a list.
func All[T any](read func(Page) (List[T], error)) ([]T, error) {
	all := []T{}
	for page := (Page{Limit: maxLimit}); ; {
		part, err := read(page)
		if err != nil {
			return nil, err
		}
		all = append(all, part.Items...)
		if part.Next == nil {
			return all, nil
		}
		page.Cursor = *part.Next
	}
}

// Map is a list with its items in another form.
func Map[T, U any](list List[T], of func(T) U) List[U] {
	mapped := List[U]{Schema: list.Schema, Items: make([]U, len(list.Items)), Next: list.Next}
	for i, item := range list.Items {
		mapped.Items[i] = of(item)
	}
	return mapped
}

// markOf is the mark in a page's cursor, the zero one for the beginning.
func markOf[M any](page Page) (mark M, err error) {
	if page.Cursor == "" {
		return mark, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(page.Cursor)
	if err != nil || json.Unmarshal(data, &mark) != nil {
		return mark, &Error{Code: CodeInvalid, Message: "invalid cursor", Hint: "take the `next` of the part before, or leave it out to start over"}
	}
	return mark, nil
}
