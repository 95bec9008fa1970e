package api

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/renameio/v2/maybe"

	"github.com/carryover-go/carryover/modules/daemon/home"
	"github.com/carryover-go/carryover/modules/daemon/regularfile"
	"github.com/carryover-go/carryover/modules/daemon/view"
)

// Token reads the API token, or makes one.
func Token(dir home.Dir) (string, error) {
	data, err := regularfile.ReadOwn(dir.Token())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read token: %w", err)
	}
	if token := strings.TrimSpace(string(data)); token != "" {
		return token, nil
	}
	return NewToken(dir)
}

// NewToken makes a token in place of the one there is. The daemon takes it at its
// next start.
func NewToken(dir home.Dir) (string, error) {
	var random [32]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fmt.Errorf("make token: %w", err)
	}
	token := hex.EncodeToString(random[:])
	if err := maybe.WriteFile(dir.Token(), []byte(token+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("write token: %w", err)
	}
	return token, nil
}

// guard checks what a web page or another user could forge: the Host and
// Origin headers, and the token or a browser's cookie. The unix socket lies in
// a private folder, so what comes over it is the user's own.
func (s *Server) guard(c *gin.Context) {
	if fromSocket(c.Request) {
		return
	}
	if !s.ownHost(c.Request.Host) {
		refuse(c, http.StatusForbidden, "foreign_host", "the Host header names another host", "use 127.0.0.1 or localhost with the daemon's port")
		return
	}
	if slices.ContainsFunc(c.Request.Header.Values("Origin"), s.isForeign) {
		refuse(c, http.StatusForbidden, "foreign_origin", "requests from other pages are refused", "")
		return
	}
	path := c.Request.URL.Path
	if path == "/health" || s.hasToken(c.Request) || s.authorize(c) {
		return
	}
	if isAPI(path) {
		refuse(c, http.StatusUnauthorized, "no_token", "the request carries no valid token",
			"ask over the socket, or send the header Authorization: Bearer and the token of Carryover's home")
	} // else the page says how to come in
}

func (s *Server) hasToken(r *http.Request) bool {
	token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return found && subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) == 1
}

// authorize says whether a request was dealt with as one of a browser that was let
// in: it goes on with its visit, or is refused as forged.
func (s *Server) authorize(c *gin.Context) bool {
	if s.Browsers == nil || strings.HasPrefix(c.Request.URL.Path, LoginPath) {
		return false
	}
	visit, known := s.Browsers.Of(c.Request)
	if !known {
		return false
	}
	if !visit.allows(c.Writer, c.Request) {
		refuse(c, http.StatusForbidden, "no_csrf", "the request carries no token of the page it comes from", "load the page again")
		return true
	}
	c.Request = WithBrowserSession(c.Request, visit)
	return true
}

// isForeign says whether an Origin header names another page than ours.
func (s *Server) isForeign(origin string) bool {
	return origin != "" && !s.ownHost(strings.TrimPrefix(origin, "http://"))
}

func (s *Server) ownHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	return err == nil && (name == "127.0.0.1" || name == "localhost") && port == s.port
}

// refuse ends a request before anybody answers it.
func refuse(c *gin.Context, status int, code view.Code, message, hint string) {
	c.AbortWithStatusJSON(status, view.ErrorBody{Error: view.Error{Code: code, Message: message, Hint: hint}})
}
