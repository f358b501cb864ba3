//go:build cgo

package desktop

/*
#include <signal.h>

// repair_signals adds SA_ONSTACK to every handler that lacks it and returns a
// bit for each signal that it changed. WebKit's JavaScript engine installs
// handlers without the flag after the page has loaded; Go ends the process when
// such a handler meets a signal on a goroutine's small stack, so that even a
// recovered nil dereference would be fatal.
static unsigned int repair_signals(void) {
	unsigned int changed = 0;
	for (int s = 1; s <= 31; s++) {
		struct sigaction a;
		if (s == SIGKILL || s == SIGSTOP || sigaction(s, NULL, &a) != 0)
			continue;
		if (a.sa_handler == SIG_DFL || a.sa_handler == SIG_IGN || (a.sa_flags & SA_ONSTACK))
			continue;
		a.sa_flags |= SA_ONSTACK;
		if (sigaction(s, &a, NULL) == 0)
			changed |= 1u << s;
	}
	return changed;
}

// break_signal takes the flag from one handler, for the test.
static int break_signal(int s) {
	struct sigaction a;
	if (sigaction(s, NULL, &a) != 0)
		return -1;
	a.sa_flags &= ~SA_ONSTACK;
	return sigaction(s, &a, NULL);
}
*/
import "C"

// repairSignals restores the flag that Go needs on every signal handler and
// returns the numbers of the signals that lacked it.
func repairSignals() []int {
	changed := uint32(C.repair_signals())
	var out []int
	for s := 1; s <= 31; s++ {
		if changed&(1<<s) != 0 {
			out = append(out, s)
		}
	}
	return out
}

// breakSignal does to one signal what WebKit does; only tests call it.
func breakSignal(s int) bool { return C.break_signal(C.int(s)) == 0 }
