package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Setting is one key as its tag describes it.
type Setting struct {
	Key     string
	Default string
	OneOf   []string // the words that are valid; nil where any is
	Value   string   // how a value is written, where OneOf does not say it
	Project bool     // a repository may set it for itself
	Doc     string
}

// Variable is the environment variable that sets the key.
func (s Setting) Variable() string {
	return "CARRYOVER_" + strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))
}

// setting is a key with the field that holds its value.
type setting struct {
	Setting
	field    reflect.Value
	min, max int // of a number
}

// Settings are all keys, in the order of Choices.
func Settings() []Setting {
	var choices Choices
	var list []Setting
	for _, s := range settingsOf(&choices) {
		list = append(list, s.Setting)
	}
	return list
}

// Keys are the names of all settings.
func Keys() []string {
	var names []string
	for _, s := range Settings() {
		names = append(names, s.Key)
	}
	return names
}

// OneOf are the valid words of a key.
func OneOf(key string) []string {
	list := Settings()
	return list[slices.IndexFunc(list, func(s Setting) bool { return s.Key == key })].OneOf
}

func projectKeys() []string {
	var names []string
	for _, s := range Settings() {
		if s.Project {
			names = append(names, s.Key)
		}
	}
	return names
}

// settingsOf are the settings with the fields of choices.
func settingsOf(choices *Choices) []setting { return fieldsOf(reflect.ValueOf(choices).Elem()) }

func fieldsOf(group reflect.Value) []setting {
	var list []setting
	for i := range group.NumField() {
		tag, field := group.Type().Field(i).Tag, group.Field(i)
		if field.Kind() == reflect.Struct {
			list = append(list, fieldsOf(field)...)
			continue
		}
		s := setting{field: field, min: numberOr(tag.Get("min"), -1<<31), max: numberOr(tag.Get("max"), 1<<31-1), Setting: Setting{
			Key: tag.Get("key"), Default: tag.Get("default"), OneOf: strings.Fields(tag.Get("oneof")), Value: tag.Get("value"),
			Project: tag.Get("project") == "yes", Doc: tag.Get("doc"),
		}}
		if s.Value == "" {
			s.Value = map[reflect.Type]string{
				reflect.TypeFor[time.Duration](): "days or hours (14d, 36h)", reflect.TypeFor[int](): "number", reflect.TypeFor[bool](): "true, false",
			}[field.Type()]
		}
		list = append(list, s)
	}
	return list
}

func numberOr(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// take sets the field to a value of a file or the environment.
func (s setting) take(value any) error {
	if list, ok := value.([]any); ok && s.field.Kind() == reflect.Slice {
		words := []string{}
		for _, word := range list {
			text, ok := word.(string)
			if !ok {
				return fmt.Errorf("invalid %s %v: use a list of words in quotes", s.Key, value)
			}
			words = append(words, text)
		}
		s.field.Set(reflect.ValueOf(words))
		return nil
	}
	if list, ok := value.([]string); ok && s.field.Kind() == reflect.Slice {
		s.field.Set(reflect.ValueOf(list))
		return nil
	}
	return s.parse(fmt.Sprint(value))
}

// parse sets the field to a value that is written as text.
func (s setting) parse(text string) error {
	switch into := s.field.Addr().Interface().(type) {
	case *[]string:
		*into = splitList(text)
	case *time.Duration:
		age, err := Age(text)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Key, err)
		}
		*into = age
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil || n < s.min || n > s.max {
			return fmt.Errorf("invalid %s %q: use a number %s", s.Key, text, s.bounds())
		}
		*into = n
	case *bool:
		yes, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("invalid %s %q: use true or false", s.Key, text)
		}
		*into = yes
	case *string:
		if len(s.OneOf) > 0 && !slices.Contains(s.OneOf, text) {
			return fmt.Errorf("invalid %s %q: use one of %s", s.Key, text, strings.Join(s.OneOf, ", "))
		}
		*into = text
	}
	return nil
}

func (s setting) bounds() string {
	if s.max < 1<<31-1 {
		return fmt.Sprintf("from %d to %d", s.min, s.max)
	}
	return fmt.Sprintf("of at least %d", s.min)
}

func splitList(text string) []string {
	var list []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			list = append(list, word)
		}
	}
	return list
}

// String writes the value the way it is chosen.
func (s setting) String() string {
	switch value := s.field.Interface().(type) {
	case []string:
		return strings.Join(value, ",")
	case time.Duration:
		return days(value)
	default:
		return fmt.Sprint(value)
	}
}

// inFile is the value as config.toml holds it.
func (s setting) inFile() any {
	switch value := s.field.Interface().(type) {
	case []string:
		return append([]string{}, value...) // an empty list, not none
	case time.Duration:
		return days(value)
	default:
		return value
	}
}

// days writes a duration the way it is chosen.
func days(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
	if text, hours := strings.CutSuffix(d.String(), "h0m0s"); hours {
		return text + "h"
	}
	return d.String()
}

// Value is one choice, as text.
type Value struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Default bool   `json:"default"` // nothing was chosen
}

// Values lists every choice as it holds.
func Values(c Choices) []Value {
	standard := Default()
	defaults := settingsOf(&standard)
	var values []Value
	for i, s := range settingsOf(&c) {
		values = append(values, Value{s.Key, s.String(), s.String() == defaults[i].String()})
	}
	return values
}

// Age reads a duration in days ("14d") or in Go's form ("36h").
func Age(text string) (time.Duration, error) {
	if days, found := strings.CutSuffix(text, "d"); found {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("invalid number of days %q: use the form 14d", text)
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	age, err := time.ParseDuration(text)
	if err != nil || age < 0 {
		return 0, fmt.Errorf("invalid age %q: use the form 14d or 36h", text)
	}
	return age, nil
}
