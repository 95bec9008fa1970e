// Package picture lays out the pictures of the dashboard: where each bar, dot
// and line of an SVG stands. It knows no HTML: templates draw what it returns,
// so that every text goes through their escaping.
package picture

// Legend names the tools of a picture in the order of their colours.
type Legend []Tool

// Tool is a tool with the number of its colour, from 0. The style has eight
// colours; further tools share the last.
type Tool struct {
	Name   string
	Colour int
}

// colours is how many the style has.
const colours = 8

// colour is the colour of the tool with this rank.
func colour(rank int) int { return min(rank, colours-1) }

// Point is a place in a picture, from its upper left corner.
type Point struct{ X, Y int }
