package runtime

import (
	"bufio"
	"fmt"
	"os"
)

// Available returns the main memory in bytes that programs can still take
// without pushing others out, as the kernel estimates it; 0: not known.
func Available() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kib int64
		if n, _ := fmt.Sscanf(lines.Text(), "MemAvailable: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}
