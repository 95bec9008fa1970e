package doctor

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// program lays an executable file and returns its folder.
func program(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "carryover"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestPrograms_SeveralAreNamed(t *testing.T) {
	one, two, link := program(t), program(t), t.TempDir()
	if err := os.Symlink(filepath.Join(one, "carryover"), filepath.Join(link, "carryover")); err != nil {
		t.Fatal(err)
	}
	list := func(folders ...string) string { return strings.Join(folders, string(os.PathListSeparator)) }
	if got := programsCheck(list(one, link, one, t.TempDir())); got != nil {
		t.Errorf("one install and a link to it: %+v", got)
	}
	got := programsCheck(list(one, link, two))
	if len(got) != 1 || got[0].Result != Warning || !strings.Contains(got[0].Fix, "rm "+filepath.Join(two, "carryover")) {
		t.Fatalf("two installs: %+v", got)
	}
	if err := os.Remove(filepath.Join(two, "carryover")); err != nil { // what the fix says
		t.Fatal(err)
	}
	if got := programsCheck(list(one, link, two)); got != nil {
		t.Errorf("after the fix: %+v", got)
	}
}

func TestForeign_IsNamedByWhatItAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<html><title>Build\n board</title>"))
	}))
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	t.Setenv("CARRYOVER_LISTEN", address)
	p := checkContext{home: home.Dir(t.TempDir())}
	got := foreignCheck(t.Context(), p)
	if len(got) != 1 || !strings.Contains(got[0].Message, "“Build board” has the port "+address) {
		t.Fatalf("%+v", got)
	}
	server.Close() // what the fix says
	if got := foreignCheck(t.Context(), p); got != nil {
		t.Errorf("after the fix: %+v", got)
	}
}

func TestSkew_IsToldWithTheClockHere(t *testing.T) {
	if got := skewCheck(view.LedgerStatus{}); got != nil {
		t.Errorf("without one: %+v", got)
	}
	if got := skewCheck(view.LedgerStatus{Future: 2}); len(got) != 1 || !strings.HasPrefix(got[0].Message, "2 sessions dated in the future") {
		t.Errorf("%+v", got)
	}
}

func TestReport_OrdersAndSumsUp(t *testing.T) {
	report := Report{Checks: []Check{{"a", OK, "", ""}, {"b", Skipped, "", ""}, {"c", Warning, "", ""}, {"d", Error, "", ""}, {"e", Warning, "", ""}}}
	var names []string
	for _, check := range report.Ordered() {
		names = append(names, check.Name)
	}
	if strings.Join(names, "") != "dceab" || report.Summary() != "1 error, 2 warnings; 1 check fine" || len(report.Skipped()) != 1 {
		t.Errorf("%v, %q, %v", names, report.Summary(), report.Skipped())
	}
	if got := (Report{}).Summary(); got != "nothing is wrong; 0 checks fine" {
		t.Errorf("%q", got)
	}
}
