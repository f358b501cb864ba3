package extract

import (
	"bytes"
	"context"

	"github.com/xuri/excelize/v2"
)

// maxEncryptedBytes bounds a protected document, which is held in memory once as
// it is and once decrypted.
const maxEncryptedBytes = 100 << 20

// readEncrypted reads a Word, PowerPoint or Excel document that is protected by
// a password (ECMA-376 standard and agile encryption, [MS-OFFCRYPTO]).
func readEncrypted(ctx context.Context, src *source, opts Options, d *document) error {
	if opts.Password == "" {
		return needsPassword("This document is protected by a password. Enter it, or save a copy without a password.")
	}
	if _, err := src.File.Seek(0, 0); err != nil {
		return err
	}
	raw, err := src.bytes(maxEncryptedBytes)
	if err != nil {
		return err
	}
	plain, err := excelize.Decrypt(raw, &excelize.Options{Password: opts.Password})
	if err != nil {
		return damaged("The document is damaged inside. Open it in the program that made it and save it again.", err)
	}
	if !bytes.HasPrefix(plain, []byte("PK")) { // what a wrong password gives is no document
		return needsPassword("The password does not open this document. Enter another one, or save a copy without a password.")
	}
	inner := inMemory(src.path, plain)
	defer inner.Close()
	_, read, err := chooseZip(inner, opts)
	if err != nil {
		return err
	}
	return read(ctx, inner, opts, d)
}
