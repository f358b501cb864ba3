// Command lane runs the checks of the project in lanes:
//
//	go run ./build/lane NAME…
//
// A lane is a kind of check with a time budget: format, vet, staticcheck, the
// hermetic Go tests, the tests on real models, the frontend, the browser, the
// window, and some that only soak, bench or a GPU need. Lanes run one after the
// other; each prints its result and time, failures print their output, and the
// last line is "N passed, N failed". A lane in which nothing ran has failed: a
// check that silently stops checking is worse than none.
//
// "all" names the lanes of make test, "quick" those of make quick. Command lane
// installs nothing; command setup does.
package main
