// Package quality measures handoffs on real sessions. A session is cut; the
// handoff may use only what stands before the cut; what the session did next
// is the answer key. The same key is held against what people have today: the
// tool's own compaction summary, the last ten files, the last prompt with the
// last reply.
//
// The key is read from the events by rules of its own, simpler than the
// distiller's and never shared with it, so that an extractor cannot agree with
// itself.
package quality
