package publish

import (
	"strings"

	"github.com/carryover-go/carryover/modules/distiller/render"
)

// The long document stands between these marks; the snapshot of the last compaction
// has its own, below it.
const (
	ledgerFile  = Dir + "/ledger.md"
	ledgerStart = "<!--CARRYOVER:LEDGER:START-->"
	ledgerEnd   = "<!--CARRYOVER:LEDGER:END-->"
)

// Ledger writes .carryover/ledger.md: the long document of a session, and the
// snapshot of its last compaction with its marks. An empty one of them leaves what
// stands there. Only what is between marks is replaced: what a person wrote
// around them stays.
func (p *Project) Ledger(document, snapshot string) (changed bool, err error) {
	if err := p.hide(); err != nil {
		return false, err
	}
	old, err := p.read(ledgerFile)
	if err != nil {
		return false, err
	}
	text := string(old)
	if document != "" {
		text = replaceMarked(text, ledgerStart, ledgerEnd, ledgerStart+"\n"+document+ledgerEnd+"\n")
	}
	if snapshot != "" {
		text = replaceMarked(text, render.SnapshotStart, render.SnapshotEnd, snapshot)
	}
	if text == "" {
		return false, nil
	}
	return p.replace(ledgerFile, []byte(text), 0o600)
}

// replaceMarked puts part in the place of what begins with the line start and
// ends with the line end. Text without such a part gets it at its end.
func replaceMarked(text, start, end, part string) string {
	to := strings.Index(text, end)
	from := -1
	if to >= 0 {
		from = strings.LastIndex(text[:to], start)
	}
	if from < 0 {
		switch {
		case text == "":
		case strings.HasSuffix(text, "\n"):
			text += "\n"
		default:
			text += "\n\n"
		}
		return text + part
	}
	rest := strings.TrimPrefix(text[to+len(end):], "\n")
	return text[:from] + part + rest
}
