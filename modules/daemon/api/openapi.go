package api

import _ "embed"

// OpenAPI is the description of this API, an OpenAPI 3.1 document in JSON, as
// GET /api/v1/openapi.json serves it.
//
//go:embed openapi.json
var OpenAPI []byte
