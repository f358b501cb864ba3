// Package dryrun asks how much working memory a model would take, before it is
// loaded.
//
// llama.cpp can lay out a model and its context without taking memory for
// either. The sizes of the buffers in which it would compute come out exactly,
// those of weights and attention cache as zero; the latter are arithmetic on
// the file (package offload). The sizes are told in the library's log only, and
// a file that it did not expect ends the process. So a dry run happens in a
// short-lived child of the program, whose side is inference/llama.DryRun.
package dryrun
