package doctor_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/doctor"
	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/setup"
	"github.com/carryover-go/carryover/toolspecs"
)

// Gemini CLI keeps a list of the folders it trusts; elsewhere no hook runs.
func TestAFolderThatIsNotTrustedIsNamed(t *testing.T) {
	user, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin, project := filepath.Join(user, "bin"), filepath.Join(user, "proj", "sub")
	for path, text := range map[string]string{
		filepath.Join(bin, "gemini"):     "#!/bin/sh\necho 0.61.0\n",
		filepath.Join(user, "hook"):      "#!/bin/sh\n",
		filepath.Join(project, "README"): "",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", user)
	t.Setenv("PATH", bin)
	t.Setenv("GEMINI_CLI_HOME", "")
	t.Setenv("CARRYOVER_LISTEN", "127.0.0.1:0")
	t.Chdir(project)
	table, failed := toolspecs.Load(nil)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	dir := home.Dir(filepath.Join(user, ".carryover"))
	spec, err := table.Lookup("gemini-cli")
	if err != nil {
		t.Fatal(err)
	}
	if outcomes, err := setup.Install(context.Background(), setup.Options{
		Home: dir, Tools: []setup.Detection{setup.Detect(context.Background(), spec)}, HookBin: filepath.Join(user, "hook"), Now: time.Now(),
	}); err != nil || outcomes[0].Err != nil {
		t.Fatalf("install: %v, %+v", err, outcomes)
	}
	for said, want := range map[string]string{
		`{}`: doctor.Info, `{"` + filepath.Dir(project) + `":"TRUST_FOLDER"}`: doctor.OK,
		`{"` + project + `":"DO_NOT_TRUST"}`: doctor.Warning, `{"broken"`: doctor.Warning,
	} {
		if err := os.WriteFile(filepath.Join(user, ".gemini", "trustedFolders.json"), []byte(said), 0o600); err != nil {
			t.Fatal(err)
		}
		report := doctor.Run(context.Background(), dir, table)
		found := false
		for _, check := range report.Checks {
			if check.Name != "gemini-cli-trust" {
				continue
			}
			found = true
			if check.Result != want || want == doctor.Warning && !strings.Contains(check.Fix, "trust") {
				t.Errorf("%s: %+v, want %s", said, check, want)
			}
		}
		if !found {
			t.Errorf("%s: no word of trust in %+v", said, report.Checks)
		}
	}
}
