package api

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"
)

// Page is the part of a list that is asked for. A list that grows while it is
// read shows nothing twice.
type Page struct {
	Limit  int    `form:"limit"`
	Cursor string `form:"cursor"` // "" for the beginning
}

const (
	fewItems = 50   // when no limit is asked for
	maxItems = 1000 // at once
)

// pageOf reads the part that a request wants.
func pageOf(c *gin.Context) Page {
	page := Page{Cursor: c.Query("cursor")}
	var asked struct {
		Limit int `form:"limit"`
	}
	if page.Limit = fewItems; c.ShouldBindQuery(&asked) == nil && asked.Limit > 0 {
		page.Limit = min(asked.Limit, maxItems)
	}
	return page
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

// markOf is the mark in a page's cursor, the zero one for the beginning.
func markOf[M any](page Page) (mark M, err error) {
	if page.Cursor == "" {
		return mark, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(page.Cursor)
	if err != nil || json.Unmarshal(data, &mark) != nil {
		return mark, badCursor{errors.New("invalid cursor")}
	}
	return mark, nil
}

// badCursor gives an error the status it has in the API.
type badCursor struct{ error }

func (badCursor) Code() (status int, code, hint string) {
	return http.StatusBadRequest, "invalid", "take the `next` of the part before, or leave it out to begin anew"
}
