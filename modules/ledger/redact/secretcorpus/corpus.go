// Package secretcorpus makes texts that hold secrets, to measure by. None of
// them is real: they are made from a fixed seed, and put together from parts so
// that no scanner takes the source for a leak.
package secretcorpus

import (
	"math/rand/v2"
	"strings"
)

// Sample is a text with a secret in it.
type Sample struct {
	Group string // issuer, address, named, option, wrapped, prose, wallet, other
	Kind  string
	Text  string
	// Secrets are what must not be left; none of them may stand in the text
	// after it was redacted.
	Secrets []string
}

// Alphabets.
const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	hexa   = digits + "abcdef"
	alnum  = lower + upper + digits
	word   = alnum + "_-"
	base64 = alnum + "+/"
	base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
)

type maker struct {
	random  *rand.Rand
	samples []Sample
}

// All makes the samples of a seed; the same seed always makes the same.
func All(seed uint64) []Sample {
	m := &maker{random: rand.New(rand.NewPCG(seed, 20))}
	m.issuers()
	m.addresses()
	m.named()
	m.options()
	m.wrapped()
	m.prose()
	m.wallets()
	m.others()
	return m.samples
}

// of makes n characters of an alphabet. A token that is long enough has a digit
// and letters in it, as nearly all real ones.
func (m *maker) of(alphabet string, n int) string {
	for {
		made := make([]byte, n)
		for i := range made {
			made[i] = alphabet[m.random.IntN(len(alphabet))]
		}
		text := string(made)
		if n > 7 && n < 12 && alphabet == alnum && (!strings.ContainsAny(text, digits) || !strings.ContainsAny(text, lower+upper)) {
			continue
		}
		return text
	}
}

func (m *maker) add(group, kind, text string, secrets ...string) {
	m.samples = append(m.samples, Sample{group, kind, text, secrets})
}

// password makes what people are asked to make up.
func (m *maker) password() string {
	return m.of(upper, 1) + m.of(lower, 3) + m.of(digits, 2) + m.of("!#%^*+", 1) + m.of(lower, 2) + m.of(digits, 2)
}
