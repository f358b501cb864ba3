// Package bitmap is a set of chunk ordinals, the common coin of filters: the
// lexical and the vector scan both take one and skip what is not in it.
//
// An ordinal is the position of a chunk in one snapshot, 0 to Len()-1; it means
// nothing outside that snapshot. A nil *Bitmap stands for "all of them", so
// that an unfiltered search costs nothing. The package knows nothing of
// documents, fields or filters.
package bitmap
