// Where things stand on a page, for the comparison of pictures: the regions
// against a record, every control in light against dark.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const record = fileURLToPath(new URL('layout.txt', import.meta.url));

/**
 * The boxes in CSS pixels. A region is a landmark or a dialog; its name is left
 * out, since texts may change without the layout.
 */
export async function measure(page) {
  return page.evaluate(() => {
    const boxes = (selector) =>
      [...document.querySelectorAll(selector)]
        .filter((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .map((e) => ({ e, box: e.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.height > 1);
    const line = (what, { x, y, width, height }) =>
      `${what} ${[x, y, width, height].map((v) => Math.round(v)).join(' ')}`;
    const role = (e) => e.getAttribute('role') ?? e.localName;
    const regions = boxes(
      'main, nav, aside, header, footer, [role=complementary], [role=contentinfo], [role=dialog]',
    ).map(({ e, box }) => line(role(e), box));
    const controls = boxes('button, input, textarea, select, a[href], [role=slider], h1, h2, h3').map(
      ({ e, box }) => line(`${role(e)} ${(e.ariaLabel ?? e.textContent).trim().slice(0, 40)}`, box),
    );
    const scrolled = (e) => {
      for (let up = e.parentElement; up; up = up.parentElement)
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX)) return true;
      return false;
    };
    const outside = boxes('button, input, textarea, a[href]')
      .filter(({ e, box }) => (box.left < -1 || box.right > innerWidth + 1) && !scrolled(e))
      .map(({ e, box }) => line(`outside: ${(e.ariaLabel ?? e.textContent).trim().slice(0, 40)}`, box));
    if (document.documentElement.scrollWidth > innerWidth) outside.push('the page scrolls sideways');
    return { regions, controls, outside };
  });
}

/** The regions of every view as they were recorded. */
export async function recorded() {
  const views = new Map();
  const text = await readFile(record, 'utf8').catch(() => '');
  for (const part of text.split('\n\n')) {
    const [name, ...lines] = part.trim().split('\n');
    if (name) views.set(name, lines);
  }
  return views;
}

/** Records the regions of the views that were looked at. */
export async function keep(views) {
  const all = await recorded();
  for (const [name, lines] of views) all.set(name, lines);
  const text = [...all]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, lines]) => [name, ...lines].join('\n'));
  await writeFile(record, `${text.join('\n\n')}\n`);
}

/** The differences between two lists of boxes; one pixel more or less is none. */
export function differences(before, after, what) {
  const out = [];
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    if (!same(before[i], after[i]))
      out.push(`${what}: ${before[i] ?? 'nothing'} became ${after[i] ?? 'nothing'}`);
  }
  return out.slice(0, 6);
}

function same(a, b) {
  if (a === undefined || b === undefined) return false;
  const [left, right] = [a, b].map((line) => line.split(' '));
  return (
    left.length === right.length &&
    left.every((part, i) =>
      i >= left.length - 4 ? Math.abs(Number(part) - Number(right[i])) <= 1 : part === right[i],
    )
  );
}
