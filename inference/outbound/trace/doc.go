// Package trace reads what strace recorded, for the tests which show that
// nothing leaves this computer. The program itself does not use it.
package trace
