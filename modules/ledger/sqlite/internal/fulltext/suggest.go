package fulltext

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/carryover-go/carryover/modules/ledger"
	"github.com/carryover-go/carryover/modules/ledger/sqlite/internal/db"
)

// shortest is the length from which a word is looked for in another spelling:
// shorter ones are one letter away from too many.
const shortest = 4

// suggest spells a query that found nothing so that each of its words occurs
// under the filters; "" when there is nothing like them. Words of what the
// filters leave out are not suggested.
func suggest(ctx context.Context, pool *sql.DB, terms []ledger.Term, filters []string) (string, error) {
	spelling := speller{pool: pool, filters: filters}
	var query []string
	for _, term := range terms {
		typed, err := spelling.correct(ctx, term)
		if err != nil || typed == "" {
			return "", err
		}
		query = append(query, typed)
	}
	if !spelling.changed {
		return "", nil // the words are right, and never stand together
	}
	return strings.Join(query, " "), nil
}

// speller finds words of the index that are one slip away from another.
type speller struct {
	pool    *sql.DB
	filters []string
	changed bool // a word was replaced
}

// correct is a term as it should be typed, as it was when it occurs, "" when
// nothing like it does.
func (s *speller) correct(ctx context.Context, term ledger.Term) (string, error) {
	occurs, err := s.occurs(ctx, Match(nil, []ledger.Term{term}))
	if err != nil || occurs {
		return term.Typed, err
	}
	words := term.Words
	if len(term.Parts) > 0 {
		words = term.Parts
	}
	spelt := make([]string, len(words))
	for i, word := range words {
		if spelt[i], err = s.word(ctx, word, term.Prefix && i == len(words)-1); err != nil || spelt[i] == "" {
			return "", err
		}
	}
	if slices.Equal(spelt, words) {
		return "", nil // each occurs, but not one after the other
	}
	s.changed = true
	typed := strings.Join(spelt, " ")
	if len(spelt) > 1 {
		typed = `"` + typed + `"`
	}
	return typed, nil
}

// word is a word that occurs: this one, or the most common one a slip away.
func (s *speller) word(ctx context.Context, word string, prefix bool) (string, error) {
	occurs, err := s.occurs(ctx, phrase([]string{word}, prefix))
	if err != nil || occurs {
		return word, err
	}
	if utf8.RuneCountInString(word) < shortest {
		return "", nil
	}
	known, err := s.known(ctx, word)
	if err != nil {
		return "", err
	}
	likely, err := json.Marshal(slips(word, known))
	if err != nil {
		return "", err
	}
	var best string
	// Counted to a bound: which of two very common words is meant is anybody's
	// guess.
	err = db.Each(ctx, s.pool, func(rows *sql.Rows) error { return rows.Scan(&best) },
		`SELECT value FROM (SELECT value, key, (SELECT COUNT(*) FROM
			(SELECT rowid FROM search WHERE search MATCH ? || '"' || value || '"' LIMIT 100)) AS n FROM json_each(?))
		WHERE n > 0 ORDER BY n DESC, key LIMIT 1`, s.narrowed(""), string(likely))
	return best, err
}

// known is how many runes of a word's beginning some word of the index begins
// with. A slip behind them would leave a beginning that no word has, so that
// the many spellings with such a slip need not be looked for.
func (s *speller) known(ctx context.Context, word string) (int, error) {
	conn, err := s.pool.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, search, instance)"); err != nil {
		return 0, err
	}
	runes := []rune(word)
	for n := range len(runes) {
		var begins bool
		beginning := string(runes[:n+1])
		err := conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM temp.vocabulary WHERE term >= ? AND term < ?)",
			beginning, beginning+string(utf8.MaxRune)).Scan(&begins)
		if err != nil || !begins {
			return n, err
		}
	}
	return len(runes), nil
}

func (s *speller) occurs(ctx context.Context, match string) (found bool, err error) {
	err = s.pool.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM search WHERE search MATCH ?)", s.narrowed(match)).Scan(&found)
	return found, err
}

// narrowed puts the filters before an expression.
func (s *speller) narrowed(match string) string {
	var expression strings.Builder
	for _, filter := range s.filters {
		expression.WriteString(`"` + filter + `" AND `)
	}
	return expression.String() + match
}

// slips are the words one slip of a finger away from a word, the likelier
// kinds of slips first: two letters in the wrong order, one too many, one
// missing, a wrong one. None lies behind the known runes at the word's
// beginning. Letters are those of English and of the word itself.
func slips(word string, known int) []string {
	letters := []rune("abcdefghijklmnopqrstuvwxyz0123456789")
	runes := []rune(word)
	for _, r := range runes {
		if !slices.Contains(letters, r) {
			letters = append(letters, r)
		}
	}
	var list []string
	seen := map[string]bool{word: true}
	add := func(parts ...[]rune) {
		if made := string(slices.Concat(parts...)); !seen[made] {
			seen[made] = true
			list = append(list, made)
		}
	}
	for i := range min(known+1, len(runes)-1) {
		add(runes[:i], []rune{runes[i+1], runes[i]}, runes[i+2:])
	}
	for i := range min(known+1, len(runes)) {
		add(runes[:i], runes[i+1:])
	}
	for i := range min(known, len(runes)) + 1 {
		for _, letter := range letters {
			add(runes[:i], []rune{letter}, runes[i:])
		}
	}
	for i := range min(known+1, len(runes)) {
		for _, letter := range letters {
			add(runes[:i], []rune{letter}, runes[i+1:])
		}
	}
	return list
}
