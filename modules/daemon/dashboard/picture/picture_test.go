package picture_test

import (
	"strings"
	"testing"
	"time"

	"github.com/carryover-go/carryover/modules/daemon/dashboard/picture"
)

var noon = time.Date(2026, 3, 30, 12, 0, 0, 0, time.UTC)

func TestActivity_CountsByDayAndTool(t *testing.T) {
	chart := picture.ActivityOf([]picture.Worked{
		{"codex", noon},
		{"claude-code", noon.Add(-time.Hour)},
		{"claude-code", noon.Add(-2 * time.Hour)},
		{"codex", noon.AddDate(0, 0, -1)},
		{"codex", noon.AddDate(0, 0, -40)},
		{"codex", time.Time{}},
		{"codex", noon.Add(48 * time.Hour)},
	}, noon, 28)
	if chart.Sessions != 4 || chart.Most != 3 || len(chart.Columns) != 28 {
		t.Fatalf("%d sessions, at most %d on one of %d days", chart.Sessions, chart.Most, len(chart.Columns))
	}
	today := chart.Columns[27]
	if today.Count != 3 || !today.Tick || today.Day.Day() != 30 || len(today.Bars) != 2 {
		t.Fatalf("today is %+v", today)
	}
	if lower, upper := today.Bars[0], today.Bars[1]; lower.Y != upper.Y+upper.H || upper.Y != 0 || lower.H+upper.H != 96 {
		t.Errorf("the bars do not stand on one another: %+v", today.Bars)
	}
	if chart.Columns[26].Count != 1 || chart.Columns[0].Count != 0 {
		t.Error("a session counts on another day")
	}
}

func TestRiver_LeadsFromWhoHandedOver(t *testing.T) {
	river := picture.RiverOf([]picture.Sailed{
		{Key: "a", Tool: "claude-code", Began: noon, Events: 4},
		{Key: "b", Tool: "codex", Began: noon.Add(time.Hour), Events: 4000, From: []string{"a", "gone"}},
		{Key: "c", Tool: "claude-code", Began: noon.AddDate(0, 0, 1), From: []string{"b", "c"}},
	})
	if len(river.Lanes) != 2 || len(river.Stones) != 3 || len(river.Streams) != 2 {
		t.Fatalf("%d lanes, %d stones, %d streams", len(river.Lanes), len(river.Stones), len(river.Streams))
	}
	if s := river.Streams[0]; s.From.Key != "a" || s.To.Key != "b" || !strings.HasPrefix(s.Path, "M") {
		t.Errorf("the first stream is %+v", s)
	}
	if a, b, c := river.Stones[0], river.Stones[1], river.Stones[2]; a.At.Y != c.At.Y || a.At.Y == b.At.Y || a.R >= b.R || c.At.X >= river.Width {
		t.Errorf("stones at %+v", river.Stones)
	}
	if len(river.Days) != 2 {
		t.Errorf("days %+v", river.Days)
	}
}

func TestSawtooth_FallsWhereTheContextWasCut(t *testing.T) {
	saw := picture.SawtoothOf([]picture.Used{{0, 10_000}, {50, 90_000}, {99, 20_000}}, []int{60}, []int{40}, 100, 100_000)
	if saw.Peak != 90_000 || saw.Top != 100_000 || saw.Limit != 12 || saw.Line != "0,110 484,23 960,99" {
		t.Errorf("%+v", saw)
	}
	if len(saw.Compactions) != 1 || saw.Compactions[0].X != 581 || len(saw.Notices) != 1 {
		t.Errorf("compactions %+v, notices %+v", saw.Compactions, saw.Notices)
	}
	if none := picture.SawtoothOf([]picture.Used{{0, 10}}, nil, nil, 1, 0); none.Line != "" {
		t.Errorf("one record gives a line: %q", none.Line)
	}
}

// A session of 100,000 records gives no more points than the picture is wide, twice.
func TestSawtooth_IsBounded(t *testing.T) {
	usage := make([]picture.Used, 100_000)
	for i := range usage {
		usage[i] = picture.Used{Index: i, Tokens: int64(i % 7000)}
	}
	saw := picture.SawtoothOf(usage, nil, nil, len(usage), 0)
	if n := len(strings.Fields(saw.Line)); n > 2*961 {
		t.Errorf("%d points", n)
	}
}
