// Package conformance holds the one suite that every implementation of
// inference.Host passes: the fake, the host in this process, the worker. What
// it asks is what the contracts of package inference say, nothing about speed
// and never an exact text of a real model.
//
// Where a test needs a text that is known in advance (a think block, a split
// character), the implementation names a Scripted reply of its own: a scripted
// fake, or a generated model that writes one sentence.
package conformance
