package app

import (
	"context"
	"fmt"
	"math"
)

// RecutPlan is what it would cost to read and cut the files anew that an earlier
// version of the program has read or cut.
type RecutPlan struct {
	Files    int     `json:"files"` // 0: there is nothing to do
	Bytes    int64   `json:"bytes"`
	Pages    int     `json:"pages"`    // of PDF files and pictures, about
	Passages int     `json:"passages"` // that they have now
	Seconds  float64 `json:"seconds"`  // until all of them are read, about
	// Meaning is how many seconds it takes at most until search by meaning is
	// complete again; 0: not known. Passages that stay as they are cost nothing.
	Meaning  float64 `json:"meaning"`
	Long     bool    `json:"long"` // longer than a minute: ask first
	Sentence string  `json:"sentence"`
}

// PlanRecut implements UseCases.
func (a *App) PlanRecut(ctx context.Context) (RecutPlan, error) {
	s, err := a.library.SurveyRecut(ctx)
	if err != nil {
		return RecutPlan{}, storageError(err)
	}
	plan := RecutPlan{Files: s.Files, Bytes: s.Bytes, Pages: s.Pages, Passages: s.Passages, Seconds: s.Seconds}
	if plan.Meaning, err = a.untilMeaning(ctx, plan.Seconds, plan.Passages); err != nil {
		return RecutPlan{}, err
	}
	plan.Long = math.Max(plan.Seconds, plan.Meaning) > longWork
	plan.Sentence = plan.sentence()
	return plan, nil
}

func (p RecutPlan) sentence() string {
	if p.Files == 0 {
		return "Every file was read by this version of the program."
	}
	s := fmt.Sprintf("Files that an earlier version of the program has read: %d, %s.", p.Files, sizeText(p.Bytes)) + " " +
		fmt.Sprintf("Reading them again takes about %s.", spanText(p.Seconds))
	if p.Meaning > 0 {
		s += " " + fmt.Sprintf("Search by meaning is complete after %s at most.", spanText(p.Meaning))
	}
	return s + " " + "What is there can be searched meanwhile."
}

// Recut implements UseCases.
func (a *App) Recut(ctx context.Context) error {
	if err := a.startLibrary(ctx); err != nil {
		return err
	}
	_, err := a.library.Recut(ctx)
	return storageError(err)
}
