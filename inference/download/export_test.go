package download

// Source is the server of these tests, for those of a package that downloads.
type Source = source

// What tests in another package need of it.
var (
	Serve  = serve
	Noise  = noise
	HashOf = hashOf
	CutOff = cut
	ByHand = func() (*Downloader, *hand) { h := &hand{}; return downloader(h), h }
)

// Misbehave sets what sees each request before it is answered.
func (s *source) Misbehave(f misbehaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.misbehave = f
}

// Change puts another version in place.
func (s *source) Change(content []byte) { s.change(content) }

// Asked returns the ranges of all requests.
func (s *source) Asked() []string { return s.asked() }
