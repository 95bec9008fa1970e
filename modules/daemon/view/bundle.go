package view

import "context"

// Bundles carry a project's sessions to another machine.
type Bundles interface {
	// ImportBundle adds the sessions of a bundle to their project. What is known stays
	// as it is. CodeInvalid when the file is no bundle or is damaged, CodeNotFound when
	// the directory is not of the bundle's project.
	ImportBundle(ctx context.Context, request BundleRequest) (BundleResult, error)
}

// BundleRequest names a bundle and the project it belongs to.
type BundleRequest struct {
	File      string `json:"file" jsonschema:"The bundle: an absolute path."`
	Directory string `json:"directory" jsonschema:"A directory of the project it belongs to."`
	Preview   bool   `json:"preview,omitempty" jsonschema:"Count only, change nothing."`
}

// Complete refuses a request that names no file.
func (r BundleRequest) Complete() error {
	return complete(r.File != "" && r.Directory != "", "file and directory")
}

// BundleResult is what a bundle adds.
type BundleResult struct {
	Schema   int    `json:"schema"`
	Project  string `json:"project"`            // where its sessions go
	From     string `json:"from"`               // where the project lay
	Sessions int    `json:"sessions"`           // in the bundle
	New      int    `json:"new"`                // of them, not known here
	Events   int    `json:"events"`             // in the bundle
	Added    int    `json:"added"`              // events that were stored
	Handoffs int    `json:"handoffs,omitempty"` // of named agents, new
	// Elsewhere is how many sessions were left out: they are known here in another project.
	Elsewhere int  `json:"elsewhere,omitempty"`
	Preview   bool `json:"preview,omitempty"` // nothing was changed
}
