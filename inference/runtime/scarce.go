package runtime

// leastAvailable is below what the rest of a desktop needs to stay quick.
const leastAvailable = 384 << 20 // bytes

// Scarce says whether this computer is short of main memory: less than a
// twentieth of it, or less than 384 MiB, can still be taken.
func Scarce() bool { return scarce(Available(), Memory()) }

func scarce(available, total int64) bool {
	return available > 0 && available < max(leastAvailable, total/20)
}
