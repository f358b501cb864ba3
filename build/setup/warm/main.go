package main

import (
	"context"
	"fmt"
	"os"

	"referent/rag/extract"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: warm FOLDER")
		os.Exit(2)
	}
	if err := extract.WarmPDF(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "warm:", err)
		os.Exit(1)
	}
}
