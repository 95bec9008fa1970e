package daemon

import (
	"github.com/carryover-go/carryover/modules/daemon/ingest"
	"github.com/carryover-go/carryover/modules/distiller/render"
)

// DocumentOf is the JSON object of `carryover distill`.
func DocumentOf(file ingest.FileFacts, options render.Options) render.Document {
	options.Trail = file.Trail
	return render.NewDocument(file.Facts, render.Handoff(file.Facts, options), file.Facts.Cwd, file.Path, render.CoverageOf(file.Coverage))
}
