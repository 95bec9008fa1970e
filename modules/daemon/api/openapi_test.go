package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/carryover-go/carryover/modules/daemon/api/wire"
	"github.com/carryover-go/carryover/modules/daemon/view"
	"github.com/carryover-go/carryover/modules/ledger"
)

var update = flag.Bool("update", false, "write openapi.json")

// The document is what the routes and their types say.
func TestOpenAPI_IsGenerated(t *testing.T) {
	text, err := generate(routes())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text, OpenAPI) {
		t.Error("openapi.json is stale: run `go generate ./api` in modules/daemon")
	}
}

// Every parameter of a path is a field of the route's request.
func TestRoutes_FillTheirPaths(t *testing.T) {
	for _, r := range routes() {
		var names []string
		if r.request != nil {
			for _, parameter := range wire.Parameters(r.request) {
				if parameter.InPath {
					names = append(names, parameter.Name)
				}
			}
		}
		if want := strings.Count(r.path, "{"); len(names) != want || slices.ContainsFunc(names, func(name string) bool { return !strings.Contains(r.path, "{"+name+"}") }) {
			t.Errorf("%s: filled from %q", r.path, names)
		}
	}
}

// The parts of an OpenAPI document that this API needs.
type (
	openAPI struct {
		OpenAPI    string                          `json:"openapi"`
		Info       map[string]string               `json:"info"`
		Servers    []map[string]string             `json:"servers"`
		Security   []map[string][]string           `json:"security"`
		Paths      map[string]map[string]operation `json:"paths"`
		Components components                      `json:"components"`
	}
	components struct {
		SecuritySchemes map[string]map[string]string  `json:"securitySchemes"`
		Schemas         map[string]*jsonschema.Schema `json:"schemas"`
	}
	operation struct {
		ID          string                 `json:"operationId"`
		Summary     string                 `json:"summary"`
		Security    *[]map[string][]string `json:"security,omitempty"`
		Parameters  []parameter            `json:"parameters,omitempty"`
		RequestBody *content               `json:"requestBody,omitempty"`
		Responses   map[string]content     `json:"responses"`
	}
	parameter struct {
		Name        string             `json:"name"`
		In          string             `json:"in"`
		Required    bool               `json:"required"`
		Description string             `json:"description,omitempty"`
		Schema      *jsonschema.Schema `json:"schema"`
	}
	content struct {
		Description string           `json:"description,omitempty"`
		Content     map[string]media `json:"content,omitempty"`
	}
	media struct {
		Schema *jsonschema.Schema `json:"schema,omitempty"`
	}
)

const about = "The daemon's API, on a unix socket in Carryover's home and on 127.0.0.1. The socket needs no token; on the port it is that of the " +
	"file `token`. A browser that a link let in reads with its cookie, and changes something with `X-CSRF-Token` besides."

// generate writes the document of some routes.
func generate(list []route) ([]byte, error) {
	d := openAPI{
		OpenAPI: "3.1.0", Info: map[string]string{"title": "Carryover", "version": "1", "description": about},
		Servers:  []map[string]string{{"url": "http://127.0.0.1:47823"}},
		Security: []map[string][]string{{"token": {}}, {"browser": {}}},
		Paths:    map[string]map[string]operation{},
		Components: components{
			SecuritySchemes: map[string]map[string]string{
				"token": {"type": "http", "scheme": "bearer"}, "browser": {"type": "apiKey", "in": "cookie", "name": "carryover_PORT"},
			},
		},
	}
	named := newSchemas(list)
	for _, r := range list {
		if d.Paths[r.path] == nil {
			d.Paths[r.path] = map[string]operation{}
		}
		of, err := named.operation(r)
		if err != nil {
			return nil, err
		}
		d.Paths[r.path][strings.ToLower(r.method)] = of
	}
	var err error
	if d.Components.Schemas, err = named.all(); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(d)
	return text.Bytes(), err
}

// operation describes a route.
func (n schemas) operation(r route) (operation, error) {
	of := operation{ID: r.id, Summary: r.summary, Responses: map[string]content{}}
	if r.request != nil {
		for _, p := range wire.Parameters(r.request) {
			schema, err := n.of(p.Type)
			if err != nil {
				return of, err
			}
			in := map[bool]string{true: "path", false: "query"}[p.InPath]
			of.Parameters = append(of.Parameters, parameter{p.Name, in, p.Required, p.Description, schema})
		}
	}
	body, err := n.body(r)
	if err != nil {
		return of, err
	}
	of.RequestBody = body
	success := content{Description: "Done.", Content: map[string]media{r.media: {}}}
	if r.response != nil {
		schema, err := n.of(r.response)
		if err != nil {
			return of, err
		}
		success.Content[r.media] = media{schema}
	}
	of.Responses[strconv.Itoa(r.status)] = success
	failed, err := n.of(reflect.TypeFor[view.ErrorBody]())
	if err != nil {
		return of, err
	}
	statuses := append([]int{401, 500}, r.others...)
	if r.free {
		of.Security, statuses = &[]map[string][]string{}, nil
	}
	for _, status := range statuses {
		of.Responses[strconv.Itoa(status)] = content{Description: descriptions[status]}
		if status >= 400 {
			of.Responses[strconv.Itoa(status)] = content{descriptions[status], map[string]media{mediaJSON: {failed}}}
		}
	}
	return of, nil
}

