package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/gin-gonic/gin"

	"github.com/carryover-go/carryover/modules/daemon/api/wire"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// endpoint is how a route is answered, with the types of both sides.
type endpoint struct {
	request  reflect.Type // nil when nothing is asked
	response reflect.Type // nil when it is no JSON object
	media    string       // of the answer
	status   int          // of success
	handle   func(s *Server) gin.HandlerFunc
}

const (
	mediaJSON   = "application/json"
	mediaLines  = "application/x-ndjson"
	mediaEvents = "text/event-stream"
	mediaText   = "text/plain"
)

// completer is a request that may lack something.
type completer interface{ Complete() error }

// bind reads a request from the address and the body.
func bind[Q any](c *gin.Context) (Q, error) {
	var request Q
	if c.Request.Method == http.MethodPost && wire.HasBody(reflect.TypeFor[Q]()) {
		body := http.MaxBytesReader(c.Writer, c.Request.Body, maxJSON)
		if json.NewDecoder(body).Decode(&request) != nil {
			return request, view.Invalid("the body is not the JSON object that this route takes")
		}
	}
	if err := wire.Fill(&request, c.Param, c.Request.URL.Query()); err != nil {
		return request, view.Invalid(err.Error())
	}
	if asked, ok := any(request).(completer); ok {
		return request, asked.Complete()
	}
	return request, nil
}

// lasting is the context of a request. One that changes something is finished
// also when who asked for it goes away. Gin's own is no context to hand on, for
// it is another request's afterwards.
func lasting(c *gin.Context) context.Context {
	if c.Request.Method == http.MethodGet {
		return c.Request.Context()
	}
	return context.WithoutCancel(c.Request.Context())
}

// answer is a method of the service that answers at once.
func answer[Q, A any](of func(view.Service, context.Context, Q) (A, error)) endpoint {
	return answerWith(http.StatusOK, of)
}

// answerWith answers with a status of its own.
func answerWith[Q, A any](status int, of func(view.Service, context.Context, Q) (A, error)) endpoint {
	return endpoint{
		request: reflect.TypeFor[Q](), response: reflect.TypeFor[A](), media: mediaJSON, status: status,
		handle: func(s *Server) gin.HandlerFunc {
			return func(c *gin.Context) {
				request, err := bind[Q](c)
				if err != nil {
					fail(c, err)
					return
				}
				result, err := of(s.Service, lasting(c), request)
				if err != nil {
					fail(c, err)
					return
				}
				c.JSON(status, result)
			}
		},
	}
}

// plain is a method of the service that is asked nothing.
func plain[A any](of func(view.Service, context.Context) (A, error)) endpoint {
	e := answer(func(s view.Service, ctx context.Context, _ struct{}) (A, error) { return of(s, ctx) })
	e.request = nil
	return e
}

// statuses are those of the codes; all others are internal errors.
var statuses = map[view.Code]int{
	view.CodeNotFound: http.StatusNotFound, view.CodeInvalid: http.StatusBadRequest, view.CodeAmbiguous: http.StatusConflict,
	view.CodeNoWrapper: http.StatusConflict, view.CodeOtherProject: http.StatusForbidden, view.CodeUnchanged: http.StatusConflict,
}

// Status is the status of an error with a code.
func Status(code view.Code) int {
	if status, known := statuses[code]; known {
		return status
	}
	return http.StatusInternalServerError
}

// fail writes an error.
func fail(c *gin.Context, err error) {
	shown := view.ErrorOf(err)
	c.AbortWithStatusJSON(Status(shown.Code), view.ErrorBody{Error: *shown})
}
