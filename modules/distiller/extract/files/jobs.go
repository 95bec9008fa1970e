package files

import (
	"slices"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/bounded"
	"github.com/carryover-go/carryover/modules/distiller/extract/prose"
	"github.com/carryover-go/carryover/modules/distiller/extract/timeline"
	"github.com/carryover-go/carryover/modules/distiller/internal/lazyregexp"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Jobs are the commands that were left running in the background:
//
//   - one that the shell was asked not to wait for ("npm run dev &"), with the
//     number the shell gave it ("[1] 4242", or what "echo $!" printed);
//   - one of which its tool says that it runs in the background.
//
// A job without a number is forgotten at the user's next prompt: its tool has
// notified of its end since. A "kill" of its number ends one.
type Jobs struct {
	list []job
}

// job is a command left running; id is its tool's, "" where there is none.
type job struct {
	distiller.Job
	id string
}

const (
	maxJobs      = 4
	maxJobShown  = 80
	maxJobNumber = 1 << 22 // the highest number of a process (proc(5), pid_max)
)

var (
	unwaited  = lazyregexp.New(`[^&>|]&\s*(?:$|\n|;|disown|echo|sleep)`)
	jobNumber = lazyregexp.New(`(?m)^(?:\[\d+\] )?(\d+)\r?$`)
)

// Add takes one more event.
func (j *Jobs) Add(e *timeline.Event) {
	if len(e.Ended) > 0 {
		j.list = slices.DeleteFunc(slices.Clone(j.list), func(job job) bool { return slices.Contains(e.Ended, job.id) })
	}
	switch {
	case e.Kind == transcript.Prompt && timeline.OwnWords(e.Located):
		j.list = slices.DeleteFunc(slices.Clone(j.list), func(job job) bool { return job.Process == 0 })
	case e.Kind == transcript.Result && e.ToolCall != nil && e.ToolCall.Info.Meaning == transcript.Shell && !timeline.Failed(e):
		j.ran(e)
	}
}

func (j *Jobs) ran(e *timeline.Event) {
	command := e.ToolCall.Info.Command
	j.killed(command)
	said := e.Result.Text[:min(len(e.Result.Text), timeline.MaxJobText)]
	detached := unwaited.MatchString(command)
	if !detached && !e.Verdict.Background {
		return
	}
	left := job{Job: distiller.Job{What: prose.Clip(e.ToolCall.What(), maxJobShown), Source: e.ToolCall.Source}, id: e.Started}
	if number := jobNumber.FindStringSubmatch(said); detached && number != nil {
		if n, err := strconv.Atoi(number[1]); err == nil && n > 1 && n <= maxJobNumber {
			left.Process = n
		}
	}
	j.list = bounded.Limit(append(slices.Clone(j.list), left), maxJobs)
}

// killed forgets the jobs whose numbers a kill names.
func (j *Jobs) killed(command string) {
	if len(j.list) == 0 || !strings.Contains(command, "kill") {
		return
	}
	words := strings.Fields(command)
	j.list = slices.DeleteFunc(slices.Clone(j.list), func(job job) bool {
		return job.Process > 0 && slices.Contains(words, strconv.Itoa(job.Process))
	})
}

// Left are the jobs that still run, oldest first.
func (j *Jobs) Left() []distiller.Job {
	var out []distiller.Job
	for _, left := range j.list {
		out = append(out, left.Job)
	}
	return out
}
