package pages

import (
	"bytes"
	"os"
)

// LogTexts are the texts that the transactions of a write-ahead log wrote behind a key
// into a table of keys and texts, in order.
func LogTexts(path, key string) (texts []string) {
	wal, err := os.Open(path)
	if err != nil {
		return nil
	}
	f := &File{wal: wal, logged: map[int64]int64{}}
	defer func() { _ = f.Close() }()
	var pending []string
	f.readLog(func(number int64, page []byte, isLast bool) {
		if bytes.Contains(page, []byte(key)) {
			pending = append(pending, f.behind(page, number, key)...)
		}
		if isLast {
			texts, pending = append(texts, pending...), nil
		}
	})
	return texts
}

// behind are the texts behind a key on a page.
func (f *File) behind(page []byte, number int64, key string) (texts []string) {
	for cell := range cells(page, number) {
		record, ok := f.record(page, number, cell)
		if !ok || len(record.Values) != 2 || record.Values[0] != key {
			continue
		}
		if text, isText := record.Values[1].(string); isText {
			texts = append(texts, text)
		}
	}
	return texts
}
