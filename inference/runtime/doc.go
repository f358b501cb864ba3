// Package runtime knows the folders of shared libraries that models run on.
//
// A runtime is a folder of one build of llama.cpp: a core (libllama, libggml,
// libggml-base, one libggml-cpu per processor family) and, for a GPU, one
// plug-in beside it (libggml-vulkan, libggml-cuda). The binding reads
// structures by their layout, so a library of another version would not fail,
// it would compute nonsense or end the process. Verify therefore compares every
// file with a built-in table and refuses what it does not know.
//
// Probe learns what a folder can do on this machine: which plug-ins load and
// why others do not, which devices there are and how much memory is free. It
// does so in a short-lived child, because asking a driver can end a process
// and costs it memory that only its end gives back. The process that shows
// windows never loads a library from here.
package runtime
