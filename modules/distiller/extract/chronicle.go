package extract

import (
	"path"

	"github.com/carryover-go/carryover/modules/distiller"
	"github.com/carryover-go/carryover/modules/distiller/extract/plans"
)

// maxChronicle is how many files of each kind the long account lists.
const maxChronicle = 200

// Chronicle is the long account as of the last event.
func (s *State) Chronicle() distiller.Chronicle {
	c := distiller.Chronicle{Facts: s.Facts()}
	for _, e := range s.files.Sorted() {
		file := distiller.File{Path: e.Path, Change: e.Change, Turn: max(0, s.turn-e.Turn), Tests: e.Tests, Symbols: e.Symbols, Source: e.Source}
		switch {
		case e.EditSeq == 0 && len(c.Read) < maxChronicle:
			c.Read = append(c.Read, file)
		case e.EditSeq != 0 && len(c.Modified) < maxChronicle:
			c.Modified = append(c.Modified, file)
		}
		switch base := path.Base(e.Path); {
		case plans.File.MatchString(e.Path) && len(c.Plans) < plans.Max:
			c.Plans = append(c.Plans, distiller.Plan{Name: base, Path: e.Path, Missing: e.Change == "delete", Source: e.Source})
		case plans.DesignFile.MatchString(e.Path) && len(c.Designs) < plans.Max:
			c.Designs = append(c.Designs, distiller.Design{Path: e.Path, Missing: e.Change == "delete", Source: e.Source})
		}
	}
	for _, d := range s.plans.Absent {
		if s.files.ByPath[d.Path] == nil && len(c.Designs) < plans.Max { // else it was found, or written, at another time
			c.Designs = append(c.Designs, d)
		}
	}
	c.Plans = append(s.plans.All(s.progress.items, s.progress.src, s.tool), c.Plans...)
	return c
}
