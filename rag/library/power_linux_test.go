package library

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBatteryIsReadFromTheKernel(t *testing.T) {
	battery := func(status string) map[string]string { return map[string]string{"type": "Battery", "status": status} }
	mains := func(online string) map[string]string { return map[string]string{"type": "Mains", "online": online} }
	for name, c := range map[string]struct {
		supplies map[string]map[string]string
		want     bool
	}{
		"no supplies":            {nil, false},
		"a desktop":              {map[string]map[string]string{"AC": mains("1")}, false},
		"unplugged":              {map[string]map[string]string{"AC": mains("0"), "BAT0": battery("Discharging")}, true},
		"plugged in":             {map[string]map[string]string{"AC": mains("1"), "BAT0": battery("Charging")}, false},
		"plugged in, not full":   {map[string]map[string]string{"AC": mains("1"), "BAT0": battery("Discharging")}, false},
		"full":                   {map[string]map[string]string{"BAT0": battery("Full")}, false},
		"two batteries, one off": {map[string]map[string]string{"BAT0": battery("Unknown"), "BAT1": battery("Discharging")}, true},
		"a mouse":                {map[string]map[string]string{"hid": {"type": "Battery", "status": "Discharging", "scope": "Device"}}, false},
		"by USB":                 {map[string]map[string]string{"BAT0": battery("Discharging"), "ucsi": {"type": "USB", "online": "1"}}, false},
	} {
		dir := t.TempDir()
		for supply, files := range c.supplies {
			for file, text := range files {
				path := filepath.Join(dir, supply, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := onBattery(dir); got != c.want {
			t.Errorf("%s: on battery %v", name, got)
		}
	}
	if onBattery(filepath.Join(t.TempDir(), "none")) {
		t.Error("a system that does not say runs on battery")
	}
}
