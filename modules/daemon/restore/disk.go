package restore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/carryover-go/carryover/modules/distiller"
)

// Disk is what is asked of the machine when a handoff is delivered. The zero
// value asks the machine itself.
type Disk struct {
	Stat  func(path string) (fs.FileInfo, error)
	Alive func(process int) (began time.Time, ok bool) // when a process began, zero where that is not known
	Boot  func() time.Time                             // when the machine started, zero where that is not known
}

// maxStats is how many of the listed files are looked at. No more are listed.
const maxStats = 24

// slack is how much later than the last event a file may bear its time: its tool
// tells the time before it writes, and a formatter comes after.
const slack = 5 * time.Second

// files names the listed files that changed after the last event, and those that
// are gone.
func (d Delivery) files(ctx context.Context) string {
	last := lastEvent(d.Facts)
	root := d.From.Worktree
	if root != d.Worktree && !isElsewhere(d.From, d.Worktree) {
		if _, err := d.Disk.stat(root); errors.Is(err, fs.ErrNotExist) {
			root = d.Worktree // where it was moved to
		}
	}
	if root == "" {
		root = d.Facts.Cwd
	}
	if last.IsZero() || root == "" {
		return ""
	}
	var changed, gone []string
	for _, file := range d.Facts.Files[:min(len(d.Facts.Files), maxStats)] {
		if ctx.Err() != nil {
			break
		}
		path := onDisk(root, file.Path)
		if path == "" {
			continue
		}
		info, err := d.Disk.stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && file.Change != "delete":
			gone = append(gone, file.Path)
		case err == nil && !info.IsDir() && info.ModTime().After(last.Add(slack)):
			changed = append(changed, file.Path)
		}
	}
	var parts []string
	if len(changed) > 0 {
		parts = append(parts, "Changed since: "+some(changed)+".")
	}
	if len(gone) > 0 {
		parts = append(parts, "Gone: "+some(gone)+".")
	}
	return strings.Join(parts, " ")
}

// lastEvent is when the session did something last, as the files' times have it.
// A clock of no known zone is taken for this machine's.
func lastEvent(f distiller.Facts) time.Time {
	if !f.Civil || f.Updated.IsZero() {
		return f.Updated
	}
	t := f.Updated.UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.Local)
}

// onDisk is a path as the handoff shows it, made absolute; "" where it is none.
func onDisk(root, path string) string {
	switch {
	case path == "" || strings.HasPrefix(path, "~"):
		return ""
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	}
	return filepath.Join(root, filepath.FromSlash(path))
}

// shownFiles is how many files a line names; the rest is counted.
const shownFiles = 4

func some(paths []string) string {
	names := make([]string, 0, shownFiles)
	for _, path := range paths[:min(len(paths), shownFiles)] {
		names = append(names, "`"+strings.ReplaceAll(path, "`", "'")+"`")
	}
	text := strings.Join(names, ", ")
	if more := len(paths) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (d Disk) stat(path string) (fs.FileInfo, error) {
	if d.Stat != nil {
		return d.Stat(path)
	}
	return os.Stat(path)
}

// jobs says what is known of the jobs that the session left in the background:
// gone with the machine's restart or as processes, else nothing.
func (d Delivery) jobs() string {
	if len(d.Jobs) == 0 {
		return ""
	}
	boot, alive := bootTime, processBegan
	if d.Disk.Boot != nil {
		boot = d.Disk.Boot
	}
	if d.Disk.Alive != nil {
		alive = d.Disk.Alive
	}
	last := lastEvent(d.Facts)
	restarted := !last.IsZero() && boot().After(last)
	var ended, running, unknown []string
	for _, job := range d.Jobs {
		began, ok := time.Time{}, false
		if job.Process > 0 && !restarted {
			began, ok = alive(job.Process)
		}
		switch {
		case restarted, job.Process > 0 && (!ok || began.After(last.Add(slack))): // another process has its number
			ended = append(ended, job.What)
		case ok:
			running = append(running, fmt.Sprintf("%s (process %d)", job.What, job.Process))
		default:
			unknown = append(unknown, job.What)
		}
	}
	var parts []string
	for _, part := range []struct {
		words string
		jobs  []string
	}{{"No longer running in the background: ", ended}, {"Still running in the background: ", running}, {"Left in the background, may have ended: ", unknown}} {
		if len(part.jobs) > 0 {
			parts = append(parts, part.words+some(part.jobs)+".")
		}
	}
	return strings.Join(parts, " ")
}
