// Package public is the library as other programs may see it: the use cases
// behind every route and tool, with what is restricted taken out.
//
// A View never lists, opens, searches or gives a restricted document, nor a
// stored turn that rests on one, and answers as if it were not there. It keeps
// an order among the callers: one at a time asks, each caller in turn, and a
// caller that would wait too long is told when to come back. The person's own
// turns go first; app.UseCases sees to that, by AskRequest.Guest.
//
// Every call is a Visit: who asked, and the numbers of the documents whose text
// was given. Text of questions and documents is never noted.
package public
