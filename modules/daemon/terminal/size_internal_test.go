//go:build unix

package terminal

import (
	"testing"

	"github.com/creack/pty"
)

func TestUsable_GivesATerminalOfNoSizeOne(t *testing.T) {
	for _, size := range []pty.Winsize{{}, {Cols: 100}, {Rows: 30}} {
		if usable(&size); size.Cols != 80 || size.Rows != 24 {
			t.Errorf("%+v", size)
		}
	}
	if size := (pty.Winsize{Cols: 100, Rows: 30}); true {
		if usable(&size); size.Cols != 100 || size.Rows != 30 {
			t.Errorf("%+v", size)
		}
	}
}
