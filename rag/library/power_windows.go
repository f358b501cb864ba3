package library

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// systemPower is SYSTEM_POWER_STATUS.
type systemPower struct {
	line, flag, percent, saver byte
	life, full                 uint32
}

var getPower = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetSystemPowerStatus")

// OnBattery tells whether the computer runs on its battery now; false where the
// system does not say.
func OnBattery() bool {
	var p systemPower
	ok, _, _ := getPower.Call(uintptr(unsafe.Pointer(&p)))
	return ok != 0 && p.line == 0
}
