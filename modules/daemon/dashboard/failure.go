package dashboard

import (
	"context"
	"errors"
	"net/http"

	"go.uber.org/zap"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/api"
)

// message is a page that says one thing.
type message struct {
	Heading string
	Text    string
	Hint    string // what to do
}

// failed says what went wrong. Only what a person can mend is said in words of
// its own; the rest is in the log.
func (p *Page) failed(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return // the browser has gone on
	}
	status, said := p.sayFailure(r, err)
	p.show(w, r, view{template: "message", title: said.Heading, status: status, data: said})
}

func (p *Page) sayFailure(r *http.Request, err error) (int, message) {
	switch status, text, hint := refusal(err); {
	case status < http.StatusInternalServerError:
		return status, message{Heading: "That did not work", Text: text, Hint: hint}
	case errors.Is(err, daemon.ErrNothing):
		text := err.Error()
		if text == daemon.ErrNothing.Error() {
			text = "There is no such page."
		}
		return http.StatusNotFound, message{Heading: "Nothing is here", Text: text}
	case errors.Is(err, daemon.ErrInvalid):
		return http.StatusBadRequest, message{Heading: "That makes no sense", Text: err.Error()}
	}
	p.daemon.Zap.Warn("page failed", zap.String("path", r.URL.Path), zap.Error(err))
	return http.StatusInternalServerError, message{Heading: "Something broke", Text: err.Error(), Hint: "see `carryover daemon logs`"}
}

// refusal is what is said of a request that was refused: below 500 an error
// has its status in the API, and a person can do something about it.
func refusal(err error) (status int, text, hint string) {
	var coded api.Coded
	if !errors.As(err, &coded) {
		return http.StatusInternalServerError, err.Error(), ""
	}
	status, _, hint = coded.Code()
	return status, err.Error(), hint
}
