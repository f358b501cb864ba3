package trace

import (
	"slices"
	"testing"
)

func TestForeignAddressesAreFound(t *testing.T) {
	near := `17 connect(5, {sa_family=AF_UNIX, sun_path="/tmp/d/owner.sock"}, 22) = 0
17 connect(5, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
17 connect(5, {sa_family=AF_INET6, sin6_port=htons(80), inet_pton(AF_INET6, "::1", &sin6_addr)}, 28) = 0
17 sendto(9, [{nlmsg_len=20}], 20, 0, {sa_family=AF_NETLINK, nl_pid=0}, 12) = 20
17 execve("/usr/bin/referent", ["referent"], 0x7ff) = 0
`
	if got := Foreign(near); got != nil {
		t.Errorf("%q", got)
	}
	far := []string{
		`17 connect(5, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.2")}, 16) = 0`,
		`17 connect(5, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0`,
		`17 sendmmsg(5, [{msg_hdr={msg_name={sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}}}], 1, 0) = 1`,
	}
	if got := Foreign(near + far[0] + "\n" + far[1] + "\n" + far[2]); !slices.Equal(got, far) {
		t.Errorf("%q", got)
	}
}
