package session

import "sync"

// Locks are one mutex for each key, made when it is first asked for.
type Locks[K comparable] struct {
	mu    sync.Mutex
	locks map[K]*sync.Mutex
}

// Lock waits for the key's mutex. The returned function releases it.
func (l *Locks[K]) Lock(key K) (unlock func()) {
	l.mu.Lock()
	if l.locks == nil {
		l.locks = map[K]*sync.Mutex{}
	}
	if l.locks[key] == nil {
		l.locks[key] = &sync.Mutex{}
	}
	one := l.locks[key]
	l.mu.Unlock()
	one.Lock()
	return one.Unlock
}
