// Package mcp lets assistants use the library over the Model Context Protocol
// (revision 2025-11-25): the tools search, open_passage, list_documents and ask,
// and the documents as resources, over stdio and streamable HTTP.
//
// Every filter of an assistant is hard: what does not match is not found. The
// tools only read. What is restricted does not exist here. An assistant that
// asks gets progress, and its cancel stops the answer.
package mcp
