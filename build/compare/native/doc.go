// Command native puts the program's way of running a model beside the shortest
// loop in C on the same library, file, batches and tokens, one thread each:
//
//	go run ./native          from build/compare, after go run ./build/setup runtime models
//
// Both loops run by turns in one go, so that a busy machine slows both. What
// counts is processor time, because a machine is never idle; elapsed time stands
// beside it. Before anything is compared, both must have written the same words
// and made the same vector. The promises are 0.97 for written tokens and 0.95
// for embedded texts; a share below its promise ends the command with an error.
package main
