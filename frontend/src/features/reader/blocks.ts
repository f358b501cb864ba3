// The stored text of a document as what it was: headings, paragraphs, tables,
// code with line numbers, the head of a message, and where a page, a slide or a
// message begins. The extractors write the text so that this can be told: blocks
// stand apart by an empty line, rows of a table are lines, cells are set apart by
// " | ", which no cell holds.
import type { Locator, TextPart } from '../../api';
import { pointOffsets } from '../../text/codepoints';
import type { Span } from './fold';

export interface Row {
  cells: Span[];
  /** Its number in the file; null where that is not known. */
  number: number | null;
}

export type Block = Span &
  (
    | { kind: 'place'; locator: Locator }
    | { kind: 'heading'; level: number }
    | { kind: 'paragraph' }
    | { kind: 'fields'; rows: { name: Span; value: Span }[] }
    | { kind: 'code'; lines: (Span & { number: number | null })[] }
    | { kind: 'table'; lettered: boolean; columns: number; head: Row | null; rows: Row[] }
  );

/** Longer pieces of text are shown in parts, so that the page stays quick. */
const longest = 4000;
const longestTable = 100; // rows
const separator = ' | ';

/** A part of the text in UTF-16 units. */
interface Place extends Span {
  heading: string;
  locator: Locator;
}

export function blocks(text: string, kind: string, parts: readonly TextPart[]): Block[] {
  const unit = pointOffsets(text);
  const spots: Place[] = parts.map((part) => ({
    start: unit(part.start),
    end: unit(part.start + part.length),
    heading: part.heading ?? '',
    locator: part.locator,
  }));
  const headings = new Map<string, number>();
  for (const spot of spots) {
    spot.heading.split(' > ').forEach((words, i) => {
      if (words && !headings.has(words)) headings.set(words, i + 1);
    });
  }
  const out: Block[] = [];
  const state = { kind, text, headings, numbers: numbering(text, kind, spots) };
  let at = 0;
  let shown = '';
  for (const raw of pieces(text)) {
    while (at < spots.length && (spots[at]?.end ?? 0) <= raw.start) at++;
    const spot = spots[at];
    if (spot && spot.start < raw.end) {
      const place = placeOf(spot.locator);
      const key = JSON.stringify(place);
      if (place && key !== shown) {
        shown = key;
        out.push({ kind: 'place', start: raw.start, end: raw.start, locator: place });
      }
    }
    add(out, raw, state);
  }
  return out;
}

interface State {
  kind: string;
  text: string;
  headings: Map<string, number>;
  numbers: Map<number, number>;
}

/** The pieces of a text between empty lines. */
function pieces(text: string): Span[] {
  const out: Span[] = [];
  for (const match of text.matchAll(/[^\n](?:[^\n]|\n(?!\n))*/g)) {
    out.push({ start: match.index, end: match.index + match[0].replace(/\n+$/, '').length });
  }
  return out;
}

/** The coarse place that stands above what follows; null: the kind has none. */
function placeOf({ page, page_label, slide, message, part, cell_index }: Locator): Locator | null {
  if (page) return page_label ? { page, page_label } : { page };
  if (slide) return { slide };
  if (message) return part ? { message, part } : { message };
  if (cell_index) return { cell_index };
  return null;
}

const spreadsheets = ['xlsx', 'ods'];

function add(out: Block[], span: Span, state: State): void {
  const { text, kind, headings } = state;
  const words = text.slice(span.start, span.end);
  const level = words.length < 400 ? headings.get(words.replace(/\s+/g, ' ').trim()) : undefined;
  const lines = lineSpans(text, span);
  if (level !== undefined) {
    out.push({ kind: 'heading', level: Math.min(6, level), ...span });
    return;
  }
  if (kind === 'email' && lines.every((line) => field.test(text.slice(line.start, line.end)))) {
    const rows = lines.map((line) => {
      const colon = text.indexOf(':', line.start);
      return { name: { start: line.start, end: colon }, value: { start: colon + 2, end: line.end } };
    });
    out.push({ kind: 'fields', rows, ...span });
    return;
  }
  if (isTable(text, kind, lines)) {
    addTable(out, span, lines, state);
    return;
  }
  if (kind === 'code' || kind === 'json' || (kind === 'notebook' && !isProse(words))) {
    addCode(out, span, lines, state);
    return;
  }
  for (const piece of shorten(text, span)) out.push({ kind: 'paragraph', ...piece });
}

const field = /^(From|To|Cc|Date): \S/;

function lineSpans(text: string, { start, end }: Span): Span[] {
  const out: Span[] = [];
  for (let from = start; from <= end;) {
    const next = text.indexOf('\n', from);
    const to = next < 0 || next > end ? end : next;
    out.push({ start: from, end: to });
    from = to + 1;
  }
  return out;
}

