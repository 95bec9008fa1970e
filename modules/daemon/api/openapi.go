package api

import (
	_ "embed"
	"net/http"

	"github.com/gin-gonic/gin"
)

// OpenAPI is the description of this API, an OpenAPI 3.1 document in JSON, as
// GET /api/v1/openapi.json serves it. It is generated from the routes and the
// types of package view; a test fails when it is stale.
//
//go:generate go test -run TestOpenAPI_IsGenerated . -update
//go:embed openapi.json
var OpenAPI []byte

func document() endpoint {
	return endpoint{media: mediaJSON, status: http.StatusOK, handle: func(*Server) gin.HandlerFunc {
		return func(c *gin.Context) { c.Data(http.StatusOK, mediaJSON, OpenAPI) }
	}}
}
