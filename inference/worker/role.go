package worker

import (
	"encoding/json"
	"fmt"
	"os"

	"referent/inference"
	"referent/inference/process"
)

// RoleName is the word of the role that runs models, for process.Dispatch.
const RoleName = "model"

// Exit codes of the role.
const (
	exitOK      = 0
	exitUsage   = 2 // the argument cannot be read
	exitNoHost  = 3 // the host could not be made; the reason went over the pipe
	exitGarbage = 4 // the parent sent something that is no frame
)

// Role returns the model role. newHost makes the host inside the worker from
// the configuration that New was given; it is called once, in the child.
func Role(newHost func(Config) (inference.Host, error)) func() int {
	return func() int {
		var cfg Config
		if args := process.Args(); len(args) != 1 || json.Unmarshal([]byte(args[0]), &cfg) != nil {
			fmt.Fprintln(os.Stderr, "referent: the model role is started by the program itself")
			return exitUsage
		}
		in, out := process.Stdio()
		host, err := newHost(cfg)
		if err != nil {
			// The parent reads why; if it is gone, nobody needs to know.
			_ = sendHello(process.NewPipe(in, out), hello{Error: toWire(err)})
			return exitNoHost
		}
		return Serve(host, in, out)
	}
}

// Identity is what a Host may implement to tell which library it runs. hash is
// the one that the runtime's table of files gave.
type Identity interface {
	Identity() (hash, library string)
}

func introduce(host inference.Host) hello {
	var h hello
	if known, ok := host.(Identity); ok {
		h.RuntimeHash, h.Library = known.Identity()
	}
	return h
}

func sendHello(p *process.Pipe, h hello) error {
	h.Protocol = protocolVersion
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return p.Send(frameHello, b)
}
