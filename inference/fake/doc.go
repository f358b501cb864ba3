// Package fake is a deterministic model without any model: it implements
// inference.Host in this process and is used by the tests of every other
// package. It is a documented product; its properties are:
//
// Tokens. A token is at most four code points of one word together with the
// white space before it; white space at the end of a text is one more token.
// CountTokens, prompt sizes, MaxTokens and streaming all use this rule.
//
// Replies. Config.Match is asked first, then the queue of Config.Replies, then
// the built-in rules: a condense request is answered by a rewrite made only of
// words of the prompt, a request whose first message offers "done - …" by
// "done", a prompt with numbered evidence by its first sentence and the marker
// [1], everything else by a repetition of the request. A reply that begins with
// the request's Prefill goes on behind it, so a reply that was interrupted can
// be finished. Think blocks in a reply are split off, stop strings end it, a
// character is never split.
//
// Grammars. It follows none, says so (Info().Grammar is false) and refuses a
// request that has one with ErrGrammar.
//
// Vectors. Hashed character 3-grams and word stems, 384 dimensions, unit
// length: texts that share words are near. Rerank is the share of the query's
// content stems that the passage holds.
//
// Time. Nothing sleeps. Config.Step is called before each step of work and may
// block, fail or count: a test paces, stops or kills with it.
package fake
