// Package openai answers in the shapes that clients of OpenAI speak: chat
// completions, models, embeddings, and the rerank route that goes with them.
//
// The last message of the user is the question, earlier messages of the user
// and the assistant are history, and everything else is left out and said so:
// Referent writes its own rules and takes evidence only from the library. What
// the shapes have no place for (what was searched, the sources, the answer
// check) is in the field "referent", and again as text below the answer for
// clients that show only text.
package openai
