package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
)

// loss is what a ratio may be worse by than the one that is kept.
const loss = 1.2

// ratios are the ratios to floors by the names of their rows. They do not depend on
// how fast the machine is, as figures do.
type ratios map[string]float64

func (b *bench) ratios() ratios {
	kept := ratios{}
	for _, r := range b.rows {
		// Rows that belong to another, which are percentiles, and floors that are too
		// small to be measured well say more of the run than of the program.
		if _, part := cutPart(r.name); !part && r.floor >= leastFloor {
			kept[r.name] = round(r.value / r.floor)
		}
	}
	return kept
}

// leastFloor is in the unit of its row, seconds or milliseconds.
const leastFloor = 0.05

func (r ratios) write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// against fails for each ratio that is more than the loss above the kept one.
func (r ratios) against(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	kept := ratios{}
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		return err
	}
	var worse []error
	for name, was := range kept {
		if is, measured := r[name]; measured && is > was*loss {
			worse = append(worse, fmt.Errorf("%s: %.2f times its floor, %.2f before", name, is, was))
		}
	}
	slices.SortFunc(worse, func(a, b error) int { return compare(a.Error(), b.Error()) })
	return errors.Join(worse...)
}
