import { describe, expect, test } from 'vitest';
import { type Block, type Inline, parseMarkdown } from './markdown';

/** Everything a reader would see, without structure. */
function seen(blocks: Block[]): string {
  const inline = (nodes: Inline[]): string =>
    nodes
      .map((node) => {
        if (node.type === 'citation') return `[${node.n}]`;
        if (node.type === 'break') return '\n';
        return 'children' in node ? inline(node.children) : node.text;
      })
      .join('');
  return blocks
    .map((block) => {
      switch (block.type) {
        case 'paragraph':
        case 'heading':
          return inline(block.children);
        case 'list':
          return block.items.map(seen).join(' ');
        case 'quote':
          return seen(block.blocks);
        case 'code':
          return block.text;
        case 'table':
          return [block.head, ...block.rows].map((row) => row.map(inline).join('|')).join('\n');
        case 'rule':
          return '';
      }
    })
    .join('\n');
}

function addresses(blocks: Block[]): string[] {
  const found: string[] = [];
  JSON.stringify(blocks, (_key, value: { type?: string; address?: string } | null) => {
    if (value && typeof value === 'object' && value.type === 'link' && value.address)
      found.push(value.address);
    return value;
  });
  return found;
}

describe('an attacker’s Markdown is text', () => {
  const sources = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe srcdoc="<script>1</script>"></iframe>',
    '<svg onload=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&#115;cript:alert(1))',
    '[x](vbscript:x)',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](file:///etc/passwd)',
    '[x](//evil.example/a)',
    '[x](wails://wails/api)',
    '<javascript:alert(1)>',
    '![x](data:image/png;base64,AAAA)',
  ];
  test.each(sources)('%s', (source) => {
    const blocks = parseMarkdown(source);
    expect(addresses(blocks)).toEqual([]);
    expect(seen(blocks)).not.toBe('');
  });

  test('markup in the source is shown as it was written', () => {
    expect(seen(parseMarkdown('<script>alert(1)</script>'))).toBe('<script>alert(1)</script>');
    expect(seen(parseMarkdown('**<b onclick=x>hi</b>**'))).toBe('<b onclick=x>hi</b>');
  });

  test('a remote image is its words and its address', () => {
    expect(seen(parseMarkdown('![a chart](https://evil.example/x.png?q=secret)'))).toBe(
      'a chart (https://evil.example/x.png?q=secret)',
    );
  });

  test('only http, https and mailto are links', () => {
    const source =
      '[a](https://a.example) [b](http://b.example) [c](mailto:c@c.example) [d](ftp://d.example)';
    expect(addresses(parseMarkdown(source))).toEqual([
      'https://a.example',
      'http://b.example',
      'mailto:c@c.example',
    ]);
  });

  test('a look-alike host is shown in its plain form', () => {
    expect(addresses(parseMarkdown('[bank](https://b\u0430nk.example)'))[0]).toContain('xn--');
  });

  test('controls that reorder text are spelled out', () => {
    expect(seen(parseMarkdown('invoice\u202Efdp.exe'))).toBe('invoice⟨U+202E⟩fdp.exe');
    expect(seen(parseMarkdown('a&#x202e;b'))).toBe('a⟨U+202E⟩b');
    expect(seen(parseMarkdown('`a\u202eb`'))).toBe('a⟨U+202E⟩b');
  });

  test('thousands of nested lists and quotes end in text', () => {
    expect(() => parseMarkdown('> '.repeat(3000) + 'deep')).not.toThrow();
    expect(() =>
      parseMarkdown(Array.from({ length: 300 }, (_, i) => `${'  '.repeat(i)}- x`).join('\n')),
    ).not.toThrow();
  });

  test('a line of a megabyte is one paragraph', () => {
    const blocks = parseMarkdown('[a](b '.repeat(170_000));
    expect(blocks).toHaveLength(1);
    expect(blocks[0]?.type).toBe('paragraph');
  });
});

describe('citations', () => {
  const nodes = (source: string) => {
    const [block] = parseMarkdown(source);
    return block?.type === 'paragraph' ? block.children : [];
  };

  test('a citation stays with the word before and the mark after it', () => {
    expect(nodes('It is six months [1]. Then more.')).toEqual([
      { type: 'text', text: 'It is six ' },
      {
        type: 'bound',
        children: [
          { type: 'text', text: 'months' },
          { type: 'citation', n: 1 },
          { type: 'text', text: '.' },
        ],
      },
      { type: 'text', text: ' Then more.' },
    ]);
  });

  test.each(['occupation [1][2].', 'occupation [1, 2].', 'occupation [1] [2].', 'occupation [1; 2].'])(
    '%s has two citations in one run',
    (source) => {
      const [bound] = nodes(source);
      expect(bound?.type === 'bound' && bound.children.filter((c) => c.type === 'citation')).toEqual([
        { type: 'citation', n: 1 },
        { type: 'citation', n: 2 },
      ]);
    },
  );

  test('after bold text the citation is held by a joiner', () => {
    expect(nodes('**nine** [3]')[1]).toEqual({
      type: 'bound',
      children: [
        { type: 'text', text: '\u2060' },
        { type: 'citation', n: 3 },
      ],
    });
  });

  test.each(['`[1]`', '[1](https://a.example)', '[12345]', '[a1]'])('%s is no citation', (source) => {
    expect(JSON.stringify(parseMarkdown(source))).not.toContain('citation');
  });

  test('a line that begins with a marker and a colon is text, not a definition', () => {
    expect(seen(parseMarkdown('[1]: the handbook says so'))).toBe('[1]: the handbook says so');
  });
});

test('tables, lists, code and headings keep their structure', () => {
  const source = '# T\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n3. x\n4. y\n   - z\n\n```go\nx := 1\n```';
  expect(parseMarkdown(source)).toEqual([
    { type: 'heading', level: 1, children: [{ type: 'text', text: 'T' }] },
    {
      type: 'table',
      head: [[{ type: 'text', text: 'a' }], [{ type: 'text', text: 'b' }]],
      rows: [[[{ type: 'text', text: '1' }], [{ type: 'strong', children: [{ type: 'text', text: '2' }] }]]],
    },
    {
      type: 'list',
      ordered: true,
      start: 3,
      items: [
        [{ type: 'paragraph', children: [{ type: 'text', text: 'x' }] }],
        [
          { type: 'paragraph', children: [{ type: 'text', text: 'y' }] },
          {
            type: 'list',
            ordered: false,
            start: 1,
            items: [[{ type: 'paragraph', children: [{ type: 'text', text: 'z' }] }]],
          },
        ],
      ],
    },
    { type: 'code', language: 'go', text: 'x := 1' },
  ]);
});
