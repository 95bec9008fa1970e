//go:build !linux && !darwin

package wiring

// exchange lets two files change places in one step, where that can be done.
func exchange(string, string) error { return errNoExchange }
