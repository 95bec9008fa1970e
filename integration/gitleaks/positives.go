package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/lucasjones/reggen"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// positive is a text in which gitleaks finds a secret.
type positive struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Secret string `json:"secret"`
}

// samples is how many texts are made of each rule; attempts how many are tried,
// since entropy and allowed lists refuse some.
const (
	samples  = 8
	attempts = 400
)

func writePositives(out io.Writer, rules config.Config) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	ids := make([]string, 0, len(rules.Rules))
	for id := range rules.Rules {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		rule := rules.Rules[id]
		if rule.Regex == nil {
			continue
		}
		generator, err := reggen.NewGenerator(rule.Regex.String())
		if err != nil {
			return err
		}
		generator.SetSeed(20)
		for _, one := range positives(rules, rule, generator) {
			if err := encoder.Encode(one); err != nil {
				return err
			}
		}
	}
	return nil
}

func positives(rules config.Config, rule config.Rule, generator *reggen.Generator) (made []positive) {
	only := rules
	only.Rules = map[string]config.Rule{rule.RuleID: rule}
	detector := detect.NewDetector(only)
	for range attempts {
		text := generator.Generate(60)
		if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
			continue // folding of ASCII letters, which no token has
		}
		fragment := detect.Fragment{Raw: text}
		if rule.Path != nil {
			continue
		}
		found := detector.Detect(fragment)
		if len(found) == 0 {
			continue
		}
		made = append(made, positive{rule.RuleID, text, found[0].Secret})
		if len(made) == samples {
			break
		}
	}
	return made
}
