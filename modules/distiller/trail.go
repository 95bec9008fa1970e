package distiller

import "time"

// Trail is the last steps of a session, word for word: what stands in the
// snapshot of a compaction, and what a session must get after one.
type Trail struct {
	Updated     time.Time   // of the last event, zero when unknown
	Civil       bool        // Updated is the machine's own clock: the tool tells no zone
	Prompts     []Statement // the person's last messages, oldest first
	Calls       []Step      // the agent's last calls, oldest first
	Usage       *Usage      // how full the context was last
	Directories []string    // absolute, in which files were touched, newest first
	Compaction  *Compaction // the last one, nil while there was none
	Jobs        []Job       // left running in the background, oldest first
}

// Job is a command that a session left running in the background. Process is
// its number as the shell reported it, 0 where unknown.
type Job struct {
	What    string
	Process int
	Source  Source
}

// Compaction is a compaction of the context.
type Compaction struct {
	Trigger string    // manual, auto, or "" where the tool does not say
	Time    time.Time // as the tool says it
	Ended   bool      // a turn has ended since
	Waiting string    // the call that had no result when it came, "" for none
	Summary string    // the tool's own, "" where it cannot be read
}

// Step is one call with what came of it: "ok", "failed", one of the outcomes
// of transcript.Outcome, or "" while there is no result. Error is the first
// line of a failure, Said all that a call printed which did not fail, where that is short, or how
// the runner of its tests closed: text of a tool.
type Step struct {
	What    string `json:"what"`
	Shell   bool   `json:"shell,omitempty"` // it was a command
	Outcome string `json:"outcome,omitempty"`
	Error   string `json:"error,omitempty"`
	Said    string `json:"said,omitempty"`
	Source  Source `json:"source"`
}
