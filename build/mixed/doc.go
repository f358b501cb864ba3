// Command mixed writes a folder of many small files of mixed kinds, for measuring
// how fast files are read:
//
//	go run ./build/mixed -files 1000 FOLDER
//
// The kinds come in turn: text, Markdown, HTML, CSV, JSON, e-mail, rich text,
// Word, Excel, PDF, OpenDocument text and source code. Every file has words of its own, from a
// fixed seed, so that the same command writes the same folder everywhere. Command
// mixed reads nothing and installs nothing.
package main
