// Every text for people is in the catalogue, in both languages.
import { expect, test } from 'vitest';
import en from '../messages/en.json';
import it from '../messages/it.json';

type Message = string | { match: Record<string, string> }[];
const catalogues: Record<string, Record<string, Message>> = { en, it };
const sources: Record<string, string> = import.meta.glob('./**/*.{ts,svelte}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const code = Object.entries(sources)
  .filter(([path]) => !path.includes('/paraglide/') && !path.endsWith('.test.ts'))
  .map(([, text]) => text)
  .join('\n');
const keys = Object.keys(en).filter((key) => key !== '$schema');

function texts(message: Message | undefined): string[] {
  if (message === undefined) return [];
  return typeof message === 'string' ? [message] : message.flatMap((variant) => Object.values(variant.match));
}

function inputs(message: Message | undefined): string[] {
  return [...new Set(texts(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
}

test('both languages have the same keys', () => {
  expect(Object.keys(it).sort()).toEqual(Object.keys(en).sort());
});

test.each(keys)('%s has the same values in both languages and says something', (key) => {
  expect(inputs(catalogues['it']?.[key])).toEqual(inputs(catalogues['en']?.[key]));
  for (const language of Object.values(catalogues)) {
    for (const text of texts(language[key])) expect(text.trim()).not.toBe('');
  }
});

test('every text is used, and no text apologises or shouts', () => {
  expect(keys.filter((key) => !new RegExp(`\\bm\\.${key}\\b`).test(code))).toEqual([]);
  const all = Object.values(catalogues).flatMap((c) => keys.flatMap((key) => texts(c[key])));
  expect(all.filter((text) => /!|\bplease\b|\boops\b|\bsorry\b|per favore|\bI am\b/i.test(text))).toEqual([]);
});
