package fulltext

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// classes say how much a hit is worth by what it is: what people said and
// decided before what agents said, that before what was run, and last the
// output, which repeats everything, with the kinds that are not named here.
var classes = []struct {
	weight float64
	kinds  []transcript.Kind
}{
	{3, []transcript.Kind{transcript.Prompt, transcript.Decided}},
	{2.5, []transcript.Kind{transcript.Question, transcript.Title, transcript.Plan, transcript.Goal}},
	{2, []transcript.Kind{transcript.Reply, transcript.Todo}},
	{1.5, []transcript.Kind{transcript.Call, transcript.Git, transcript.Compacted}},
	{1, nil},
}

// classOf is the index in classes of a kind.
func classOf(kind transcript.Kind) int {
	for n, class := range classes {
		if slices.Contains(class.kinds, kind) {
			return n
		}
	}
	return len(classes) - 1
}

// Constants of BM25: the usual two, and what counts as a body of average
// length, in bytes (900 on real sessions).
const (
	saturation    = 1.2
	lengthBias    = 0.75
	averageLength = 900
)

// ranking finds the best hits by BM25 × the weight of their class. The weight
// of a word by its rarity is left out: it needs a visit to every document that
// has the word, which is what makes SQLite's own bm25 slow for common words,
// and every hit has every word of the query anyway. How often a word stands in
// a hit is counted in its body.
type ranking struct {
	words [][]byte
	limit int
	hits  []rankedHit
	lower []byte
}

type rankedHit struct {
	key   int64
	score float64
}

func newRanking(terms []ledger.Term, limit int) *ranking {
	r := &ranking{limit: limit}
	for _, term := range terms {
		for _, word := range term.Words {
			r.words = append(r.words, []byte(word))
		}
	}
	return r
}

func (r *ranking) add(key int64, weight float64, body []byte) {
	r.lower = appendLower(r.lower[:0], body)
	norm := saturation * (1 - lengthBias + lengthBias*float64(len(body))/averageLength)
	hit := rankedHit{key: key}
	for _, word := range r.words {
		// The index has found it, perhaps written another way.
		count := max(1, float64(bytes.Count(r.lower, word)))
		hit.score += weight * count * (saturation + 1) / (count + norm)
	}
	r.hits = append(r.hits, hit)
}

// complete reports whether a hit of a weight, and so of any lower one, can no
// longer be among the best, however often it has the words.
func (r *ranking) complete(weight float64) bool {
	if len(r.hits) < r.limit {
		return false
	}
	r.trim()
	return r.hits[r.limit-1].score >= weight*(saturation+1)*float64(len(r.words))
}

// best returns the keys of the best hits; of equal ones the newer is better.
func (r *ranking) best() []int64 {
	r.trim()
	keys := make([]int64, len(r.hits))
	for i, hit := range r.hits {
		keys[i] = hit.key
	}
	return keys
}

// trim sorts the hits and drops those beyond the limit.
func (r *ranking) trim() {
	slices.SortFunc(r.hits, func(a, b rankedHit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.key, a.key))
	})
	r.hits = r.hits[:min(r.limit, len(r.hits))]
}

// appendLower lowers ASCII letters only: the words of other scripts count
// where they are written in lower case, as nearly all are.
func appendLower(to, from []byte) []byte {
	for _, c := range from {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}
