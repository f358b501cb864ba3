// Package chats is the file chats.db: conversations, turns with the evidence
// they saw, the log of runs, settings and drafts.
//
// Words: a turn is one question and its answer, one row, stored in one
// transaction with its evidence; evidence is a copy of the passages, with soft
// references into the library; history is earlier messages as (role, text)
// pairs; a run is what the log keeps of a turn, also of a failed one: ids,
// codes and times, never text.
//
// What a person typed or read survives a power cut (synchronous=FULL). Package
// chats never reads the library's file.
package chats
