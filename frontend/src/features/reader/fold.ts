// Text as it is compared when something is looked for in it: small letters
// without accents, one blank for any white space, words that were cut at a line
// end made whole. Every place leads back to the text itself.

export interface Folded {
  text: string;
  /** Where in the source each unit of the text comes from. */
  at: Int32Array;
  source: string;
}

/** A part of a source, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

const plain = new Map<number, string>();

/** One character as it is compared; empty: it counts for nothing. */
function base(point: number): string {
  if (point < 128) {
    if (point >= 65 && point <= 90) return String.fromCharCode(point + 32);
    return point <= 32 ? ' ' : String.fromCharCode(point);
  }
  let known = plain.get(point);
  if (known === undefined) {
    const sign = String.fromCodePoint(point);
    known = /\s/u.test(sign)
      ? ' '
      : sign
          .normalize('NFKD')
          .replace(/[\p{M}\p{Cf}]/gu, '')
          .toLowerCase();
    plain.set(point, known);
  }
  return known;
}

export function fold(source: string): Folded {
  const parts: string[] = [];
  let at = new Int32Array(source.length + 16);
  let length = 0;
  let blank = true; // what was written last; leading blanks count for nothing
  for (let i = 0; i < source.length;) {
    const point = source.codePointAt(i) ?? 0;
    const step = point > 0xffff ? 2 : 1;
    if (point === 45 || point === 0x2010) {
      const cut = /^[-\u2010][ \t]*\n\s*(?=\p{Ll})/u.exec(source.slice(i, i + 40));
      if (cut && !blank) {
        i += cut[0].length;
        continue;
      }
    }
    let sign = base(point);
    if (sign === ' ' && blank) sign = '';
    if (sign) {
      if (length + sign.length > at.length) {
        const wider = new Int32Array(at.length * 2);
        wider.set(at);
        at = wider;
      }
      at.fill(i, length, length + sign.length);
      length += sign.length;
      parts.push(sign);
      blank = sign === ' ';
    }
    i += step;
  }
  return { text: parts.join(''), at: at.subarray(0, length), source };
}

/** The text without blanks and hyphens, which a page and its stored text may set differently. */
export function squeeze(folded: Folded): Folded {
  let text = '';
  const at = new Int32Array(folded.text.length);
  for (let i = 0; i < folded.text.length; i++) {
    const sign = folded.text[i] ?? '';
    if (sign === ' ' || sign === '-') continue;
    at[text.length] = folded.at[i] ?? 0;
    text += sign;
  }
  return { text, at: at.subarray(0, text.length), source: folded.source };
}

/** Where a text that is already folded stands; at most `most` places. */
export function places(hay: Folded, needle: string, most: number): Span[] {
  const out: Span[] = [];
  if (!needle) return out;
  for (
    let i = hay.text.indexOf(needle);
    i >= 0 && out.length < most;
    i = hay.text.indexOf(needle, i + needle.length)
  ) {
    const last = hay.at[i + needle.length - 1] ?? 0;
    out.push({
      start: hay.at[i] ?? 0,
      end: last + ((hay.source.codePointAt(last) ?? 0) > 0xffff ? 2 : 1),
    });
  }
  return out;
}
