package wiring

// format is how settings that are not JSON are edited.
type format struct {
	add       func(data []byte, t Target) ([]byte, error)
	remove    func(data []byte, t Target, created []string) ([]byte, error) // nil says that nothing is left and the file goes
	toCreate  func(data []byte, t Target) []string
	installed func(data []byte, t Target) ([]string, error)
}

// formats are those of Settings.Format; JSON is edited by document.
var formats = map[string]format{
	yamlFormat: {addYAML, removeYAML, yamlToCreate, yamlWords},
	tomlFormat: {addTables, removeTables, tablesToCreate, standingTables},
	textFormat: {addText, removeText, nothingToCreate, standingInText},
}

// Edits says whether settings of a format can be edited here.
func Edits(name string) bool {
	_, known := formats[name]
	return known || name == "json"
}
