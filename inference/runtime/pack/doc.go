// Package pack puts an optional runtime in place and takes it away again.
//
// A pack is what a runtime has beyond the core of the processor: a plug-in, and
// libraries of its maker that the plug-in needs. It comes as the archives in
// which their makers publish them. Every file is compared with a built-in hash
// while it is unpacked; the new folder is verified like any runtime, looked at in
// a child, and computes with a small model there; only then it gets its name.
// What fails leaves nothing behind, and what was installed before serves on.
//
// The archives are files that a person has, or Fetch downloads them. This package
// opens no connection of its own: the caller's downloader does.
package pack
