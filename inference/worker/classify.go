package worker

import (
	"regexp"

	"referent/inference/process"
)

// class is why a worker died, as far as it can be told.
type class string

// The closed list of classes; the words complete "The model worker ended: …".
const (
	classMemory    class = "there was not enough memory"
	classDevice    class = "the graphics device or its driver failed"
	classAssertion class = "the inference library found an internal error"
	classException class = "the inference library met an error it could not handle"
	classCrash     class = "it crashed"
	classHang      class = "it made no progress"
	classGarbage   class = "it sent something that cannot be read"
	classKilled    class = "it was ended from outside"
	classStopped   class = "it was stopped"
	classUnknown   class = "the reason is not known"
)

// lastWords are forms in the error output, the most telling first: an assertion
// often follows from the failed allocation above it.
var lastWords = []struct {
	form *regexp.Regexp
	is   class
}{
	{regexp.MustCompile(`(?i)failed to allocate|unable to allocate|out of memory|cudaMalloc failed|ErrorOutOf(Device|Host)Memory|std::bad_alloc|cannot allocate memory|Device memory allocation of size \d+ failed`), classMemory},
	{regexp.MustCompile(`(?i)DeviceLost|CUDA error|ROCm error|vk::\w+Error|ErrorInitializationFailed|ggml_(vulkan|cuda|metal)\w*: .*(error|failed)`), classDevice},
	{regexp.MustCompile(`GGML_(ASSERT|ABORT)|fatal error$`), classAssertion},
	{regexp.MustCompile(`terminate called|libc\+\+abi: `), classException},
	{regexp.MustCompile(`(?m)^(panic: |fatal error: |SIG[A-Z]+: )`), classCrash},
}

// classify reads how the child ended and what it last said.
func classify(d process.Death) class {
	switch d.Kind {
	case process.DeathMemory:
		return classMemory
	case process.DeathHang:
		return classHang
	case process.DeathGarbage:
		return classGarbage
	case process.DeathKilled:
		return classStopped
	}
	for _, w := range lastWords {
		if w.form.MatchString(d.Stderr) {
			return w.is
		}
	}
	switch {
	case d.Signal == "SIGKILL" || d.Signal == "SIGTERM" || d.Signal == "SIGINT":
		return classKilled
	case d.Signal != "":
		return classCrash
	}
	return classUnknown
}