/** A table has rows of cells; in a file that is a table, every line is one. */
function isTable(text: string, kind: string, lines: readonly Span[]): boolean {
  if (kind === 'code' || kind === 'json' || kind === 'notebook') return false;
  const rows = lines.filter((line) => text.slice(line.start, line.end).includes(separator)).length;
  if (kind === 'csv') return true;
  if (spreadsheets.includes(kind)) return rows > 0 || lines.length > 1;
  return lines.length > 1 && rows * 5 >= lines.length * 3;
}

function addTable(out: Block[], span: Span, lines: readonly Span[], { kind, text, numbers }: State): void {
  const rows: Row[] = lines.map((line) => ({
    cells: cellSpans(text, line),
    number: numbers.get(line.start) ?? null,
  }));
  const lettered = spreadsheets.includes(kind);
  const columns = Math.max(...rows.map((row) => row.cells.length));
  const last = out.at(-1);
  const goesOn = lettered || kind === 'csv';
  if (goesOn && last?.kind === 'table') {
    if (last.rows.length + rows.length <= longestTable) {
      last.rows.push(...rows);
      last.end = span.end;
      last.columns = Math.max(last.columns, columns);
    } else out.push({ kind: 'table', lettered, columns, head: null, rows, ...span });
    return;
  }
  const first = rows[0];
  const head = first && rows.length > 1 && isHead(text, first) ? first : null;
  out.push({ kind: 'table', lettered, columns, head, rows: head ? rows.slice(1) : rows, ...span });
}

function cellSpans(text: string, { start, end }: Span): Span[] {
  const out: Span[] = [];
  for (let from = start; ;) {
    const next = text.indexOf(separator, from);
    if (next < 0 || next >= end) {
      out.push({ start: Math.min(from, end), end });
      return out;
    }
    out.push({ start: from, end: next });
    from = next + separator.length;
  }
}

/** A row of names: at least two cells that say something, none of them a number. */
function isHead(text: string, row: Row): boolean {
  const filled = row.cells.map((cell) => text.slice(cell.start, cell.end)).filter((words) => words.trim());
  return filled.length > 1 && filled.every((words) => /\p{L}/u.test(words));
}

function addCode(out: Block[], span: Span, lines: readonly Span[], { text, kind, numbers }: State): void {
  const last = out.at(-1);
  let number: number | null = kind === 'notebook' ? 1 : null;
  if (kind === 'notebook' && last?.kind === 'code') {
    const before = last.lines.at(-1)?.number;
    if (before) number = before + (text.slice(last.end, span.start).match(/\n/g) ?? []).length;
  }
  const numbered = lines.flatMap((line) => {
    const own = numbers.get(line.start) ?? number;
    if (number !== null) number++;
    return shorten(text, line).map((piece, i) => ({ ...piece, number: i === 0 ? own : null }));
  });
  for (let from = 0; from < numbered.length; from += longestTable) {
    const some = numbered.slice(from, from + longestTable);
    const start = some[0]?.start ?? span.start;
    out.push({ kind: 'code', lines: some, start, end: some.at(-1)?.end ?? span.end });
  }
}

/** Text in a notebook that is no code: a sentence, or a line without signs of a program. */
function isProse(words: string): boolean {
  return (
    !/[=;{}[\]<>]|\w\(|^\s*(import|from|def|class|for|if|print)\b/m.test(words) && /\p{L}{2}/u.test(words)
  );
}

/** Cuts what is too long at a blank where there is one. */
function shorten(text: string, { start, end }: Span): Span[] {
  const out: Span[] = [];
  let from = start;
  while (end - from > longest) {
    const blank = text.lastIndexOf(' ', from + longest - 1);
    let to = blank > from + longest / 2 ? blank + 1 : from + longest;
    if (/[\udc00-\udfff]/.test(text[to] ?? '')) to--;
    out.push({ start: from, end: to });
    from = to;
  }
  out.push({ start: from, end });
  return out;
}

/**
 * The number of a line or row in its file, by where it starts in the text. It is
 * known only where a part has as many lines as its place says.
 */
function numbering(text: string, kind: string, spots: readonly Place[]): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const { start, end, locator } of spots) {
    const rows = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(locator.cell ?? '');
    const [from, to] = rows ? [Number(rows[1]), Number(rows[2])] : [locator.line_from, locator.line_to];
    if (!from || !to) continue;
    let lines = lineSpans(text, { start, end });
    if (kind !== 'code') lines = lines.filter((line) => line.end > line.start);
    if (rows) lines = lines.filter((line) => text.slice(line.start, line.end).includes(separator));
    if (lines.length === to - from + 1) lines.forEach((line, i) => numbers.set(line.start, from + i));
    else if (lines[0] && kind === 'code') numbers.set(lines[0].start, from);
  }
  return numbers;
}

/** The name of a column, from 0: A, B, … AA. */
export function columnName(index: number): string {
  let name = '';
  for (let n = index + 1; n > 0; n = Math.floor((n - 1) / 26)) {
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  }
  return name;
}
