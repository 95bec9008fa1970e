package view

// Rescued is what `carryover rescue` wrote.
type Rescued struct {
	Schema    int           `json:"schema"`
	Tool      string        `json:"tool"`
	Session   string        `json:"session"`
	Directory string        `json:"directory,omitempty"` // where the session ran
	Files     []RescuedFile `json:"files"`
	Commands  [][]string    `json:"commands"` // go on with the session, in order, in its directory
}

// RescuedFile is a transcript that was written.
type RescuedFile struct {
	Path     string `json:"path"`
	Bytes    int64  `json:"bytes"`
	Subagent bool   `json:"subagent,omitempty"`
}
