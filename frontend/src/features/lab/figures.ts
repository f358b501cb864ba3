// What a run shows of one set: a row an engine, a group a slice, an axis for all.
import type { EvalResult, Figure } from '../../api';

/** What a plot and its table show. */
export interface Choice {
  set: string;
  metric: string;
  retriever: string;
}

export interface EngineRow {
  engine: string;
  figure: Figure;
}

export interface SliceGroup {
  slice: string;
  questions: number;
  rows: EngineRow[];
}

/** Figures that are no quality: counts and times have places of their own. */
const besides = ['fallback', 'better', 'worse', 'equal', 'model_calls'];

export function isQuality(metric: string): boolean {
  return !besides.includes(metric) && !/_ms$|^reason_/.test(metric);
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}

export const setsOf = (figures: Figure[]): string[] => unique(figures.map((f) => f.set));

/** The figures of a set that can be plotted, the main one of its suite first. */
export function metricsOf(figures: Figure[], set: string): string[] {
  const all = unique(figures.filter((f) => f.set === set && isQuality(f.metric)).map((f) => f.metric));
  const main = ['ndcg@10', 'ndcg@5', 'recall@5', 'recall@1', 'token_f1'].find((name) => all.includes(name));
  return main ? [main, ...all.filter((name) => name !== main)] : all;
}

export function retrieversOf(figures: Figure[], set: string): string[] {
  return unique(figures.filter((f) => f.set === set).map((f) => f.retriever));
}

/** Keeps what is chosen where the run has it, else takes the first. */
export function settle(result: EvalResult, wanted: Partial<Choice>): Choice {
  const pick = (value: string | undefined, of: string[]) =>
    value && of.includes(value) ? value : (of[0] ?? '');
  const { figures } = result;
  const set = pick(wanted.set, setsOf(figures));
  const retrievers = retrieversOf(figures, set);
  const judged = retrievers.includes(result.verdict.retriever) ? result.verdict.retriever : undefined;
  return {
    set,
    metric: pick(wanted.metric, metricsOf(figures, set)),
    retriever: pick(wanted.retriever ?? judged, retrievers),
  };
}

/** The slices of a set, the whole first, each with the engines in one order: best on the whole first. */
export function groups(figures: Figure[], choice: Choice): SliceGroup[] {
  const chosen = figures.filter(
    (f) => f.set === choice.set && f.metric === choice.metric && f.retriever === choice.retriever,
  );
  const slices = unique(['all', ...chosen.map((f) => f.slice)]);
  const order = chosen
    .filter((f) => f.slice === 'all')
    .sort((a, b) => b.value - a.value)
    .map((f) => f.engine);
  return slices
    .map((slice) => {
      const rows = order.flatMap((engine) => {
        const figure = chosen.find((f) => f.slice === slice && f.engine === engine);
        return figure ? [{ engine, figure }] : [];
      });
      return { slice, questions: Math.max(0, ...rows.map((row) => row.figure.n)), rows };
    })
    .filter((group) => group.rows.length > 0);
}

/** Another figure of an engine on a whole set. */
export function beside(
  figures: Figure[],
  choice: Choice,
  engine: string,
  metric: string,
): Figure | undefined {
  return figures.find(
    (f) =>
      f.set === choice.set &&
      f.retriever === choice.retriever &&
      f.engine === engine &&
      f.slice === 'all' &&
      f.metric === metric,
  );
}

/** Why rewrites could not be used: shares of those that were tried, on whole sets. */
export function reasons(figures: Figure[]): { engine: string; set: string; reason: string; share: number }[] {
  return figures
    .filter((f) => f.slice === 'all' && f.metric.startsWith('reason_') && f.value > 0)
    .map((f) => ({ engine: f.engine, set: f.set, reason: f.metric.slice('reason_'.length), share: f.value }));
}

export interface Axis {
  low: number;
  high: number;
  ticks: number[];
}

/** An axis in about five steps of 1, 2 or 5 times a power of ten, around all ends of intervals. */
export function axis(all: SliceGroup[]): Axis {
  const figures = all.flatMap((group) => group.rows.map((row) => row.figure));
  const least = Math.min(...figures.map((f) => f.low));
  const most = Math.max(...figures.map((f) => f.high));
  const span = most - least;
  const power = 10 ** Math.floor(Math.log10(Math.max(span, 1e-9) / 5));
  const step = span > 0 ? ([1, 2, 5, 10].find((n) => span / 5 <= n * power) ?? 10) * power : 0.1;
  const low = Math.floor(least / step + 1e-9) * step;
  const high = Math.max(Math.ceil(most / step - 1e-9) * step, low + step);
  const count = Math.round((high - low) / step);
  return { low, high, ticks: Array.from({ length: count + 1 }, (_, i) => low + i * step) };
}
