package library

import (
	"os"
	"path/filepath"
	"strings"
)

// OnBattery tells whether the computer runs on its battery now; false where the
// system does not say.
func OnBattery() bool { return onBattery("/sys/class/power_supply") }

// onBattery reads the kernel's list of power supplies: on battery is a computer
// that has one which discharges, and no other supply that is online. Batteries
// of mice and pens say that they belong to a device.
func onBattery(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	discharging := false
	for _, e := range entries {
		read := func(name string) string {
			b, _ := os.ReadFile(filepath.Join(dir, e.Name(), name)) // a supply need not have it
			return strings.TrimSpace(string(b))
		}
		switch {
		case read("scope") == "Device":
		case read("type") == "Battery":
			discharging = discharging || read("status") == "Discharging"
		case read("online") == "1":
			return false
		}
	}
	return discharging
}
