package dashboard

import (
	"context"
	"errors"
	"net/http"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon/api"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// message is a page that says one thing.
type message struct {
	Heading string
	Text    string
	Hint    string // what to do
	Back    bool   // with links to pages that there are
}

// failed says what went wrong. Only what a person can mend is said in words of
// its own; the rest is in the log.
func (p *Page) failed(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return // the browser has gone on
	}
	status, said := p.sayFailure(r, err)
	said.Back = true
	p.show(w, r, screen{template: "message", title: said.Heading, status: status, data: said})
}

func (p *Page) sayFailure(r *http.Request, err error) (int, message) {
	status, text, hint := refusal(err)
	switch {
	case errors.Is(err, view.ErrNotFound):
		if text == view.ErrNotFound.Message {
			text = "There is no such page."
		}
		return status, message{Heading: "Nothing is here", Text: text}
	case errors.Is(err, view.ErrInvalid) && hint == "":
		return status, message{Heading: "That makes no sense", Text: text}
	case status < http.StatusInternalServerError:
		return status, message{Heading: "That did not work", Text: text, Hint: hint}
	}
	p.Logger.Warn("page failed", zap.String("path", r.URL.Path), zap.Error(err))
	return status, message{Heading: "Something broke", Text: text, Hint: hint}
}

// refusal is an error as it is shown: below 500 it has its status in the API,
// and a person can do something about it.
func refusal(err error) (status int, text, hint string) {
	shown := view.ErrorOf(err)
	return api.Status(shown.Code), shown.Message, shown.Hint
}
