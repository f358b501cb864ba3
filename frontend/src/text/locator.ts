// Where in a document a passage stands, in words.
import type { Locator } from '../api';
import { m } from '../paraglide/messages';
import { number } from './number';

/** "page 84", "lines 220 to 236", "slide 3"; empty for the document as a whole. */
export function locatorText(at: Locator): string {
  if (at.page) {
    if (at.page_to && at.page_to > at.page)
      return m.at_pages({ from: number(at.page), to: number(at.page_to) });
    const page = m.at_page({ n: number(at.page) });
    return at.page_label && at.page_label !== String(at.page)
      ? m.at_page_printed({ page, label: at.page_label })
      : page;
  }
  if (at.slide) return m.at_slide({ n: number(at.slide) });
  if (at.sheet)
    return at.cell ? m.at_cell({ sheet: at.sheet, cell: at.cell }) : m.at_sheet({ sheet: at.sheet });
  if (at.line_from) {
    return at.line_to && at.line_to > at.line_from
      ? m.at_lines({ from: number(at.line_from), to: number(at.line_to) })
      : m.at_line({ n: number(at.line_from) });
  }
  if (at.section) return at.section;
  if (at.paragraph) return m.at_paragraph({ n: number(at.paragraph) });
  if (at.message) return m.at_message({ id: at.part ? `${at.message}, ${at.part}` : at.message });
  if (at.cell_index) return m.at_notebook_cell({ n: number(at.cell_index) });
  return at.pointer ?? '';
}
