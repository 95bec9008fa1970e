package terminal

import "sync"

// outputBuffer hands output to whoever draws it, without ever holding up the one who
// copies it: what is not drawn in time is skimmed.
type outputBuffer struct {
	mu     sync.Mutex
	output []byte
	taken  []byte // what the last take returned, to be filled again
	closed bool
	wake   chan struct{}
	ended  chan struct{} // closed with the tap
}

func newOutputBuffer() *outputBuffer {
	return &outputBuffer{wake: make(chan struct{}, 1), ended: make(chan struct{})}
}

// add takes a copy of output.
func (t *outputBuffer) add(output []byte) {
	t.mu.Lock()
	t.output = append(t.output, output...)
	if len(t.output) > overflow {
		t.output = append(t.output[:0], sample(t.output)...)
	}
	t.mu.Unlock()
	t.signal()
}

// close says that no more comes.
func (t *outputBuffer) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	close(t.ended)
	t.signal()
}

func (t *outputBuffer) signal() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// take returns what came since, until the next take; much says that it came
// faster than it can be drawn.
func (t *outputBuffer) take() (output []byte, much, closed bool) {
	t.mu.Lock()
	output, t.output, closed = t.output, t.taken[:0], t.closed
	t.taken = output
	t.mu.Unlock()
	if much = len(output) > flood; much {
		output = sample(output)
	}
	return output, much, closed
}
