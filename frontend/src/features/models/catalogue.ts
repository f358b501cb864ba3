// Which models of the catalogue are listed, and in which order.
import type { CatalogueEntry } from '../../api';

export type CatalogueSort = 'fits' | 'name' | 'size';

const ranks: Record<CatalogueEntry['class'], number> = { gpu: 0, split: 1, cpu: 2, too_large: 3 };

/** Entries in which every word occurs. By fit: what runs best here first, of those the largest. */
export function listed(
  entries: readonly CatalogueEntry[],
  search: string,
  role: string,
  sort: CatalogueSort,
): CatalogueEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter((entry) => {
    const text = [entry.name, entry.id, entry.licence, ...entry.roles].join(' ').toLowerCase();
    return (role === '' || entry.roles.includes(role)) && words.every((word) => text.includes(word));
  });
  const by: Record<CatalogueSort, (a: CatalogueEntry, b: CatalogueEntry) => number> = {
    fits: (a, b) => ranks[a.class] - ranks[b.class] || b.size_bytes - a.size_bytes,
    name: (a, b) => a.name.localeCompare(b.name),
    size: (a, b) => a.size_bytes - b.size_bytes,
  };
  return found.sort(by[sort]);
}
