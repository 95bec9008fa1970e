package api

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// nothing stands in for a daemon that nobody asks.
type nothing struct{ Backend }

// A route that is served stands in the document, and the other way round.
func TestEveryRouteIsDocumented(t *testing.T) {
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(OpenAPI, &document); err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for path, methods := range document.Paths {
		for method := range methods {
			documented[strings.ToUpper(method)+" "+path] = true
		}
	}
	served := map[string]bool{}
	parameter := regexp.MustCompile(`:(\w+)`)
	router, ok := (&Server{Backend: nothing{}}).routes().(*gin.Engine)
	if !ok {
		t.Fatal("the router is not gin's")
	}
	for _, route := range router.Routes() {
		served[route.Method+" "+parameter.ReplaceAllString(route.Path, "{$1}")] = true
	}
	if !maps.Equal(documented, served) {
		t.Errorf("documented: %s\nserved: %s", slices.Sorted(maps.Keys(documented)), slices.Sorted(maps.Keys(served)))
	}
}
