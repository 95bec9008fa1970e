package cli

import "testing"

func TestBar_IsAsLongAsItsShare(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	for count, want := range map[int]string{0: "", 1: "▏", 500: "██", 750: "███", 1000: "████", 60: "▏", 160: "▋"} {
		if got := Bar(count, 1000, 4); got != want {
			t.Errorf("%d of 1000 is %q, want %q", count, got, want)
		}
	}
	t.Setenv("LC_ALL", "C")
	if got := Bar(500, 1000, 4); got != "##" {
		t.Errorf("without UTF-8 it is %q", got)
	}
}
