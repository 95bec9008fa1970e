package toolspecs

// HookSwitch is a member of a settings file with which a user or an administrator
// keeps hooks from running, whatever is wired.
type HookSwitch struct {
	Member string              `json:"member"` // hooks do not run where it is true
	Paths  map[string][]string `json:"paths"`  // GOOS or "default" → files, with * for any name; ~ and $VAR are expanded
	Why    string              `json:"why"`    // what it does, as the end of a sentence about the hooks
}

func (s *Spec) checkSwitches(add func(string, ...any)) {
	for _, one := range s.HookSwitches {
		if one.Member == "" || one.Why == "" || len(one.Paths) == 0 {
			add("hook_switches must name member, paths and why: %+v", one)
		}
	}
}
