// Package isolation is the proof that the conversation cannot change what is
// searched, what counts as evidence, or what is answered, as a suite that any
// engine and any turn can be put through, also one from outside.
//
// Engine compares what an engine searches under many histories; Turn compares
// whole turns and looks for planted values in answers. Both return the first
// leak as an error, so that a test can show that a leaking double fails.
//
// The histories are made from a seed: any roles, lengths, control tokens,
// template braces, label echoes, 200 messages, facts that no document holds.
package isolation
