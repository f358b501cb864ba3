package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"referent/app"
)

// ServeOptions say how other programs are answered.
type ServeOptions struct {
	Address string // empty: the setting api.address
	// MCP: speak the Model Context Protocol over these streams, not HTTP.
	MCP bool
	In  io.Reader
	Out io.Writer
	// Ready is called once programs can ask over HTTP.
	Ready func(address string)
}

func (t *terminal) serve() *cobra.Command {
	var o ServeOptions
	var rotate bool
	c := &cobra.Command{Use: "serve", Short: "Let other programs on this computer ask", Args: exactly(0, "no arguments"),
		Long: "Let other programs on this computer ask, over HTTP on loopback or a Unix socket, until Ctrl-C. docs/api.md and docs/mcp.md show how.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := t.folder()
			if err != nil {
				return err
			}
			if rotate {
				if o.MCP || o.Address != "" {
					return wrongUsage("--rotate-token goes alone.")
				}
				if _, err := app.NewToken(dir); err != nil {
					return err
				}
				t.note("Programs need the new token. It is in the file %s of the data folder.", app.TokenFile)
				return nil
			}
			if o.MCP && o.Address != "" {
				return wrongUsage("--mcp speaks over standard input and output. Leave --address out.")
			}
			o.In, o.Out = t.Stdin, t.Stdout
			o.Ready = func(address string) {
				if t.json {
					_ = t.line(ready{Address: address, TokenFile: app.TokenFile}) // as every line of a command
					return
				}
				t.note("Listening at %s. The token is in the file %s of the data folder. Ctrl-C ends it.", address, app.TokenFile)
			}
			return t.Serve(cmd.Context(), dir, o)
		}}
	c.Flags().StringVar(&o.Address, "address", "", "127.0.0.1:PORT, [::1]:PORT, localhost:PORT or unix (default: the setting api.address)")
	c.Flags().BoolVar(&o.MCP, "mcp", false, "speak MCP over standard input and output")
	c.Flags().BoolVar(&rotate, "rotate-token", false, "make a new token; the old one ends at once")
	return c
}

// ready is the JSON form of the line that says where the server listens.
type ready struct {
	Address   string `json:"address"`
	TokenFile string `json:"token_file"`
}

// folder is the data folder of the command line.
func (t *terminal) folder() (string, error) {
	if t.data != "" {
		return t.data, nil
	}
	return t.DataDir()
}

// Serving answers other programs until ctx is done, on the data folder dir.
type Serving func(ctx context.Context, dir string, o ServeOptions) error
