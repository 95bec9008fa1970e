// Command gitleaks asks gitleaks' own Go module what it knows. With "table" it
// writes the rules as the Go source that package redact compiles into its
// engine; with "positives" it writes texts in which gitleaks finds a secret, one
// JSON object a line, made from a fixed seed and out of each rule's own pattern.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
)

func main() {
	rules, err := load()
	if err == nil {
		switch what := append(os.Args, "")[1]; what {
		case "table":
			err = writeTable(os.Stdout, rules)
		case "positives":
			err = writePositives(os.Stdout, rules)
		default:
			err = fmt.Errorf("usage: gitleaks table|positives")
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gitleaks:", err)
		os.Exit(1)
	}
}

// load reads the rules that gitleaks uses by default.
func load() (config.Config, error) {
	var raw config.ViperConfig
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(stringReader(config.DefaultConfig)); err != nil {
		return config.Config{}, err
	}
	if err := v.Unmarshal(&raw); err != nil {
		return config.Config{}, err
	}
	return raw.Translate()
}
