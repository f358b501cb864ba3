package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// buildPackages is what Debian 12 and Ubuntu 22.04 need to build and run.
var buildPackages = []string{
	"gcc", "libc6-dev", "pkg-config", "libgtk-3-dev", "libwebkit2gtk-4.1-dev", "libffi8",
	"fonts-droid-fallback", // the PDF reader's font for Chinese, Japanese and Korean
}

// checkPackages is what the tests need on top.
var checkPackages = []string{
	"xvfb", "xauth", "xdotool", "imagemagick", "webkit2gtk-driver", "dbus-x11", "openbox",
	"mesa-vulkan-drivers", "at-spi2-core", "python3-gi", "gir1.2-atspi-2.0", "gir1.2-gtk-3.0",
	"fonts-dejavu-core", "fonts-noto-cjk", "tesseract-ocr", "tesseract-ocr-ita", "tesseract-ocr-deu", "strace", "curl",
	"gcc-mingw-w64-x86-64", "qemu-user-static", // for other systems
}

// packagePackages is what the check of the Debian package needs; Ubuntu does not
// have the keys of Debian's archive unasked.
var packagePackages = []string{"mmdebstrap", "debian-archive-keyring", "lintian", "desktop-file-utils"}

// testPackages adds a Chromium where apt has a real one: Ubuntu's is a snap,
// there the browser lane takes one by CHROMIUM=.
func testPackages() []string {
	all := append(slices.Clone(buildPackages), checkPackages...)
	release, err := os.ReadFile("/etc/os-release")
	if err == nil && slices.Contains(strings.Split(string(release), "\n"), "ID=debian") {
		all = append(all, "chromium")
	}
	return all
}

func installPackages(ctx context.Context, s *site, wanted []string) (string, error) {
	if _, err := exec.LookPath("dpkg-query"); err != nil {
		return otherSystem(ctx)
	}
	missing, err := missingPackages(ctx, wanted)
	if err != nil {
		return "", err
	}
	if len(missing) == 0 {
		return fmt.Sprintf("all %d system packages are there", len(wanted)), nil
	}
	command := []string{"env", "DEBIAN_FRONTEND=noninteractive", "apt-get"}
	if os.Geteuid() != 0 {
		if _, err := exec.LookPath("sudo"); err != nil {
			return "", fmt.Errorf("system packages are missing and sudo is not there to install them. Run this as root: apt-get install %s", strings.Join(missing, " "))
		}
		s.out.line("system", "installing with sudo: %s", strings.Join(missing, " "))
		command = append([]string{"sudo"}, command...)
	} else {
		s.out.line("system", "installing: %s", strings.Join(missing, " "))
	}
	apt := func(what string, args ...string) error {
		args = append(slices.Clone(command[1:]), args...)
		return watched{step: "system", what: what}.run(ctx, s, command[0], args...)
	}
	if err := apt("reading the package lists", "update"); err != nil {
		return "", err
	}
	if err := apt("installing packages", append([]string{"install", "-y", "--no-install-recommends"}, missing...)...); err != nil {
		return "", err
	}
	return fmt.Sprintf("installed %d system packages", len(missing)), nil
}

// missingPackages asks dpkg, which needs no rights.
func missingPackages(ctx context.Context, wanted []string) ([]string, error) {
	args := append([]string{"-W", "-f", "${Package} ${db:Status-Status}\n"}, wanted...)
	out, err := exec.CommandContext(ctx, "dpkg-query", args...).Output()
	// It ends with 1 when a package is unknown; the lines are still right.
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return subtract(wanted, string(out)), nil
}

// subtract takes away what dpkg lists as installed.
func subtract(wanted []string, listing string) []string {
	there := map[string]bool{}
	for line := range strings.Lines(listing) {
		name, status, _ := strings.Cut(strings.TrimSpace(line), " ")
		if status == "installed" {
			there[name] = true
		}
	}
	var missing []string
	for _, p := range wanted {
		if !there[p] {
			missing = append(missing, p)
		}
	}
	return missing
}

// otherSystem accepts a system without dpkg when the libraries can be found.
func otherSystem(ctx context.Context) (string, error) {
	if exec.CommandContext(ctx, "pkg-config", "--exists", "gtk+-3.0", "webkit2gtk-4.1").Run() == nil {
		if _, err := exec.LookPath("gcc"); err == nil {
			return "gcc, GTK 3 and WebKitGTK 4.1 are there", nil
		}
	}
	return "", errors.New("this system has no dpkg, so packages cannot be installed for you. Install a C compiler, pkg-config, and the development files of GTK 3 and WebKitGTK 4.1, then run this again")
}
