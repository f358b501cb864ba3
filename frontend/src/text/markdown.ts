// Markdown as a small tree of our own. Nothing here is ever HTML: markup in the
// source stays text, links open only http, https and mailto, and images are
// shown by their words and address.
import MarkdownIt, { type StateInline, type Token } from 'markdown-it';
import { visibleControls } from './bidi';

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'strong' | 'emphasis' | 'deleted'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'link'; address: string; children: Inline[] }
  | { type: 'citation'; n: number }
  /** The last word, its citations and the mark after them: one unbreakable run. */
  | { type: 'bound'; children: Inline[] };

export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'code'; language: string; text: string }
  | { type: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { type: 'rule' };

/** A top-level block and the line it starts on. */
export interface PlacedBlock {
  line: number;
  block: Block;
}

// Longer texts than this are shown as they are: parsing must not stall a frame.
const longest = 200_000;

// Blocks may stand this deep within each other.
const deepest = 40;

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: deepest })
  // "[1]: text" is a cited line and "---" under a paragraph a rule, not a definition or a heading.
  .disable(['reference', 'lheading']);
parser.validateLink = (address) => /^(https?:\/\/|mailto:)/i.test(address.trim());
parser.inline.ruler.before('link', 'citation', citationRule);

/** Reads "[1]", "[1, 2]" and "[1][2]" as citations. */
function citationRule(state: StateInline, silent: boolean): boolean {
  const rest = state.src.slice(state.pos, state.pos + 40);
  const match = /^\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\](?!\()/.exec(rest);
  if (!match?.[1]) return false;
  if (!silent) {
    for (const n of match[1].split(/[,;]/)) state.push('citation', '', 0).meta = { n: Number(n) };
  }
  state.pos += match[0].length;
  return true;
}

/** Parses a whole text. */
export function parseMarkdown(source: string): Block[] {
  return parsePlaced(source).map(({ block }) => block);
}

/** Parses a text and tells on which line each top-level block starts. */
export function parsePlaced(source: string): PlacedBlock[] {
  const asWritten: PlacedBlock[] = [{ line: 0, block: { type: 'paragraph', children: [text(source)] } }];
  if (source.length > longest) return asWritten;
  const tokens = parser.parse(source, {});
  // The parser drops what stands deeper than it reads.
  if (tokens.some((token) => /^(blockquote|list_item)_open$/.test(token.type) && token.level >= deepest - 1))
    return asWritten;
  const reader = new TokenReader(tokens);
  const placed: PlacedBlock[] = [];
  while (!reader.atEnd) {
    const line = reader.peek()?.map?.[0] ?? 0;
    for (const block of readBlock(reader)) placed.push({ line, block });
  }
  return placed;
}

