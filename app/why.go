package app

import "context"

// WhyIgnored implements UseCases. The path need not be in the library.
func (a *App) WhyIgnored(ctx context.Context, path string) (string, error) {
	sentence, err := a.library.Why(ctx, path)
	return sentence, storageError(err)
}
