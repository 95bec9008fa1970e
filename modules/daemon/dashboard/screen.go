package dashboard

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/display"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed static/*
var files embed.FS

// static serves scripts and style. They change with the program alone, and are
// asked for again each time: it is the same machine.
func static() http.HandlerFunc {
	serve := http.FileServerFS(files)
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/") { // a folder would be listed
			http.NotFound(w, r)
			return
		}
		serve.ServeHTTP(w, r)
	}
}

// screen is a page to be shown.
type screen struct {
	template string // file in templates, without its ending
	title    string
	at       string // the entry of the navigation that it belongs to
	status   int    // 200 when 0
	bare     bool   // without navigation: nobody is let in yet
	query    string // what stands in the search field
	data     any
}

// views are the parsed templates, by name.
type views map[string]*template.Template

// parse reads every page with the frame around it. now is the clock that ages
// are known from.
func parse(now func() time.Time) views {
	frame := template.Must(template.New("frame.html").Funcs(functions(now)).ParseFS(templates, "templates/frame.html", "templates/part_*.html"))
	names, err := fs.Glob(templates, "templates/*.html")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	all := views{}
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name == "frame" || strings.HasPrefix(name, "part_") {
			continue
		}
		all[name] = template.Must(template.Must(frame.Clone()).ParseFS(templates, file))
	}
	return all
}

// framed is what the frame of a page is made of.
type framed struct {
	Title, At, Query, CSRF string
	Bare                   bool
	Data                   any
}

// render makes a page as a whole, so that one that fails halfway is not sent.
func (v views) render(of screen, csrf string) ([]byte, error) {
	page, known := v[of.template]
	if !known {
		return nil, fmt.Errorf("there is no template %s", of.template)
	}
	var text bytes.Buffer
	err := page.Execute(&text, framed{Title: display.Shorten(120, display.Plain(of.title)), At: of.at, Query: of.query, CSRF: csrf, Bare: of.bare, Data: of.data})
	return text.Bytes(), err
}
