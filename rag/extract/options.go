package extract

import "time"

// Version is raised whenever the output for some file changes. It is stored
// with each document, so that an upgrade knows what to read again.
const Version = 2

// Options bound the reading of one file. The zero value is ready to use; zero
// limits mean the defaults below.
type Options struct {
	MaxBytes     int64 // largest file that is opened; default 1 GiB
	MaxChars     int   // code points of normalised text; default 50 million
	MaxPages     int   // pages of a PDF; default 20,000
	MaxPageChars int   // code points of one page; default 2 million
	MaxRows      int   // rows of a table file; default 1 million

	FontDir     string // holds DroidSansFallbackFull.ttf, for PDF text whose font is not embedded; empty: none
	PDFCacheDir string // compiled PDF module; empty: compiled anew for each process (seconds)
	PDFModules  string // compiled modules that came with the program, copied into PDFCacheDir; empty: none
	Password    string // for a protected file; never logged
	Encoding    string // IANA name that overrides detection; empty: detect

	Archives    bool          // read the files in ZIP archives
	OCR         bool          // read pictures with the Tesseract program, if it is installed
	PictureTime time.Duration // the most for one picture; default 20 s

	// Progress is told the pages read and the pages in all. It may be nil
	// and is called from the reading goroutine.
	Progress func(done, total int) `json:"-"`

	// Recognising is told before each picture whose words are recognised, which
	// can take longer than the size of the file says. It may be nil and is called from the reading
	// goroutine.
	Recognising func() `json:"-"`

	// Preparing is told when something of the program's own is made ready, which
	// says nothing of the file, and Ready when the file goes on. Both may be nil and
	// are called from the reading goroutine.
	Preparing func() `json:"-"`
	Ready     func() `json:"-"`

	nested    int   // attachments around the file
	ratioFrom int64 // bytes unpacked of an archive below which a high ratio harms nobody; default 10 MiB
}

// FileOptions are what a person has set for one file. The zero value is a file
// that nothing was set for.
type FileOptions struct {
	Password string // as Options.Password
	Encoding string // as Options.Encoding
}

// The caps follow from trials with hostile files: real documents stay far
// below, and no cap lets a file take more memory than a parse worker may have.
const (
	defaultMaxBytes     = 1 << 30
	defaultMaxChars     = 50_000_000
	defaultMaxPages     = 20_000
	defaultMaxPageChars = 2_000_000
	defaultMaxRows      = 1_000_000
	defaultPictureTime  = 20 * time.Second
	defaultRatioFrom    = 10 << 20

	maxTextBytes     = 200 << 20 // text formats are held in memory once as bytes and once as text
	maxMarkdownBytes = 5 << 20   // above it the Markdown parser's worst case is too slow: read as plain text
	maxHTMLBytes     = 20 << 20
)

func (o Options) recognising() {
	if o.Recognising != nil {
		o.Recognising()
	}
}

// prepare runs work that is no part of reading the file.
func (o Options) prepare(work func() error) error {
	if o.Preparing != nil {
		o.Preparing()
	}
	if o.Ready != nil {
		defer o.Ready() // also where a panic is recovered by whoever reads on
	}
	return work()
}

func (o Options) withDefaults() Options {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.MaxChars <= 0 {
		o.MaxChars = defaultMaxChars
	}
	if o.MaxPages <= 0 {
		o.MaxPages = defaultMaxPages
	}
	if o.MaxPageChars <= 0 {
		o.MaxPageChars = defaultMaxPageChars
	}
	if o.MaxRows <= 0 {
		o.MaxRows = defaultMaxRows
	}
	if o.PictureTime <= 0 {
		o.PictureTime = defaultPictureTime
	}
	if o.ratioFrom <= 0 {
		o.ratioFrom = defaultRatioFrom
	}
	return o
}
