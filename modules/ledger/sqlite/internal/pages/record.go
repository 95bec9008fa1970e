package pages

import (
	"encoding/binary"
	"math"
)

// Address is where a record stands.
type Address struct {
	Page int64
	Cell int
}

// Record is one row of a table, or one entry of an index.
type Record struct {
	Address Address
	Table   bool  // of a table with row ids
	Row     int64 // its id, of a table
	Values  []any // int64, float64, string, []byte or nil
}

// maxPayload bounds a record, in bytes: a length that damage has made is not
// believed.
const maxPayload = 256 << 20

// Types of the pages of a tree.
const (
	interiorIndex = 2
	leafIndex     = 10
	leafTable     = 13
)

// Each hands on every record that can be read, page by page, and returns how
// many pages and cells of records could not be.
func (f *File) Each(yield func(Record)) (unreadable int) {
	for n := int64(1); n <= f.count; n++ {
		page, err := f.page(n)
		if err != nil {
			unreadable++
			continue
		}
		for cell := range cells(page, n) {
			record, ok := f.record(page, n, cell)
			if !ok {
				unreadable++
				continue
			}
			yield(record)
		}
	}
	return unreadable
}

// At reads the record at a place again.
func (f *File) At(address Address) (Record, bool) {
	page, err := f.page(address.Page)
	if err != nil || address.Cell >= cells(page, address.Page) {
		return Record{}, false
	}
	return f.record(page, address.Page, address.Cell)
}

// head is where the header of a page begins: the first page has that of the
// file before it.
func head(number int64) int {
	if number == 1 {
		return 100
	}
	return 0
}

// cells is how many records a page says to hold; 0 for pages of no records.
func cells(page []byte, number int64) int {
	at := head(number)
	if len(page) < at+8 {
		return 0
	}
	switch page[at] {
	case interiorIndex, leafIndex, leafTable:
	default:
		return 0
	}
	n := int(binary.BigEndian.Uint16(page[at+3:]))
	if room := (len(page) - at - 8) / 2; n > room {
		return 0
	}
	return n
}

// record reads a cell.
func (f *File) record(page []byte, number int64, cell int) (Record, bool) {
	at := head(number)
	kind, pointers := page[at], at+8
	if kind == interiorIndex {
		pointers += 4
	}
	if pointers+2*cell+2 > len(page) {
		return Record{}, false
	}
	from := int(binary.BigEndian.Uint16(page[pointers+2*cell:]))
	if from < pointers || from >= len(page) {
		return Record{}, false
	}
	rest := page[from:]
	if kind == interiorIndex {
		if len(rest) < 4 {
			return Record{}, false
		}
		rest = rest[4:]
	}
	record := Record{Address: Address{number, cell}, Table: kind == leafTable}
	length, rest, ok := varint(rest)
	if ok && record.Table {
		record.Row, rest, ok = varint(rest)
	}
	if !ok || length < 1 || length > maxPayload {
		return Record{}, false
	}
	payload, ok := f.payload(rest, length, record.Table)
	if !ok {
		return Record{}, false
	}
	record.Values, ok = values(payload)
	return record, ok
}

// payload puts together what stands on the page and what overflows.
func (f *File) payload(local []byte, length int64, table bool) ([]byte, bool) {
	usable := f.size
	most := (usable-12)*64/255 - 23
	if table {
		most = usable - 35
	}
	if length <= most {
		if int64(len(local)) < length {
			return nil, false
		}
		return local[:length], true
	}
	least := (usable-12)*32/255 - 23
	here := least + (length-least)%(usable-4)
	if here > most {
		here = least
	}
	if int64(len(local)) < here+4 {
		return nil, false
	}
	whole := append(make([]byte, 0, min(length, 1<<20)), local[:here]...)
	next := int64(binary.BigEndian.Uint32(local[here:]))
	for int64(len(whole)) < length {
		page, err := f.page(next)
		if err != nil || len(page) <= 4 {
			return nil, false
		}
		part := page[4:]
		whole = append(whole, part[:min(int64(len(part)), length-int64(len(whole)))]...)
		next = int64(binary.BigEndian.Uint32(page))
	}
	return whole, true
}

// values decodes a record: the types, then what they say.
func values(payload []byte) ([]any, bool) {
	size, types, ok := varint(payload)
	used := int64(len(payload) - len(types))
	if !ok || size > int64(len(payload)) || size < used {
		return nil, false
	}
	types = types[:size-used]
	body := payload[size:]
	var list []any
	for len(types) > 0 {
		var kind int64
		if kind, types, ok = varint(types); !ok {
			return nil, false
		}
		length := width(kind)
		if length < 0 || length > int64(len(body)) {
			return nil, false
		}
		list = append(list, value(kind, body[:length]))
		body = body[length:]
	}
	return list, len(body) == 0
}

// width is how many bytes a type takes; -1 for none that exists.
func width(kind int64) int64 {
	switch {
	case kind < 0 || kind == 10 || kind == 11:
		return -1
	case kind >= 12:
		return (kind - 12) / 2
	}
	return [...]int64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}[kind]
}

func value(kind int64, data []byte) any {
	switch {
	case kind == 0:
		return nil
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(data))
	case kind == 8 || kind == 9:
		return kind - 8
	case kind >= 13 && kind%2 == 1:
		return string(data)
	case kind >= 12:
		return append([]byte{}, data...)
	}
	n := int64(int8(data[0]))
	for _, b := range data[1:] {
		n = n<<8 | int64(b)
	}
	return n
}

// varint reads SQLite's: seven bits a byte, all eight of the ninth.
func varint(from []byte) (n int64, rest []byte, ok bool) {
	var u uint64
	for i := range min(len(from), 9) {
		if i == 8 {
			return int64(u<<8 | uint64(from[i])), from[9:], true
		}
		u = u<<7 | uint64(from[i]&0x7f)
		if from[i] < 0x80 {
			return int64(u), from[i+1:], true
		}
	}
	return 0, nil, false
}
