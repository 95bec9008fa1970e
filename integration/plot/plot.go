// Package plot draws lines as SVG: the same bytes for the same points.
package plot

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Chart is one picture: some lines over one axis.
type Chart struct {
	Title string
	X, Y  string // what the axes count, with the unit
	Lines []Line
}

// Line is one named row of points, in the order of X.
type Line struct {
	Name   string
	Points []Point
}

// Point is one measured value.
type Point struct{ X, Y float64 }

const (
	width, height            = 640, 240
	left, right, top, bottom = 64, 16, 32, 40
)

// colours can be told apart on white and on black.
var colours = []string{"#2f81f7", "#db6d28", "#3fb950", "#a371f7", "#d29922"}

// SVG is the picture. Y begins at zero, so that growth looks as large as it is.
func (c Chart) SVG() string {
	maxX, maxY := 0.0, 0.0
	for _, line := range c.Lines {
		for _, p := range line.Points {
			maxX, maxY = max(maxX, p.X), max(maxY, p.Y)
		}
	}
	stepX, stepY := step(maxX), step(maxY)
	maxX, maxY = max(maxX, stepX), math.Ceil(maxY/stepY)*stepY
	x := func(v float64) float64 { return left + v/maxX*(width-left-right) }
	y := func(v float64) float64 { return height - bottom - v/maxY*(height-top-bottom) }

	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11" fill="#768390">`+"\n", width, height)
	fmt.Fprintf(&out, `<text x="%d" y="16" font-size="13">%s</text>`+"\n", left, html.EscapeString(c.Title))
	for v := 0.0; v <= maxY*1.0001; v += stepY {
		fmt.Fprintf(&out, `<path d="M%d %.1fH%d" stroke="#768390" stroke-opacity="0.3"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n", left, y(v), width-right, left-6, y(v)+4, round(v))
	}
	for v := 0.0; v <= maxX*1.0001; v += stepX {
		fmt.Fprintf(&out, `<text x="%.1f" y="%d" text-anchor="middle">%g</text>`+"\n", x(v), height-bottom+16, round(v))
	}
	fmt.Fprintf(&out, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", width-right, height-8, html.EscapeString(c.X))
	fmt.Fprintf(&out, `<text x="%d" y="%d">%s</text>`+"\n", 4, top-4, html.EscapeString(c.Y))
	for n, line := range c.Lines {
		colour := colours[n%len(colours)]
		var path strings.Builder
		for i, p := range line.Points {
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], x(p.X), y(p.Y))
		}
		fmt.Fprintf(&out, `<path d="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", &path, colour)
		fmt.Fprintf(&out, `<text x="%d" y="16" text-anchor="end" fill="%s">%s</text>`+"\n", width-right-130*(len(c.Lines)-1-n), colour, html.EscapeString(line.Name))
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// step is the distance of about five ticks: 1, 2 or 5 times a power of ten.
func step(most float64) float64 {
	if most <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most/5)))
	for _, times := range []float64{1, 2, 5} {
		if most/(power*times) <= 5 {
			return power * times
		}
	}
	return power * 10
}

// round takes out what adding steps up leaves behind.
func round(v float64) float64 { return math.Round(v*1e6) / 1e6 }
