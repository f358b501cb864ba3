package trace

import (
	"regexp"
	"strings"
)

// Command returns the words that go before a command line so that strace
// follows it and all its children and writes to the file. The traced program
// stays the child of the caller, with the process id of the caller's command.
func Command(file string) []string {
	return []string{"strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", file, "-e", "trace=connect,sendto,sendmsg,sendmmsg,execve", "-e", "signal=none"}
}

// addressed finds the address in a line of strace.
var addressed = regexp.MustCompile(`sa_family=(AF_\w+)([^}]*)`)

// Foreign returns the lines of a trace that name an address which is not of
// this computer. Unix sockets, loopback and the kernel's own sockets are.
func Foreign(trace string) []string {
	var out []string
	for line := range strings.Lines(trace) {
		if abroad(line) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func abroad(line string) bool {
	for _, m := range addressed.FindAllStringSubmatch(line, -1) {
		switch {
		case m[1] == "AF_UNIX", m[1] == "AF_NETLINK":
		case m[1] == "AF_INET" && strings.Contains(m[2], `inet_addr("127.`):
		case m[1] == "AF_INET6" && strings.Contains(m[2], `"::1"`):
		default:
			return true
		}
	}
	return false
}
