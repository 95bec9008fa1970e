package view

import "context"

// Worth says what handoffs are worth, by the user's own sessions.
type Worth interface {
	// Effects compares sessions with a handoff and without, and counts tokens.
	Effects(ctx context.Context) (Effects, error)
}

// Effects is what `carryover stats --effect` reports.
type Effects struct {
	Schema int         `json:"schema"`
	Items  []Effect    `json:"items"`  // all, then by tool, then by project
	Tokens []TokenLine `json:"tokens"` // newest day first
}

// Effect compares the sessions of a tool, a project, or all.
type Effect struct {
	By      string     `json:"by"` // all, tool, project
	Name    string     `json:"name,omitempty"`
	TooFew  bool       `json:"too_few"` // a side has less than ten sessions: no comparison
	With    EffectSide `json:"with"`
	Without EffectSide `json:"without"`
	Bytes   int        `json:"bytes"`  // of the handoffs given
	Tokens  int        `json:"tokens"` // about
}

// EffectSide are the sessions with a handoff, or without.
type EffectSide struct {
	Sessions  int    `json:"sessions"`
	Calls     Spread `json:"calls"`      // before the first edit
	Minutes   Spread `json:"minutes"`    // from the first prompt to the first edit
	Repeated  Spread `json:"repeated"`   // failures of commands that failed before in the project
	ReadAgain Spread `json:"read_again"` // files read before the first edit that earlier sessions had open
}

// Spread is a median with its quartiles.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// TokenLine counts the tokens that models were sent on one day.
type TokenLine struct {
	Day     string `json:"day"`
	Tool    string `json:"tool"`
	Model   string `json:"model,omitempty"`
	Replies int    `json:"replies"` // usage records
	Tokens  int64  `json:"tokens"`  // of context, summed over them, cached ones too
}
