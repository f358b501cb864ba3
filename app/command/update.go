package command

import (
	"context"

	"github.com/spf13/cobra"
)

// Update is what a look for a newer version found.
type Update struct {
	Installed string   `json:"installed"`
	Latest    string   `json:"latest"`
	Newer     bool     `json:"newer"`
	Date      string   `json:"date"`
	Notes     string   `json:"notes"`
	Files     []string `json:"files"` // addresses of the packages
}

// UpdateCheck reads the signed list of versions at an address that the person
// named. key is the publisher's public key in base64.
type UpdateCheck func(ctx context.Context, address, key string) (Update, error)

func (t *terminal) update() *cobra.Command {
	var from, key string
	look := &cobra.Command{Use: "check", Short: "Look for a newer version at an address that you name", Args: exactly(0, "no arguments"),
		Long: "Reads the list of versions at --from, and its signature beside it, and checks the signature with the publisher's key. Nothing is sent, downloaded or installed. The program never looks by itself.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from == "" || key == "" {
				return wrongUsage("`%s` needs --from and --key, as the publisher tells them.", cmd.CommandPath())
			}
			u, err := t.Update(cmd.Context(), from, key)
			if err != nil {
				return err
			}
			if t.json {
				return t.line(u)
			}
			if !u.Newer {
				t.print("Referent %s is the newest version.\n", u.Installed)
				return nil
			}
			t.print("Referent %s is there since %s; %s is installed. %s\n", u.Latest, u.Date, u.Installed, u.Notes)
			for _, f := range u.Files {
				t.print("%s\n", f)
			}
			return nil
		}}
	look.Flags().StringVar(&from, "from", "", "address of the list of versions, https")
	look.Flags().StringVar(&key, "key", "", "the publisher's public key, base64")
	return group("update", "Look for a newer version", look)
}
