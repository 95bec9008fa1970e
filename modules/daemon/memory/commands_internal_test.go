package memory

import (
	"slices"
	"testing"
)

func TestChangedBy_ReadsTheFilesOfACommand(t *testing.T) {
	for command, want := range map[string][]string{
		"sed -i 's/a/b/' src/date.go":                            {"src/date.go"},
		"sed -i.bak -e 's/a/b/' date.go zone.go":                 {"date.go", "zone.go"},
		"perl -pi -e 's/a/b/' date.go":                           {"date.go"},
		"cd src && sed -Ei 's/a/b/' date.go":                     {"src/date.go"},
		"cat > date.go <<'EOF'\npackage date\nEOF":               {"date.go"},
		"go run ./gen >> /work/p/date.go 2>/dev/null":            {"/work/p/date.go"},
		"echo x | tee -a date.go":                                {"date.go"},
		"git mv old.go date.go":                                  {"old.go", "date.go"},
		"git checkout -- date.go":                                {"date.go"},
		"mv date.go src":                                         {"date.go", "src/date.go"},
		"cp template.go date.go":                                 {"date.go"},
		"rm -f date.go":                                          {"date.go"},
		"bash -lc \"sed -i s/a/b/ date.go\"":                     {"date.go"},
		"apply_patch <<'EOF'\n*** Update File: date.go\n+x\nEOF": {"date.go"},
		"sudo rm date.go":                                        {"date.go"},
	} {
		got := changedBy(command)
		for _, file := range want {
			if !slices.Contains(got, file) {
				t.Errorf("%q changes %q, want %s", command, got, file)
			}
		}
	}
	for _, command := range []string{"sed -n 1,20p date.go", "cat date.go", "cp date.go copy.go", "git diff date.go", "grep -i x date.go", "perl -e 'print' date.go", "go test date.go > /dev/null"} {
		if got := changedBy(command); slices.Contains(got, "date.go") {
			t.Errorf("%q changes %q", command, got)
		}
	}
}
