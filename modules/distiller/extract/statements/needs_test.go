package statements

import (
	"testing"

	"github.com/carryover-go/carryover/modules/distiller/words"
)

func TestNeeds(t *testing.T) {
	for text, want := range map[string]bool{
		"Homebrew — only for what Nix has not (`cleanup = \"none\"` — never change it to `zap`)": true,
		"The hooks of `install.sh` must be registered by hand after the first run":               true,
		"The `Reason` field is computed but never shown to anybody in either mode":               false, // tells what is
		"We need to change `show.go` so that the reason is shown":                                false,
		"我们需要修改 `store.go` 文件中的 `refresh` 方法来显示它。":                                               false, // says what it means to do
		"`fromJSON` 需要来自作业输出的值，否则矩阵是空的":                                                          true,
	} {
		if got := needs(text, words.Known()); got != want {
			t.Errorf("needs(%q) is %v", text, got)
		}
	}
}
