package words

import (
	"fmt"
	"net/url"
)

// SessionURL is the page of a session.
func SessionURL(tool, id string) string {
	return "/sessions/" + url.PathEscape(tool) + "/" + url.PathEscape(id)
}

// LineURL is the page of a session at a line of its transcript, or at an
// offset of it where there are no lines.
func LineURL(tool, id string, line, offset int64) string {
	if line > 0 {
		return fmt.Sprintf("%s?line=%d&offset=%d#at", SessionURL(tool, id), line, offset)
	}
	return fmt.Sprintf("%s?offset=%d#at", SessionURL(tool, id), offset)
}
