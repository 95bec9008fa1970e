package render

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// SchemaVersion is the version of Document that this code writes.
const SchemaVersion = 1

// Document is a handoff as other programs read it. Lists are never null,
// unknown scalars are absent, session and path stand once at the top and are
// left out of every source, times are RFC 3339 in UTC with milliseconds.
type Document struct {
	Schema   int             `json:"schema"`
	Tool     string          `json:"tool"`
	Session  string          `json:"session"`
	Project  string          `json:"project,omitempty"`
	Path     string          `json:"path,omitempty"`
	Updated  string          `json:"updated,omitempty"` // time of the last event
	Text     string          `json:"text"`
	Lines    int             `json:"lines"` // newlines of Text
	Chars    int             `json:"chars"` // runes
	Bytes    int             `json:"bytes"`
	Facts    distiller.Facts `json:"facts"` // without what stands above
	Coverage *Coverage       `json:"coverage,omitempty"`
}

// Coverage is how much of a transcript was read.
type Coverage struct {
	Records      int64            `json:"records"`
	Read         int64            `json:"read"`
	Skipped      int64            `json:"skipped"`
	Unknown      int64            `json:"unknown"`
	UnknownTypes map[string]int64 `json:"unknown_types"`
}

// CoverageOf sums a reader's coverage over the tool's versions. Broken and
// over-long records were neither read nor skipped on purpose: they count as
// unknown, under names of their own.
func CoverageOf(c transcript.Coverage) *Coverage {
	out := &Coverage{Records: c.Records, Read: c.Read, Skipped: c.Skipped, UnknownTypes: map[string]int64{}}
	for _, types := range c.Unknown {
		for name, n := range types {
			out.UnknownTypes[name] += n
		}
	}
	if c.Broken > 0 {
		out.UnknownTypes["(broken)"] += c.Broken
	}
	if c.TooLong > 0 {
		out.UnknownTypes["(too long)"] += c.TooLong
	}
	for _, n := range out.UnknownTypes {
		out.Unknown += n
	}
	return out
}

// NewDocument joins facts and their text. Coverage may be nil when no
// transcript was read for it.
func NewDocument(f distiller.Facts, text Text, project, path string, coverage *Coverage) Document {
	return Document{
		Schema: SchemaVersion, Tool: f.Tool, Session: f.Session, Project: project, Path: path, Updated: millis(f.Updated),
		Text: string(text), Lines: text.Lines(), Chars: text.Chars(), Bytes: text.Bytes(),
		Facts: withoutTop(f), Coverage: coverage,
	}
}

// millis formats a time; an unknown one is absent.
func millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// withoutTop copies facts without what stands at the top of the document, also
// in every source.
func withoutTop(f distiller.Facts) distiller.Facts {
	out := copied(reflect.ValueOf(f), func(src distiller.Source) distiller.Source {
		if src.Session == f.Session {
			src.Session = ""
		}
		if src.Tool == f.Tool {
			src.Tool = ""
		}
		src.Path = ""
		return src
	}).Interface().(distiller.Facts)
	out.Tool, out.Session, out.Updated = "", "", time.Time{}
	return out
}

// copied is a deep copy of plain data in which each source was shortened and no
// list is nil.
func copied(v reflect.Value, shorten func(distiller.Source) distiller.Source) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(copied(v.Elem(), shorten))
		}
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(copied(v.Index(i), shorten))
		}
	case reflect.Struct:
		switch data := v.Interface().(type) {
		case distiller.Source:
			out.Set(reflect.ValueOf(shorten(data)))
		case time.Time:
		default:
			for i := range v.NumField() {
				out.Field(i).Set(copied(v.Field(i), shorten))
			}
		}
	}
	return out
}

// JSON is the document as one object, with a newline at its end.
func (d Document) JSON() ([]byte, error) {
	b, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}
