package render

import "testing"

// What is not looked through is what would come out unchanged.
func TestClean_PlainPathsAreUnchanged(t *testing.T) {
	letters := "aZ09._/-"
	texts := []string{"human", "system/user.go", "a---", "resume-protocol", "internal/cart/total_test.go"}
	for _, a := range letters {
		for _, b := range letters {
			for _, c := range letters {
				texts = append(texts, string(a)+string(b)+string(c), string(a)+string(b)+string(b)+string(b)+string(c)+"tool")
			}
		}
	}
	plain := 0
	for _, text := range texts {
		if !isPath(text) {
			continue
		}
		if plain++; cleaned(text) != text {
			t.Errorf("%q is cleaned to %q", text, cleaned(text))
		}
	}
	if plain < 500 {
		t.Errorf("%d texts are plain: nothing is tested", plain)
	}
}