// body is what a route takes besides its address.
func (n schemas) body(r route) (*content, error) {
	if r.id == "hook" {
		return &content{Description: "What the agent hands its hook, at most 8 MiB; any content type.", Content: map[string]media{"*/*": {}}}, nil
	}
	if r.method != "POST" || r.request == nil || !wire.HasBody(r.request) {
		return nil, nil //nolint:nilnil // a route without a body
	}
	schema, err := n.of(r.request)
	return &content{Content: map[string]media{mediaJSON: {schema}}}, err
}

// descriptions say what a status means.
var descriptions = map[int]string{
	202: "The tool or the event is not known.", 204: "There is nothing to say.", 400: "The request is not complete, or not valid.",
	401: "The request carries no valid token.", 403: "The session belongs to another project.", 404: "There is no such thing.",
	409: "Several projects have it, or none runs.", 500: "Something broke; the log says more.",
}

// schemas are the types that have a name in the document.
type schemas map[reflect.Type]string

// newSchemas names every struct of package view and of the ledger that a route
// takes or gives.
func newSchemas(list []route) schemas {
	n := schemas{}
	for _, r := range list {
		if r.request != nil && wire.HasBody(r.request) {
			n.add(r.request)
		}
		if r.response != nil {
			n.add(r.response)
		}
		n.add(reflect.TypeFor[view.ErrorBody]())
	}
	return n
}

// inDocument are the packages whose types have a name in the document; others
// are spelt out where they are used.
var inDocument = []string{reflect.TypeFor[view.Page]().PkgPath(), reflect.TypeFor[ledger.Digest]().PkgPath()}

func (n schemas) add(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
		n.add(t.Elem())
	case reflect.Struct:
		if _, known := n[t]; known {
			return
		}
		if slices.Contains(inDocument, t.PkgPath()) {
			n[t] = nameOf(t)
		}
		for i := range t.NumField() {
			if field := t.Field(i); !field.Anonymous {
				n.add(field.Type)
			}
		}
	}
}

// nameOf is the name of a type: List[…Session] is SessionList.
func nameOf(t reflect.Type) string {
	name, item, generic := strings.Cut(t.Name(), "[")
	if !generic {
		return name
	}
	return strings.TrimSuffix(item[strings.LastIndexAny(item, "./")+1:], "]") + name
}

// of is the schema of a type, by its name where it has one.
func (n schemas) of(t reflect.Type) (*jsonschema.Schema, error) {
	if name, named := n[t]; named {
		return &jsonschema.Schema{Ref: "#/components/schemas/" + name}, nil
	}
	return n.spelt(t)
}

// spelt is the schema of a type with its fields.
func (n schemas) spelt(t reflect.Type) (*jsonschema.Schema, error) {
	if t == reflect.TypeFor[view.AgentNotesRequest]() {
		return n.notes()
	}
	others := map[reflect.Type]*jsonschema.Schema{}
	for other, name := range n {
		if other != t && !embedded(t, other) {
			others[other] = &jsonschema.Schema{Ref: "#/components/schemas/" + name}
		}
	}
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: others})
	if err == nil {
		loosen(schema)
	}
	return schema, err
}

// notes is the body that saves notes: the fields of the notes and their text lie
// side by side, and each may be left out.
func (n schemas) notes() (*jsonschema.Schema, error) {
	schema, err := n.spelt(reflect.TypeFor[ledger.AgentLedger]())
	if err == nil {
		schema.Required = nil
		schema.Properties["content"] = &jsonschema.Schema{Type: "string", Description: "The fields as an agent prints them, in place of all others."}
	}
	return schema, err
}

// embedded says whether a struct has another one as a part without a name.
func embedded(in, part reflect.Type) bool {
	return in.Kind() == reflect.Struct && slices.ContainsFunc(reflect.VisibleFields(in), func(f reflect.StructField) bool {
		return f.Anonymous && f.Type == part
	})
}

// loosen lets objects grow, and takes back that a list or a reference may be
// null: they are absent then.
func loosen(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		s.Types = nil
	}
	for _, kind := range []string{"array", "object"} {
		if slices.Contains(s.Types, kind) {
			s.Type, s.Types = kind, nil
		}
	}
	if s.Type == "object" && s.Properties != nil {
		s.AdditionalProperties = nil
	}
	for _, property := range s.Properties {
		loosen(property)
	}
	loosen(s.Items)
	loosen(s.AdditionalProperties)
}

// all are the schemas that have a name.
func (n schemas) all() (map[string]*jsonschema.Schema, error) {
	all := map[string]*jsonschema.Schema{}
	for t, name := range n {
		schema, err := n.spelt(t)
		if err != nil {
			return nil, err
		}
		all[name] = schema
	}
	return all, nil
}
