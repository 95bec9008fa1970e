package daemon_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
)

// A list is read part by part. What happens meanwhile brings no item twice.
func TestListsAreReadInParts(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.start()
	session := func(n int) string { return fmt.Sprintf("0a000000-0000-4000-8000-%012d", n) }
	for n := range 5 {
		w.works(session(n), w.project, "Teach the parser to read dates.")
		w.ends(session(n), w.project)
	}
	part := func(path, cursor string) (ids []string, next string) {
		response, err := http.DefaultClient.Do(w.request(http.MethodGet, path+"limit=2&cursor="+url.QueryEscape(cursor), ""))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		var list struct {
			Items []struct {
				ID      string // of a project
				Session string
			}
			Next string
		}
		if err := json.NewDecoder(response.Body).Decode(&list); err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v", path, response.StatusCode, err)
		}
		for _, item := range list.Items {
			ids = append(ids, item.ID+item.Session)
		}
		return ids, list.Next
	}
	var seen []string
	cursor := ""
	for parts := range 4 {
		ids, next := part("/api/v1/sessions?", cursor)
		if seen = append(seen, ids...); parts == 0 {
			w.works(session(9), w.project, "Something new.")
			w.ends(session(9), w.project)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	slices.Sort(seen)
	want := []string{session(0), session(1), session(2), session(3), session(4)}
	if !slices.Equal(seen, want) {
		t.Errorf("the parts hold %q, want %q", seen, want)
	}

	w.repository(w.user + "/other")
	w.works(session(10), w.user+"/other", "Another project.")
	w.ends(session(10), w.user+"/other")
	if ids, next := part("/api/v1/projects?", ""); len(ids) != 2 || next != "" {
		t.Errorf("projects %q, next %q", ids, next)
	}
}
