// Package remote lets an OpenAI-compatible server play a role: chat as a stream
// of server-sent events, completions, embeddings and rerank. Host implements
// inference.Host with addresses in place of files; Beside puts it next to a host
// on this computer, so that each role may live in another place.
//
// What a server cannot tell is said honestly. Tokens are estimated (see
// Estimate): a server has its own vocabulary and no common call to count with
// it. Caches, seeds and threads are the server's own: a fixed cut of the cache
// and the repetition of a greedy reply are not promised. A server's vectors are
// made unit length here.
//
// A call that fails in passing (a refused connection, status 408, 429 or 5xx
// before the first word) is tried again inside its time limit. Errors tell
// their kind: Timeout() for a limit that passed, HTTPStatus() for a status of
// 400 and above, ErrBadBody for a reply that cannot be read, ErrMissingField for
// one without what it must hold.
//
// Connections are made by the client that the caller passes (inference/outbound).
package remote
