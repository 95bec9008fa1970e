package copilotvscode

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// compact is the command by which the user has the history summarised.
const compact = "compact"

// summaries are those that were made during a request: each stands in for all
// that went before, up to the round it names. Versions that keep one of them
// keep the last.
func summaries(request any) []any {
	if all := list(request, "result", "metadata", "summaries"); len(all) > 0 {
		return all
	}
	if one := at(request, "result", "metadata", "summary"); one != nil {
		return []any{one}
	}
	return nil
}

// compactions maps the summaries whose last round has the id; those of rounds of
// earlier requests were made before the first of this one.
func (s *session) compactions(of func(round string) bool) {
	for i, summary := range summaries(s.from.value) {
		words := strings.TrimSpace(text(summary, "text"))
		if words == "" || !of(text(summary, "toolCallRoundId")) {
			continue
		}
		trigger := "auto"
		if cmp.Or(text(s.from.value, "result", "metadata", "command"), text(s.from.value, "slashCommand", "name")) == compact {
			trigger = "manual"
		}
		s.emit(s.from.id+"#cut"+strconv.Itoa(i), transcript.Event{
			Kind: transcript.Compacted, Text: words, Time: moment(s.from.value, "modelState", "completedAt"),
			Compaction: &transcript.CompactionInfo{Trigger: trigger},
		})
	}
}

// roundIDs are the ids of the rounds of a request.
func roundIDs(rounds []any) map[string]bool {
	ids := map[string]bool{}
	for _, round := range rounds {
		if id := text(round, "id"); id != "" {
			ids[id] = true
		}
	}
	return ids
}
