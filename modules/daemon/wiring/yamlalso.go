package wiring

import (
	"runtime"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// addYAML returns the file with our word in its list, and with the settings beside it
// where the file has none of them: what a person chose there stays.
func addYAML(data []byte, t Target) ([]byte, error) {
	edited, err := addYAMLWord(data, t)
	if err != nil || len(alsoToCreate(data, t)) == 0 {
		return edited, err
	}
	d, err := parseYAML(edited, t)
	if err != nil {
		return nil, err
	}
	for _, setting := range t.Settings.Also {
		indent := strings.Repeat(" ", d.root.Column-1)
		line := indent + setting.Key + ": '" + strings.ReplaceAll(setting.Filled(quoted(t.Program), t.Tool), "'", "''") + "'"
		if setting.Command == "" {
			line = indent + setting.Key + ": " + setting.Value
		}
		if edited, err = d.checked(d.insertLine(len(d.data), line), setting.Key, []string{setting.Filled(quoted(t.Program), t.Tool)}); err != nil {
			return nil, err
		}
		if d, err = parseYAML(edited, t); err != nil {
			return nil, err
		}
	}
	return edited, nil
}

// removeYAML is the way back: of the settings beside the list those go that are as they
// were written.
func removeYAML(data []byte, t Target, created []string) ([]byte, error) {
	for _, setting := range slices.Backward(t.Settings.Also) {
		d, err := parseYAML(data, t)
		if err != nil {
			return nil, err
		}
		isLast := len(d.root.Content) == 2 // the tool refuses a file without any
		if name, value := d.find(setting.Key); name != nil && slices.Contains(created, setting.Key) && value.Value == setting.Filled(quoted(t.Program), t.Tool) && name.Line == value.Line && !isLast {
			data = append(slices.Clone(d.mark), d.removeLines(name.Line, name.Line)...)
		}
	}
	return removeYAMLWord(data, t, created)
}

// alsoToCreate names the settings beside the list that would be written.
func alsoToCreate(data []byte, t Target) []string {
	if runtime.GOOS == "windows" { // commands are those of a POSIX shell
		return nil
	}
	d, err := parseYAML(data, t)
	if err != nil && data != nil || err == nil && d.root.Style&yaml.FlowStyle != 0 {
		return nil
	}
	var keys []string
	for _, setting := range t.Settings.Also {
		if err == nil {
			if name, _ := d.find(setting.Key); name != nil {
				return nil
			}
		}
		keys = append(keys, setting.Key)
	}
	return keys
}

// yamlToCreate names what addYAML will have to make.
func yamlToCreate(data []byte, t Target) []string {
	return append(yamlKeysToCreate(data, t), alsoToCreate(data, t)...)
}
