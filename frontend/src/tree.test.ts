// Rules about the tree itself, told from its source.
import { describe, expect, test } from 'vitest';
import page from '../index.html?raw';

const sources: [string, string][] = Object.entries(
  import.meta.glob<string>('./**/*.{ts,svelte,css}', { query: '?raw', import: 'default', eager: true }),
).filter(
  ([path]) => !path.includes('/paraglide/') && !path.includes('/wailsjs/') && !path.endsWith('.test.ts'),
);

const imports = (text: string) => [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? '');

describe('layers', () => {
  test.each(sources)('%s', (path, text) => {
    const feature = /^\.\/features\/(\w+)\//.exec(path)?.[1];
    for (const from of imports(text)) {
      if (!path.startsWith('./api/'))
        expect(from, 'only src/api touches generated bindings').not.toMatch(/wailsjs/);
      if (feature) {
        expect(from, 'features never import each other').not.toMatch(/^\.\.\/(?!\.\.\/|$)[a-z]+\//);
        expect(from, 'a feature does not know the shell').not.toMatch(/shell\//);
      }
      if (/^\.\/(api|ui|text)\//.test(path))
        expect(from, 'lower layers know no feature').not.toMatch(/features\//);
    }
    if (!path.startsWith('./api/'))
      expect(text, 'only src/api talks to the host').not.toMatch(/window\.(go|runtime)\b/);
    expect(text, 'no markup from strings').not.toMatch(/\{@html|innerHTML/);
  });
});

test('components use tokens, not colours of their own', () => {
  const own = sources
    .filter(
      ([path, text]) => path.endsWith('.svelte') && /#[0-9a-f]{6}\b/i.test(text.split('<style>')[1] ?? ''),
    )
    .map(([path]) => path);
  expect(own).toEqual([]);
});

test('no file is longer than 400 lines', () => {
  expect(sources.filter(([, text]) => text.split('\n').length > 400).map(([path]) => path)).toEqual([]);
});

test('the page allows nothing but itself', () => {
  const policy = /Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1] ?? '';
  expect(policy.split('; ').sort()).toEqual(
    [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self' blob:",
      "base-uri 'none'",
      "form-action 'none'",
    ].sort(),
  );
  expect(page).not.toMatch(/https?:\/\//);
});
