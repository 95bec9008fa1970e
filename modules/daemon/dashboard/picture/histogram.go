package picture

// Histogram is a chart of how many things fell into each class, side by side.
type Histogram struct {
	Width, Height int
	Bars          []HistogramBar
	Total         int
}

// HistogramBar is one class.
type HistogramBar struct {
	Class
	X, Y, W, H int
}

// Class is a class with how many things fell into it.
type Class struct {
	Name  string
	Count int
}

// Sizes of a histogram, in units of the picture.
const (
	classWidth = 34
	classGap   = 4
	classRoom  = 64 // of the highest bar
	classHead  = 14 // for the number above it
)

// HistogramOf draws classes in their order. One that has anything is seen.
func HistogramOf(classes []Class) Histogram {
	chart := Histogram{Width: len(classes) * (classWidth + classGap), Height: classHead + classRoom + tickHeight}
	most := 1
	for _, one := range classes {
		most = max(most, one.Count)
		chart.Total += one.Count
	}
	for i, one := range classes {
		bar := HistogramBar{Class: one, X: i * (classWidth + classGap), W: classWidth, H: classRoom * one.Count / most}
		if one.Count > 0 {
			bar.H = max(bar.H, 2)
		}
		bar.Y = classHead + classRoom - bar.H
		chart.Bars = append(chart.Bars, bar)
	}
	return chart
}

// Middle is where the texts of a bar stand.
func (b HistogramBar) Middle() int { return b.X + b.W/2 }

// Foot is the line of the name below a bar.
func (HistogramBar) Foot() int { return classHead + classRoom + tickHeight - 4 }

// Above is the line of the number above a bar.
func (b HistogramBar) Above() int { return b.Y - 3 }
