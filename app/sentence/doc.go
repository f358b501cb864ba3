// Package sentence says the sentences of the program in the language of the
// window.
//
// A sentence is made where something happens, in English, from one template of
// fmt. The catalogue of a language is keyed by these templates. At the border of
// the window a text is compared with them, and written anew with the same values
// in it. A text that no template has made stays as it is. The terminal and other
// programs are not asked: they read English.
package sentence
