//go:build browser

package desktop

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"referent/inference/runtime/pack/packtest"
)

// The pack is read about, accepted and installed by keyboard; what is no archive
// of it is refused in a sentence, and nothing is there afterwards.
func TestBrowser_APackIsInstalledFromFilesOnlyWhenItIsOne(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Press("Control+3")
	w.See("What models run on")
	w.SeeRole("button", "Install CUDA")
	w.Accessible("runtimes")
	w.do("focus", element{Role: "button", Name: "Install CUDA"}, nil)
	w.Press("Enter")
	w.See("NVIDIA CUDA Toolkit End User License Agreement")
	w.Accessible("runtimes-install")
	w.do("focus", element{Role: "checkbox", Name: "I have read this"}, nil)
	w.Press("Space")
	w.See("No driver of NVIDIA was found")
	w.do("focus", element{Role: "checkbox", Name: "Install it all the same"}, nil)
	w.Press("Space")
	file := filepath.Join(w.folder, "pack.whl")
	if err := os.WriteFile(file, packtest.Archive(t), 0o644); err != nil {
		t.Fatal(err)
	}
	w.bridge.picks = []string{file}
	w.Quiet() // what is refused next is an error on the page's wire
	w.do("focus", element{Role: "button", Name: "Choose files"}, nil)
	w.Press("Enter")
	w.See("There are no model libraries") // nothing that a pack could stand on is here
	w.SeeRole("button", "Install CUDA")
}

// A download from an address of the person's own pauses, goes on where it
// stopped, and what came is thrown away on request.
func TestBrowser_APackIsDownloadedWithPauseAndChecksum(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	server := packtest.Serve(t, true)
	line := server.URL + " " + server.SHA256
	w.Press("Control+3")
	ask := func(button string) {
		t.Helper()
		w.Click("button", button)
		w.Click("checkbox", "I have read this")
		w.Click("checkbox", "Install it all the same")
		w.do("click", element{Name: "From addresses of your own"}, nil)
		w.Type("textbox", "Addresses", line)
		w.Click("button", "Download from there")
	}
	w.Quiet()           // a pause is an error on the page's wire
	ask("Install CUDA") // a server on this computer needs no permission
	w.Click("button", "Pause the download of CUDA")
	w.SeeRole("button", "Go on with the download of CUDA")
	w.See("Paused")
	server.Release()
	w.picture("runtimes-paused")
	ask("Go on with the download of CUDA")
	w.See("There are no model libraries")
	if n := server.Asked.Load(); n != 2 {
		t.Errorf("%d requests", n)
	}
	w.Click("button", "Remove CUDA")
	w.ClickExact("button", "Remove")
	w.SeeRole("button", "Install CUDA")
	if left, err := os.ReadDir(filepath.Join(w.cache, "packs", "cuda")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left are %v, %v", left, err)
	}
}
