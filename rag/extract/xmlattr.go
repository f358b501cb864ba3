package extract

import "bytes"

// attr gives an attribute of the start tag in hand by its local name; the first
// one wins.
func (x *xmlScanner) attr(local string) []byte {
	for rest := x.attrs; ; {
		var name, value []byte
		if name, value, rest = nextAttr(rest); name == nil {
			return nil
		}
		if _, l := splitName(name); string(l) == local {
			return x.resolve(value)
		}
	}
}

// nextAttr takes one attribute from a tag: with quotation marks, without, or a
// name alone, whose local part is its value. Nil: there is none.
func nextAttr(attrs []byte) (name, value, rest []byte) {
	attrs = skipBlank(attrs)
	if len(attrs) == 0 {
		return nil, nil, nil
	}
	n := 0
	for n < len(attrs) && attrs[n] != '=' && !isBlank(attrs[n]) {
		n++
	}
	name, rest = attrs[:n], skipBlank(attrs[n:])
	if len(rest) == 0 || rest[0] != '=' {
		_, value = splitName(name)
		return name, value, rest
	}
	rest = skipBlank(rest[1:])
	if len(rest) == 0 {
		return name, nil, nil
	}
	if q := rest[0]; q == '"' || q == '\'' {
		if end := bytes.IndexByte(rest[1:], q); end >= 0 {
			return name, rest[1 : 1+end], rest[2+end:]
		}
		return name, rest[1:], nil
	}
	end := bytes.IndexAny(rest, " \t\r\n")
	if end < 0 {
		end = len(rest)
	}
	return name, rest[:end], rest[end:]
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func skipBlank(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	return b
}
