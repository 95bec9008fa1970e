package render

// ShortID is how every screen and handoff names a session: 8 characters of a
// UUID, 13 of one that begins with a clock (version 7), other ids whole. It is
// a prefix that commands take in place of the id.
func ShortID(session string) string { return shortRef(session) }
