// Command setup makes a machine ready to build, run and test the program:
//
//	go run ./build/setup STEP…
//
// Each step is idempotent and resumable, prints one line, and does nothing when
// its result is already there. Downloads go to one folder of the user's cache
// directory (or $REFERENT_CACHE), which all clones share, and every library and
// model file is compared with a hash kept in this folder or in the catalogue.
//
// Steps: system, system-test, runtime, models, extra-models, fonts, pdfium,
// pdfium-test, bindings, frontend, cuda-pack, remove-cache. The Makefile knows
// which are needed for what.
//
// Command setup never runs a downloaded script, never imports a downloaded
// package, and asks for more rights only to install missing system packages.
package main
