package transcript

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// RowQuery asks a tool's database for the rows of one kind that have changed.
//
// Its first three columns steer the reading: "group" (text) and "key"
// (integer), by which the rows come in order, and "mark" (integer), which
// rises whenever a row changes. It is handed :mark, the mark from which on rows
// are wanted, and :group and :key of the last row that was delivered.
//
// It may also ask for :cwd, the directory that a file beside the database names
// (Source.Cwd).
type RowQuery struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
	// Table must be there for the query to be asked: versions of a tool differ
	// in their tables, and some have databases of two kinds. "" asks always.
	Table string `json:"table,omitempty"`
	// ByRow says that the mark is the number of the row itself, which is given
	// again whenever the row is written. It needs no time in the row; a database
	// that is rebuilt renumbers its rows and is read from its start.
	ByRow bool `json:"by_row,omitempty"`
}

// Row is one row of a query's answer, by the names of its columns. Values are
// as the database has them: int64, float64, string, []byte or nil.
type Row struct {
	Query  string         `json:"query"`
	Values map[string]any `json:"values"`
}

// Text is a column's value as text, "" where it has none.
func (r Row) Text(column string) string {
	switch value := r.Values[column].(type) {
	case string:
		return value
	case []byte:
		return string(value)
	case int64:
		return strconv.FormatInt(value, 10)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return ""
}

// Int is a column's value as a number, 0 where it is none.
func (r Row) Int(column string) int64 {
	switch value := r.Values[column].(type) {
	case int64:
		return value
	case float64:
		return int64(value)
	}
	return 0
}

// RowReader is a Reader whose tool keeps its history in a database: it names
// its queries and is handed their rows. A row comes again whenever it has
// changed, and some come again that have not.
type RowReader interface {
	Reader
	// Queries are asked in this order, each to its end.
	Queries() []RowQuery
	// MapRows turns rows of one query into events. The offset of their Ref is a
	// number that orders the events of a session, the same at every reading.
	MapRows(rows []Row) ([]Located, Coverage)
}

// Marks are the highest marks seen, by query; they are a database's Position.
type Marks map[string]int64

// State is the marks as a Position holds them.
func (m Marks) State() (json.RawMessage, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("keep marks: %w", err)
	}
	return data, nil
}

// ReadMarks are the marks of a Position; a state that is none is ErrState.
func ReadMarks(state json.RawMessage) (Marks, error) {
	marks := Marks{}
	if len(state) == 0 {
		return marks, nil
	}
	if err := json.Unmarshal(state, &marks); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrState, err)
	}
	return marks, nil
}
