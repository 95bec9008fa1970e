// Command carryoverd is the daemon: one per home, started by `carryover daemon
// start`, by an install, or by a service manager.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/carryover-go/carryover/modules/daemon"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/version"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "carryoverd: error: %s\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("carryoverd", flag.ExitOnError)
	dir := flags.String("home", "", "Carryover's folder (default ~/.carryover, or CARRYOVER_HOME)")
	foreground := flags.Bool("foreground", false, "log to stderr too")
	show := flags.Bool("version", false, "print the version and exit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *show {
		fmt.Println("carryoverd", version.Version)
		return nil
	}
	at, err := home.Default()
	if *dir != "" {
		abs, absErr := filepath.Abs(*dir)
		at, err = home.Dir(abs), absErr
	}
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	return daemon.Run(ctx, daemon.Options{Home: at, Foreground: *foreground})
}
