package dashboard

import "net/url"

// agentURL is the page of a named agent of a project.
func agentURL(project, name string) string {
	return "/agents/" + url.PathEscape(project) + "/" + url.PathEscape(name)
}
