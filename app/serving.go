package app

import "context"

// Serving is how other programs reach the library. Address and Problem tell of
// the server that the setting api.enabled asks for; `referent serve` is apart.
type Serving struct {
	Address Optional `json:"address"` // where it listens; absent: nowhere
	Problem Optional `json:"problem"` // why it does not, a sentence
	Token   string   `json:"token"`   // what programs have to show
}

// Serving implements UseCases. The token is made where there is none.
func (a *App) Serving(context.Context) (Serving, error) {
	token, err := Token(a.config.DataDir)
	a.mu.Lock()
	defer a.mu.Unlock()
	return Serving{Address: a.serving.Address, Problem: a.serving.Problem, Token: token}, err
}

// NoteServing implements UseCases.
func (a *App) NoteServing(_ context.Context, s Serving) error {
	s.Token = "" // is read from its file each time
	a.mu.Lock()
	a.serving = s
	a.mu.Unlock()
	a.changed()
	return nil
}
