package transcript

// Shrunk says whether a context was compacted between two reports of its size, in
// tokens: less than half of it is left.
func Shrunk(before, now int64) bool { return before > 0 && now > 0 && now*2 < before }

// Compacts says whether a command of an agent shortens its context: agents that offer
// their commands to an editor call it so.
func Compacts(command string) bool {
	return command == "compact" || command == "compress" || command == "summarize"
}
