// Package neutral makes the text of others harmless inside a prompt: template
// braces, control tokens, think tags, role tags and citation markers in a
// document or an old message lose their form and keep their words.
//
// A text without any of them passes through byte for byte, so that its stored
// token count stays true. The person's own question is never neutralised: it is
// answered byte for byte.
package neutral
