package wire_test

import (
	"net/url"
	"reflect"
	"testing"

	"github.com/carryover-go/carryover/modules/daemon/api/wire"
)

type page struct {
	Limit int `query:"limit"`
}

type request struct {
	Agent   string `path:"agent" json:"-"`
	Project string `query:"project,required" json:"-"`
	Old     bool   `query:"old" json:"-"`
	page
	Text string `json:"text"`
}

func TestAddress_IsReadBack(t *testing.T) {
	sent := request{Agent: "a b", Project: "/x?y", Old: true, page: page{Limit: 7}}
	address, err := url.Parse(wire.Address("/agents/{agent}/notes", sent))
	if err != nil || address.Path != "/agents/a b/notes" {
		t.Fatalf("%v, %v", address, err)
	}
	var got request
	err = wire.Fill(&got, func(string) string { return "a b" }, address.Query())
	if err != nil || got != sent {
		t.Errorf("%+v: %v", got, err)
	}
}

func TestAddress_LeavesOutWhatIsZero(t *testing.T) {
	if got := wire.Address("/x", request{}); got != "/x" {
		t.Error(got)
	}
}

func TestFill_RefusesWhatIsNoNumber(t *testing.T) {
	var got request
	if err := wire.Fill(&got, func(string) string { return "" }, url.Values{"limit": {"many"}}); err == nil {
		t.Error("taken for a number")
	}
}

func TestHasBody(t *testing.T) {
	if !wire.HasBody(reflect.TypeFor[request]()) || wire.HasBody(reflect.TypeFor[page]()) {
		t.Error("the body of a request is not known")
	}
}
