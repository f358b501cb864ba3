// The one place that knows pdf.js. It loads on first use. A document is drawn and
// its text is read; its scripts, forms, actions, links and attachments are never
// asked for, so that nothing in it can run or lead anywhere.
import {
  AnnotationMode,
  getDocument,
  GlobalWorkerOptions,
  TextLayer,
  VerbosityLevel,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { fold, type Folded } from './fold';
import type { DrawnPage, OutlineEntry, PageSize, PdfFile } from './pages.svelte';

/** The text of a page with the places of its items in it. */
export interface PageText {
  folded: Folded;
  /** Where the text of each item begins. */
  starts: number[];
}

const files = (folder: string) => new URL(`pdf/${folder}/`, document.baseURI).href;
/** Points are 72 to the inch, CSS pixels 96. */
const pixelsPerPoint = 96 / 72;
/** What a canvas may hold, in pixels; more is drawn coarser. */
const largestCanvas = 16_000_000;

/** Opens a document. It is read in ranges, as its pages are asked for. */
export async function openPdf(address: string): Promise<PdfFile> {
  GlobalWorkerOptions.workerSrc = new URL(worker, document.baseURI).href;
  const task = getDocument({
    url: new URL(address, document.baseURI).href,
    cMapUrl: files('cmaps'),
    standardFontDataUrl: files('standard_fonts'),
    iccUrl: files('iccs'),
    wasmUrl: files('wasm'),
    rangeChunkSize: 1 << 18,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    isOffscreenCanvasSupported: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    // A password is never asked for here: the text view has what could be read.
    return await Pdf.of(await task.promise);
  } catch (cause) {
    await task.destroy();
    throw cause;
  }
}

class Pdf implements PdfFile {
  readonly count: number;
  #file: PDFDocumentProxy;
  #labels: string[] | null;
  #texts = new Map<number, Promise<PageText>>();

  private constructor(file: PDFDocumentProxy, labels: string[] | null) {
    this.#file = file;
    this.#labels = labels;
    this.count = file.numPages;
  }

  static async of(file: PDFDocumentProxy): Promise<Pdf> {
    return new Pdf(file, await file.getPageLabels().catch(() => null));
  }

  label(page: number): string {
    return this.#labels?.[page - 1] ?? '';
  }

  async size(page: number): Promise<PageSize> {
    const { width, height } = (await this.#file.getPage(page)).getViewport({ scale: pixelsPerPoint });
    return { width, height };
  }

  async text(page: number): Promise<Folded> {
    return (await this.#text(page)).folded;
  }

  #text(page: number): Promise<PageText> {
    let known = this.#texts.get(page);
    if (!known) {
      known = this.#file.getPage(page).then(readText);
      this.#texts.set(page, known);
      if (this.#texts.size > 2000) this.#texts.delete(this.#texts.keys().next().value ?? 0);
    }
    return known;
  }

  async draw(
    page: number,
    scale: number,
    canvas: HTMLCanvasElement,
    layer: HTMLElement,
    signal: AbortSignal,
  ): Promise<DrawnPage | null> {
    const [proxy, text] = await Promise.all([this.#file.getPage(page), this.#text(page)]);
    if (signal.aborted) return null;
    const viewport = proxy.getViewport({ scale: scale * pixelsPerPoint });
    const wanted = window.devicePixelRatio || 1;
    const fine = Math.min(wanted, Math.sqrt(largestCanvas / (viewport.width * viewport.height)));
    canvas.width = Math.max(1, Math.floor(viewport.width * fine));
    canvas.height = Math.max(1, Math.floor(viewport.height * fine));
    const drawing = proxy.render({
      canvas,
      viewport,
      transform: fine === 1 ? undefined : [fine, 0, 0, fine, 0, 0],
      annotationMode: AnnotationMode.ENABLE,
    });
    const words = new TextLayer({
      textContentSource: await proxy.getTextContent(),
      container: layer,
      viewport,
    });
    signal.addEventListener('abort', () => {
      drawing.cancel();
      words.cancel();
    });
    layer.replaceChildren();
    layer.style.setProperty('--total-scale-factor', String(viewport.scale));
    await Promise.all([drawing.promise, words.render()]);
    if (signal.aborted) return null;
    return {
      folded: text.folded,
      perPoint: viewport.scale,
      range: (span) => rangeOf(words.textDivs, text.starts, span),
    };
  }

  async outline(): Promise<OutlineEntry[]> {
    const out: OutlineEntry[] = [];
    const walk = async (entries: Awaited<ReturnType<PDFDocumentProxy['getOutline']>>, level: number) => {
      for (const entry of entries ?? []) {
        if (out.length >= 1000 || level > 6) return;
        const page = await this.#target(entry.dest).catch(() => 0);
        if (page > 0 && entry.title.trim()) out.push({ title: entry.title.trim(), level, page });
        await walk(entry.items, level + 1);
      }
    };
    await walk(await this.#file.getOutline(), 1);
    return out;
  }

  /** The page that an entry leads to; 0 where it leads out of the document. */
  async #target(dest: string | unknown[] | null): Promise<number> {
    const place = typeof dest === 'string' ? await this.#file.getDestination(dest) : dest;
    const at: unknown = place?.[0];
    if (typeof at === 'number') return at + 1;
    if (typeof at !== 'object' || at === null || !('num' in at)) return 0;
    return (await this.#file.getPageIndex(at as Parameters<PDFDocumentProxy['getPageIndex']>[0])) + 1;
  }

  close(): void {
    void this.#file.loadingTask.destroy();
  }
}

async function readText(page: PDFPageProxy): Promise<PageText> {
  const { items } = await page.getTextContent();
  let whole = '';
  const starts: number[] = [];
  for (const item of items) {
    if (!('str' in item)) continue;
    starts.push(whole.length);
    whole += item.str + (item.hasEOL ? '\n' : '');
  }
  return { folded: fold(whole), starts };
}

/** A part of a page's text as a range over its text layer. */
function rangeOf(
  divs: readonly HTMLElement[],
  starts: readonly number[],
  span: { start: number; end: number },
) {
  const first = itemAt(starts, span.start);
  const last = itemAt(starts, Math.max(span.start, span.end - 1));
  const from = divs[first]?.firstChild;
  const to = divs[last]?.firstChild;
  if (!from || !to) return null;
  const range = document.createRange();
  const within = (node: ChildNode, offset: number) =>
    Math.min(Math.max(0, offset), node.textContent?.length ?? 0);
  range.setStart(from, within(from, span.start - (starts[first] ?? 0)));
  range.setEnd(to, within(to, span.end - (starts[last] ?? 0)));
  return range;
}

function itemAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
