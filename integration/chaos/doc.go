// Package chaos does to the built programs what disks, clocks, limits and other
// programs do, and looks whether anything is lost. `make chaos` runs all of it and
// writes docs/reliability.md; the tests run a short form.
package chaos
