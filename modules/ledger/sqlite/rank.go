package sqlite

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/toolspecs/transcript"
)

// kindWeights say how much a hit is worth by what it is: what people said and
// decided before what agents said, that before what was run, and output last,
// which repeats everything. Kinds that are not listed are worth 1.
var kindWeights = map[transcript.Kind]float64{
	transcript.Prompt:    3,
	transcript.Decided:   3,
	transcript.Question:  2.5,
	transcript.Title:     2.5,
	transcript.Plan:      2.5,
	transcript.Goal:      2.5,
	transcript.Reply:     2,
	transcript.Todo:      2,
	transcript.Call:      1.5,
	transcript.Git:       1.5,
	transcript.Compacted: 1.5,
	transcript.Result:    1,
}

// The usual constants of BM25.
const (
	saturation = 1.2
	lengthBias = 0.75
)

// ranking orders hits by BM25 × kind. The weight of a word by its rarity is
// left out: it needs a visit to every document that has the word, which is
// what makes SQLite's own bm25 slow for common words, and every hit has every
// word of the query. How often a word stands in a hit is counted in its body.
type ranking struct {
	words  [][]byte
	hits   []rankedHit
	length int // of all bodies, in bytes
	lower  []byte
}

type rankedHit struct {
	key    int64
	weight float64
	counts []float64 // of each word
	length int
	score  float64
}

func newRanking(terms []ledger.Term) *ranking {
	r := &ranking{}
	for _, term := range terms {
		for _, word := range term.Words {
			r.words = append(r.words, []byte(word))
		}
	}
	return r
}

func (r *ranking) add(key int64, kind transcript.Kind, body []byte) {
	weight, listed := kindWeights[kind]
	if !listed {
		weight = 1
	}
	hit := rankedHit{key: key, weight: weight, counts: make([]float64, len(r.words)), length: len(body)}
	r.lower = appendLower(r.lower[:0], body)
	for i, word := range r.words {
		// The index found it, perhaps written another way.
		hit.counts[i] = max(1, float64(bytes.Count(r.lower, word)))
	}
	r.hits = append(r.hits, hit)
	r.length += len(body)
}

// best returns the keys of the n best hits; of equal ones the newer is better.
func (r *ranking) best(n int) []int64 {
	if len(r.hits) == 0 {
		return nil
	}
	average := float64(r.length) / float64(len(r.hits))
	for i := range r.hits {
		hit := &r.hits[i]
		norm := saturation * (1 - lengthBias + lengthBias*float64(hit.length)/average)
		for _, count := range hit.counts {
			hit.score += hit.weight * count * (saturation + 1) / (count + norm)
		}
	}
	slices.SortFunc(r.hits, func(a, b rankedHit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.key, a.key))
	})
	keys := make([]int64, min(n, len(r.hits)))
	for i := range keys {
		keys[i] = r.hits[i].key
	}
	return keys
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
