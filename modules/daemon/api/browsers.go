package api

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"math/big"
	"net/http"
	"sync"
	"time"
)

// How long a link to the page and its code may be used, once, and how long a
// browser is let in by them.
const (
	linkFor  = 5 * time.Minute
	visitFor = 12 * time.Hour
)

// codes are the possible codes, of six digits; with maxTries wrong ones a link is
// used up, so that guessing succeeds once in 200,000 links.
const (
	codes    = 1_000_000
	maxTries = 5
)

// maxLinks and maxVisits bound what is kept of browsers; beyond them the oldest
// is forgotten.
const (
	maxLinks           = 16
	maxBrowserSessions = 64
)

// maxForm bounds a form that a page sends, in bytes.
const maxForm = 64 << 10

// CSRFHeader and CSRFField carry a visit's token in a request that changes
// something: a script sends the header, a plain form the field.
const (
	CSRFHeader = "X-CSRF-Token"
	CSRFField  = "csrf"
)

// Browsers are let in by a link and its code, which work once, and known by a
// cookie from then on. Other users can read the link where a browser is started;
// the code stands in the terminal alone. Nothing of it is kept on disk: a daemon
// that restarts knows none.
type Browsers struct {
	// Cookie is the cookie's name. It holds the port, because browsers send
	// the cookies of 127.0.0.1 to every port there.
	Cookie string
	Now    func() time.Time

	mu     sync.Mutex
	links  map[secretSum]invitation // by their names
	visits map[secretSum]BrowserSession
}

// secretSum is what is kept of a secret: looking it up tells nothing about it.
type secretSum [sha256.Size]byte

func sumOf(secret string) secretSum { return sha256.Sum256([]byte(secret)) }

// invitation is a link that was made and not used up.
type invitation struct {
	code  secretSum
	tries int // wrong codes that it still survives
	ends  time.Time
}

// BrowserSession is one browser that was let in.
type BrowserSession struct {
	// CSRF is what a request that changes something must carry besides the
	// cookie, which a browser sends by itself.
	CSRF string
	Ends time.Time
}

// NewBrowsers knows no browser yet.
func NewBrowsers(cookie string) *Browsers {
	return &Browsers{Cookie: cookie, Now: time.Now, links: map[secretSum]invitation{}, visits: map[secretSum]BrowserSession{}}
}

// Login is what lets one browser in, once: the name in a link, which may be seen,
// and the code that is typed into its page.
type Login struct {
	Name, Code string
	Ends       time.Time
}

// Invite makes a link and its code.
func (b *Browsers) Invite() (Login, error) {
	number, err := rand.Int(rand.Reader, big.NewInt(codes))
	if err != nil {
		return Login{}, fmt.Errorf("make code: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	login := Login{Name: rand.Text(), Code: fmt.Sprintf("%06d", number), Ends: b.Now().Add(linkFor)}
	b.links[sumOf(login.Name)] = invitation{code: sumOf(login.Code), tries: maxTries, ends: login.Ends}
	forgetOldest(b.links, maxLinks, func(i invitation) time.Time { return i.ends })
	return login, nil
}

// Tries is how many codes may still be tried at a link; 0 when it is unknown,
// used up or too old.
func (b *Browsers) Tries(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open(sumOf(name)).tries
}

// open finds a link that can be used; the zero value when there is none.
func (b *Browsers) open(sum secretSum) invitation {
	if link := b.links[sum]; b.Now().Before(link.ends) {
		return link
	}
	delete(b.links, sum)
	return invitation{}
}

// Enter uses a link up when the code is right, and one of its tries when it is
// not. The cookie lets the browser in from then on.
func (b *Browsers) Enter(name, code string) (cookie *http.Cookie, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum, given := sumOf(name), sumOf(code)
	link := b.open(sum)
	right := subtle.ConstantTimeCompare(link.code[:], given[:]) == 1
	if link.tries--; right || link.tries <= 0 {
		delete(b.links, sum)
	} else {
		b.links[sum] = link
	}
	if !right {
		return nil, false
	}
	secret := rand.Text() + rand.Text()
	b.visits[sumOf(secret)] = BrowserSession{CSRF: rand.Text(), Ends: b.Now().Add(visitFor)}
	forgetOldest(b.visits, maxBrowserSessions, func(v BrowserSession) time.Time { return v.Ends })
	return &http.Cookie{ //nolint:gosec // plain HTTP on 127.0.0.1: a Secure cookie would not come back
		Name: b.Cookie, Value: secret, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, MaxAge: int(visitFor / time.Second),
	}, true
}

// Of finds the visit of a request by its cookie.
func (b *Browsers) Of(r *http.Request) (BrowserSession, bool) {
	cookie, err := r.Cookie(b.Cookie)
	if err != nil || !ownPage(r) {
		return BrowserSession{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	sum := sumOf(cookie.Value)
	visit, known := b.visits[sum]
	if known && !b.Now().Before(visit.Ends) {
		delete(b.visits, sum)
		known = false
	}
	return visit, known
}

// ownPage says whether a request may come from a page of ours. To SameSite a
// page on another port of 127.0.0.1 is of the same site; browsers tell them
// apart in Sec-Fetch-Site. That somebody follows a link from there is harmless.
func ownPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return reads(r) && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// reads says whether a request changes nothing.
func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// allows says whether a request may do what it asks for: reading is free,
// anything else carries the visit's token.
func (v BrowserSession) allows(w http.ResponseWriter, r *http.Request) bool {
	if reads(r) {
		return true
	}
	token := r.Header.Get(CSRFHeader)
	if token == "" && r.Header.Get("Content-Type") == "application/x-www-form-urlencoded" {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		token = r.PostFormValue(CSRFField)
	}
	return subtle.ConstantTimeCompare([]byte(token), []byte(v.CSRF)) == 1
}

type visitKey struct{}

// WithBrowserSession is a request of a browser that was let in.
func WithBrowserSession(r *http.Request, visit BrowserSession) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), visitKey{}, visit))
}

// BrowserSessionOf is the visit that a request belongs to; ok is false without one.
func BrowserSessionOf(r *http.Request) (visit BrowserSession, ok bool) {
	visit, ok = r.Context().Value(visitKey{}).(BrowserSession)
	return visit, ok
}

// forgetOldest keeps a map within a bound; the clock does not need to pass for
// that, so that nobody can fill the memory with links.
func forgetOldest[V any](from map[secretSum]V, bound int, ends func(V) time.Time) {
	for len(from) > bound {
		var oldest secretSum
		first := true
		for sum, value := range from {
			if first || ends(value).Before(ends(from[oldest])) {
				oldest, first = sum, false
			}
		}
		delete(from, oldest)
	}
}
