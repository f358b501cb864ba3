package extract

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// pdfMemoryPages caps the memory of one PDF at 256 MiB (64 KiB a page). No
// real document of a large trial needed more, and growth copies, so the
// process needs about three times the cap on a hostile file.
const pdfMemoryPages = 4096

// pdfEngines holds the compiled PDF module for each pair of cache folder and
// font folder. Compiling takes seconds without the cache, so it is done once a
// process and kept.
var pdfEngines = struct {
	sync.Mutex
	byKey map[string]pdfium.Pool
}{byKey: map[string]pdfium.Pool{}}

// WarmPDF compiles the PDF module into cacheDir, which is made if needed, so that
// no file waits for it. With the cache present it takes a fraction of a second;
// without, some eight seconds of processor time and 350 MB.
func WarmPDF(ctx context.Context, cacheDir string) error {
	pool, err := pdfPool(Options{PDFCacheDir: cacheDir})
	if err != nil {
		return err
	}
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return fmt.Errorf("start the PDF module: %w", err)
	}
	return instance.Close()
}

// pdfPool gives the pool of module instances for a cache and a font folder. The
// first one of a process is told as something that is made ready: where nothing
// is in the cache yet, a slow computer needs longer to compile the module, or to
// wait for another process that does, than any file may take.
func pdfPool(opts Options) (pdfium.Pool, error) {
	pdfEngines.Lock()
	defer pdfEngines.Unlock()
	key := opts.PDFCacheDir + "\x00" + opts.FontDir
	if pool := pdfEngines.byKey[key]; pool != nil {
		return pool, nil
	}
	var pool pdfium.Pool
	err := opts.prepare(func() (err error) {
		pool, err = cachedPDFPool(opts)
		return err
	})
	if err == nil {
		pdfEngines.byKey[key] = pool
	}
	return pool, err
}

// cachedPDFPool takes the compiled module from the cache, or compiles it into the
// cache while no other process does. Where the cache cannot be used (a full disk,
// a folder that may not be written), the module is compiled for this process only.
func cachedPDFPool(opts Options) (pdfium.Pool, error) {
	if opts.PDFCacheDir == "" {
		return newPDFPool(nil, opts.FontDir)
	}
	// Neither is needed to read what is there: a folder that may only be read has
	// no lock, a full disk no room for a module that was brought along.
	if unlock, err := lockPDFCache(opts.PDFCacheDir); err == nil {
		defer unlock()
	}
	_ = seedPDFCache(opts.PDFCacheDir, opts.PDFModules)
	for again := range 2 {
		cache, err := wazero.NewCompilationCacheWithDir(opts.PDFCacheDir)
		if err != nil {
			break
		}
		if pool, err := newPDFPool(cache, opts.FontDir); err == nil {
			return pool, nil
		}
		if again == 0 { // what is kept may be damaged
			_ = emptyPDFCache(opts.PDFCacheDir)
			_ = seedPDFCache(opts.PDFCacheDir, opts.PDFModules)
		}
	}
	return newPDFPool(nil, opts.FontDir)
}

// newPDFPool compiles the module, or takes it from the cache; nil: none.
func newPDFPool(cache wazero.CompilationCache, fontDir string) (pdfium.Pool, error) {
	files, err := pdfFonts(fontDir)
	if err != nil {
		return nil, fmt.Errorf("read the PDF font: %w", err)
	}
	// Exception handling is needed: the module does not compile without it.
	// No closing on a context: it costs almost three times the run time, and
	// the parse worker is killed from outside instead.
	rc := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(pdfMemoryPages)
	if cache != nil {
		rc = rc.WithCompilationCache(cache)
	}
	pool, err := webassembly.Init(webassembly.Config{
		MaxIdle: 1, MaxTotal: 2, ReuseWorkers: true,
		RuntimeConfig: rc,
		// The module sees these files and nothing of the disk.
		FSConfig: wazero.NewFSConfig().WithFSMount(files, "/"),
		Stdout:   io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("start the PDF module: %w", err)
	}
	return pool, nil
}

// fallbackFont draws the characters of CJK fonts that a PDF names but does not
// hold; without it such a file gives almost no text.
const fallbackFont = "DroidSansFallbackFull.ttf"

func pdfFonts(dir string) (fontFS, error) {
	if dir == "" {
		return nil, nil
	}
	b, err := os.ReadFile(filepath.Join(dir, fallbackFont))
	if os.IsNotExist(err) {
		return nil, nil
	}
	return b, err
}
