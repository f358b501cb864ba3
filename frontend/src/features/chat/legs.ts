// The legs of a search in the order they are shown.
import type { Leg, Trace } from '../../api';
import { m } from '../../paraglide/messages';

export interface LegColumn {
  name: keyof Trace;
  label: string;
  /** The name within a line. */
  short: string;
  leg: Leg | null;
  /** Decimals of its score. */
  decimals: number;
}

/** The columns of the score table; the rerank leg only where a model judged. */
export function legs(trace: Trace, reranked: boolean): LegColumn[] {
  const all: LegColumn[] = [
    { name: 'bm25', label: m.leg_bm25(), short: m.leg_bm25(), leg: trace.bm25, decimals: 1 },
    { name: 'dense', label: m.leg_dense(), short: m.leg_in_line_dense(), leg: trace.dense, decimals: 2 },
    { name: 'fused', label: m.leg_fused(), short: m.leg_in_line_fused(), leg: trace.fused, decimals: 3 },
    { name: 'rerank', label: m.leg_rerank(), short: m.leg_in_line_rerank(), leg: trace.rerank, decimals: 2 },
  ];
  return reranked ? all : all.filter((leg) => leg.name !== 'rerank');
}
