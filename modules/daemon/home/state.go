package home

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/regularfile"
)

// Running is daemon.json: where the daemon listens. The commands read it; the
// hook client does not, it computes the socket's place.
type Running struct {
	PID     int       `json:"pid"`
	Listen  string    `json:"listen"`
	Socket  string    `json:"socket"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
}

// ReadRunning reads daemon.json. It may be of a daemon that was killed.
func (d Dir) ReadRunning() (Running, error) {
	var running Running
	data, err := regularfile.ReadOwn(d.State())
	if err != nil {
		return running, fmt.Errorf("read daemon state: %w", err)
	}
	if err := json.Unmarshal(data, &running); err != nil {
		return running, fmt.Errorf("read daemon state %s: %w", d.State(), err)
	}
	return running, nil
}
