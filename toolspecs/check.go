package toolspecs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// Roles of a hook.
var roles = []string{
	"session_start", "prompt", "pre_tool", "post_tool", "pre_compact", "post_compact", "turn_end", "session_end",
	"subagent_start", "subagent_end", "permission", "notification", "interrupt", "other",
}

var meanings = []transcript.Meaning{
	transcript.Edit, transcript.Write, transcript.Delete, transcript.Read, transcript.Shell, transcript.Search,
	transcript.Fetch, transcript.Ask, transcript.Planning, transcript.Todos, transcript.Subagent, transcript.Other,
}

// Groups of facts that every spec must have verified.
var Groups = []string{"hooks", "transcripts", "context", "settings", "trust"}

// Check returns what is wrong with a spec, each problem in one sentence.
func (s *Spec) Check() []error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if s.Tool == "" || s.Name == "" {
		add("tool and name must be given")
	}
	if pattern, err := regexp.Compile(s.Detect.Pattern); err != nil || pattern.NumSubexp() < 1 {
		add("detect.pattern must be a regular expression with one group")
	}
	if s.Launch != nil && !slices.ContainsFunc(s.Launch.Args, func(arg string) bool { return arg == "{handoff}" || arg == "{file}" }) {
		add("opens.args must have {handoff} or {file}")
	}
	for _, part := range s.Limits {
		if part == "" || part != strings.ToLower(part) {
			add("limits must be in lower case: %q", part)
		}
	}
	s.checkVersions(add)
	s.checkHooks(add)
	s.checkRecords(add)
	s.checkCalls(add)
	s.checkHeadless(add)
	s.checkTerminal(add)
	checkProved(s, add)
	s.checkVerified(add)
	s.checkSwitches(add)
	return problems
}

func (s *Spec) checkVersions(add func(string, ...any)) {
	if len(s.Versions) == 0 {
		add("versions must hold at least one range")
	}
	for _, candidate := range s.Versions {
		if _, err := semver.NewConstraint(candidate.Range); err != nil {
			add("range %q: %v", candidate.Range, err)
		}
		if len(bounds.FindAllString(candidate.Range, -1)) != 2 {
			add("range %q must name its oldest and its newest version", candidate.Range)
		}
	}
}

// checkHooks holds wired hooks to what every version knows: one unknown event
// name can disable a whole settings file of the user.
func (s *Spec) checkHooks(add func(string, ...any)) {
	seen := map[string]bool{}
	for _, hook := range s.Hooks {
		key := strings.ToLower(hook.Event)
		if seen[key] {
			add("hook %s stands twice", hook.Event)
		}
		seen[key] = true
		if !slices.Contains(roles, hook.Role) {
			add("hook %s has the unknown role %q", hook.Event, hook.Role)
		}
		if !slices.Contains([]string{"plain", "json", "none"}, hook.Output) || hook.Output == "json" && hook.Field == "" {
			add("hook %s must say how its output reaches the model", hook.Event)
		}
		if _, err := semver.NewConstraint(hook.Known); err != nil {
			add("hook %s: known %q: %v", hook.Event, hook.Known, err)
		}
		hook.checkNarrowMatcher(add)
		if !hook.Wired {
			continue
		}
		if hook.Timeout <= 0 || hook.Role == "pre_tool" || hook.Role == "permission" {
			add("hook %s cannot be wired: it needs a timeout and must not be able to deny a tool call", hook.Event)
		}
		for _, candidate := range s.Versions {
			for _, text := range bounds.FindAllString(candidate.Range, -1) {
				if !within(hook.Known, semver.MustParse(text)) {
					add("hook %s is wired but %s does not know it", hook.Event, text)
				}
			}
		}
	}
}

// checkNarrowMatcher holds a narrowed hook to calls that it is for.
func (h Hook) checkNarrowMatcher(add func(string, ...any)) {
	for call := range strings.SplitSeq(h.NarrowMatcher, "|") {
		if call != "" && !slices.Contains(strings.Split(h.Matcher, "|"), call) {
			add("hook %s is narrowed to %s, which its matcher does not name", h.Event, call)
		}
	}
}

func (s *Spec) checkRecords(add func(string, ...any)) {
	seen := map[string]bool{}
	once := func(name string) {
		if seen[name] {
			add("record type %s is sorted twice", name)
		}
		seen[name] = true
	}
	for _, name := range s.Records.Read {
		once(name)
	}
	for _, skip := range s.Records.Skipped {
		once(skip.Type)
		if skip.Why == "" {
			add("record type %s is skipped without a reason", skip.Type)
		}
	}
	for _, line := range s.Records.Lines {
		if _, err := regexp.Compile(line.Pattern); err != nil {
			add("line type %s: %v", line.Type, err)
		}
		if !seen[line.Type] {
			add("line type %s is neither read nor skipped", line.Type)
		}
	}
}

func (s *Spec) checkCalls(add func(string, ...any)) {
	seen := map[string]bool{}
	for _, call := range s.Calls {
		if seen[call.Name] {
			add("call %s stands twice", call.Name)
		}
		seen[call.Name] = true
		if !slices.Contains(meanings, call.Meaning) {
			add("call %s has the unknown meaning %q", call.Name, call.Meaning)
		}
	}
}

// checkHeadless holds each mark to one place in which it is looked for.
func (s *Spec) checkHeadless(add func(string, ...any)) {
	for _, mark := range s.Headless {
		declared := 0
		for _, named := range []bool{mark.Env != "", mark.Record != "", mark.Option != "", mark.Piped} {
			if named {
				declared++
			}
		}
		if declared != 1 {
			add("headless: a mark names one of env, record, option and piped")
		}
		if mark.First && (mark.Record == "" || mark.Equals == "") {
			add("headless: a mark in the first line needs a record member and its whole value")
		}
	}
}

// shortest is how many characters a text must have to be found on a screen by
// its words alone.
const shortest = 8

// checkTerminal holds what ends a run to words that a program does not show
// otherwise.
func (s *Spec) checkTerminal(add func(string, ...any)) {
	if s.Terminal == nil {
		return
	}
	if s.Terminal.Ready == "" {
		add("terminal.ready must say what is shown when a person may type")
	}
	for _, text := range s.Terminal.Full {
		if len(text) < shortest {
			add("terminal.full: %q is too short to be distinct from other text", text)
		}
	}
	if !slices.ContainsFunc(s.Verified, func(v Verified) bool { return v.Group == "terminal" }) {
		add("verified says nothing of terminal")
	}
}

// checkProved wants a word on everything that scenarios prove, and no other.
func checkProved(s *Spec, add func(string, ...any)) {
	if s.Proved != nil && len(s.Proved) != len(Feats) {
		add("proved must name %s", strings.Join(Feats, ", "))
	}
	for _, feat := range Feats {
		if s.Proved != nil && s.Proved[feat] == "" {
			add("proved says nothing of %s", feat)
		}
	}
}

func (s *Spec) checkVerified(add func(string, ...any)) {
	for _, group := range Groups {
		if !slices.ContainsFunc(s.Verified, func(v Verified) bool { return v.Group == group }) {
			add("verified says nothing of %s", group)
		}
	}
	for _, verified := range s.Verified {
		if _, err := time.Parse(time.DateOnly, verified.Date); err != nil {
			add("verified %s: date %q", verified.Group, verified.Date)
		}
	}
}