class TokenReader {
  #at = 0;
  constructor(readonly tokens: Token[]) {}
  get atEnd(): boolean {
    return this.#at >= this.tokens.length;
  }
  peek(): Token | undefined {
    return this.tokens[this.#at];
  }
  next(): Token | undefined {
    return this.tokens[this.#at++];
  }
}

function readUntil(reader: TokenReader, close: string): Block[] {
  const blocks: Block[] = [];
  while (!reader.atEnd && reader.peek()?.type !== close) blocks.push(...readBlock(reader));
  reader.next();
  return blocks;
}

function readBlock(reader: TokenReader): Block[] {
  const token = reader.next();
  if (!token) return [];
  switch (token.type) {
    case 'paragraph_open':
      return [{ type: 'paragraph', children: readInline(reader, 'paragraph_close') }];
    case 'heading_open':
      return [
        { type: 'heading', level: Number(token.tag.slice(1)), children: readInline(reader, 'heading_close') },
      ];
    case 'bullet_list_open':
    case 'ordered_list_open':
      return [readList(reader, token)];
    case 'blockquote_open':
      return [{ type: 'quote', blocks: readUntil(reader, 'blockquote_close') }];
    case 'fence':
    case 'code_block':
      return [
        {
          type: 'code',
          language: token.info.trim().split(/\s+/)[0] ?? '',
          text: visibleControls(token.content.replace(/\n$/, '')),
        },
      ];
    case 'table_open':
      return [readTable(reader)];
    case 'hr':
      return [{ type: 'rule' }];
    case 'inline':
      return [{ type: 'paragraph', children: inline(token) }];
    default:
      return token.content ? [{ type: 'paragraph', children: [text(token.content)] }] : [];
  }
}

function readInline(reader: TokenReader, close: string): Inline[] {
  const children: Inline[] = [];
  while (!reader.atEnd && reader.peek()?.type !== close) {
    const token = reader.next();
    if (token?.type === 'inline') children.push(...inline(token));
  }
  reader.next();
  return children;
}

function readList(reader: TokenReader, open: Token): Block {
  const ordered = open.type === 'ordered_list_open';
  const close = ordered ? 'ordered_list_close' : 'bullet_list_close';
  const items: Block[][] = [];
  while (!reader.atEnd && reader.peek()?.type !== close) {
    reader.next();
    items.push(readUntil(reader, 'list_item_close'));
  }
  reader.next();
  return { type: 'list', ordered, start: Number(open.attrGet('start') ?? 1), items };
}

function readTable(reader: TokenReader): Block {
  const rows: Inline[][][] = [];
  let head: Inline[][] = [];
  let row: Inline[][] = [];
  for (let token = reader.next(); token && token.type !== 'table_close'; token = reader.next()) {
    if (token.type === 'tr_open') row = [];
    else if (token.type === 'inline') row.push(inline(token));
    else if (token.type === 'tr_close') rows.push(row);
    else if (token.type === 'thead_close') head = rows.shift() ?? [];
  }
  return { type: 'table', head, rows };
}

/** Builds the inline tree of a token and binds citations to their words. */
function inline(token: Token): Inline[] {
  const stack: Inline[][] = [[]];
  const add = (node: Inline) => stack.at(-1)?.push(node);
  const close = (wrap: (children: Inline[]) => Inline) => {
    const children = stack.length > 1 ? (stack.pop() ?? []) : [];
    add(wrap(bindCitations(children)));
  };
  const addresses: string[] = [];
  for (const child of token.children ?? []) {
    switch (child.type) {
      case 'text':
        if (child.content) add(text(child.content));
        break;
      case 'code_inline':
        add({ type: 'code', text: visibleControls(child.content) });
        break;
      case 'softbreak':
        add(text(' '));
        break;
      case 'hardbreak':
        add({ type: 'break' });
        break;
      case 'citation':
        add({ type: 'citation', n: Number(child.meta?.n ?? 0) });
        break;
      case 'image': {
        const address = attribute(child, 'src');
        add(text(child.content ? `${child.content} (${address})` : address));
        break;
      }
      case 'link_open':
        addresses.push(attribute(child, 'href'));
        stack.push([]);
        break;
      case 'link_close': {
        const address = addresses.pop() ?? '';
        close((children) => ({ type: 'link', address, children }));
        break;
      }
      case 'strong_open':
      case 'em_open':
      case 's_open':
        stack.push([]);
        break;
      case 'strong_close':
        close((children) => ({ type: 'strong', children }));
        break;
      case 'em_close':
        close((children) => ({ type: 'emphasis', children }));
        break;
      case 's_close':
        close((children) => ({ type: 'deleted', children }));
        break;
      default:
        if (child.content) add(text(child.content));
    }
  }
  return bindCitations(stack[0] ?? []);
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

function text(content: string): Inline {
  return { type: 'text', text: visibleControls(content) };
}

const wordJoiner = '\u2060';

/** Puts each run of citations together with the word before and the mark after it. */
function bindCitations(nodes: Inline[]): Inline[] {
  const out: Inline[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (!node) continue;
    if (node.type !== 'citation') {
      out.push(node);
      continue;
    }
    const children: Inline[] = [];
    const before = trimEnd(out);
    if (before?.type === 'text') {
      const word = /\S+$/u.exec(before.text)?.[0] ?? '';
      out.pop();
      const rest = before.text.slice(0, before.text.length - word.length);
      if (rest) out.push({ type: 'text', text: rest });
      if (word) children.push({ type: 'text', text: word });
    } else if (before) {
      children.push({ type: 'text', text: wordJoiner });
    }
    children.push(node);
    while (isCitationNext(nodes, i)) {
      const next = nodes[++i];
      if (next?.type === 'citation') children.push(next);
    }
    const after = nodes[i + 1];
    const mark =
      after?.type === 'text' ? /^[.,;:!?)\]»”’"'…。、，；：！？）」]+/u.exec(after.text)?.[0] : undefined;
    if (after?.type === 'text' && mark) {
      children.push({ type: 'text', text: mark });
      nodes[i + 1] = { type: 'text', text: after.text.slice(mark.length) };
    }
    out.push({ type: 'bound', children });
  }
  return out.filter((node) => node.type !== 'text' || node.text !== '');
}

/** Drops blanks before a citation and returns the node that ends the text so far. */
function trimEnd(out: Inline[]): Inline | undefined {
  for (let last = out.at(-1); last?.type === 'text'; last = out.at(-1)) {
    const trimmed = last.text.trimEnd();
    if (trimmed) {
      out[out.length - 1] = { type: 'text', text: trimmed };
      break;
    }
    out.pop();
  }
  return out.at(-1);
}

/** Tells whether another citation follows, blanks aside; blanks are skipped over. */
function isCitationNext(nodes: Inline[], at: number): boolean {
  const next = nodes[at + 1];
  if (next?.type === 'citation') return true;
  if (next?.type === 'text' && next.text.trim() === '' && nodes[at + 2]?.type === 'citation') return true;
  return false;
}
