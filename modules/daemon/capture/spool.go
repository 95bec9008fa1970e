package capture

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// Spooled is what hooks left while there was no daemon.
type Spooled struct {
	Envelopes []home.Envelope // oldest first
	Lost      int64           // notes that did not fit
	Broken    int
	paths     []string
}

// ReadSpool reads the notes. They stay until Remove, so that a crash while
// they are handled loses none; handling one twice changes nothing.
func ReadSpool(dir home.Dir) (Spooled, error) {
	var spooled Spooled
	entries, err := os.ReadDir(dir.Spool())
	if os.IsNotExist(err) {
		return spooled, nil
	}
	if err != nil {
		return spooled, fmt.Errorf("read spool: %w", err)
	}
	for _, entry := range entries {
		path := filepath.Join(dir.Spool(), entry.Name())
		switch {
		case entry.Name() == "lost":
			if info, err := entry.Info(); err == nil {
				spooled.Lost = info.Size()
			}
			spooled.paths = append(spooled.paths, path)
		case strings.HasSuffix(entry.Name(), ".json"):
			data, err := regularfile.ReadOwn(path)
			var envelope home.Envelope
			if err != nil || json.Unmarshal(data, &envelope) != nil {
				spooled.Broken++
			} else {
				spooled.Envelopes = append(spooled.Envelopes, envelope)
			}
			spooled.paths = append(spooled.paths, path)
		}
	}
	sort.SliceStable(spooled.Envelopes, func(i, j int) bool { return spooled.Envelopes[i].Time < spooled.Envelopes[j].Time })
	return spooled, nil
}

// Remove deletes the notes that were read.
func (s Spooled) Remove() {
	for _, path := range s.paths {
		_ = os.Remove(path)
	}
}
