package history

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// vocabulary gives words as transcripts have them: few are common, many occur
// once.
type vocabulary struct {
	words []string
}

const distinctWords = 60_000

func newVocabulary(seed uint64) *vocabulary {
	random := rand.New(rand.NewPCG(seed, 0))
	v := &vocabulary{words: make([]string, distinctWords)}
	for i := range v.words {
		v.words[i] = invented(random)
	}
	return v
}

// syllables make words that can be told apart by eye.
var syllables = strings.Fields("ba be bi bo da de di do fa fe ga go ka ke ki ko la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa ze")

func invented(random *rand.Rand) string {
	var word strings.Builder
	for range 1 + random.IntN(4) {
		word.WriteString(syllables[random.IntN(len(syllables))])
	}
	return word.String()
}

// Words are a common word of the transcripts of a seed, and one that hardly any
// event has.
func Words(seed uint64) (common, rare string) {
	v := newVocabulary(seed)
	for _, word := range v.words[len(v.words)/2:] {
		if len(word) == 8 { // of four syllables: it is no other word's double
			return v.words[0], word
		}
	}
	return v.words[0], v.words[len(v.words)-1]
}

// word is a word; the product of three even chances makes the first ones common.
func (v *vocabulary) word(random *rand.Rand) string {
	chance := random.Float64() * random.Float64() * random.Float64()
	return v.words[int(chance*float64(len(v.words)))]
}

func (v *vocabulary) text(random *rand.Rand, least, most int) string {
	var text strings.Builder
	for n := range least + random.IntN(most-least) {
		if n > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(v.word(random))
	}
	return text.String()
}

func (v *vocabulary) path(random *rand.Rand) string {
	return fmt.Sprintf("internal/%s/%s.go", v.words[random.IntN(300)], v.words[random.IntN(3000)])
}

// output is what a program prints: most is short, some fills a screen, and a
// part is numbers and sums that occur nowhere else.
func (v *vocabulary) output(random *rand.Rand) string {
	lines := 3 + random.IntN(20)
	if random.IntN(4) == 0 {
		lines = 60 + random.IntN(160)
	}
	var text strings.Builder
	for n := range lines {
		switch random.IntN(4) {
		case 0:
			fmt.Fprintf(&text, "%s:%d: %s\n", v.path(random), 1+random.IntN(400), v.text(random, 3, 9))
		case 1:
			fmt.Fprintf(&text, "%6d\t%s := %s(%s)\n", n, v.word(random), v.word(random), v.word(random))
		case 2:
			fmt.Fprintf(&text, "ok  \texample.org/%s\t0.%03ds\n", v.word(random), random.IntN(1000))
		default:
			fmt.Fprintf(&text, "%08x %s\n", random.Uint32(), v.text(random, 4, 12))
		}
	}
	return text.String()
}
