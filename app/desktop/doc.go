// Package desktop is the window: the only place that knows Wails. Window is the
// object whose methods the page calls; each goes through one guard, so that a
// panic becomes an error and never ends the program. Events go to the page in
// batches, one a frame at most.
//
// Everything that needs the window system goes through Platform, so that tests
// run the same Window behind a browser. The package holds no logic of the
// product: it translates.
package desktop
