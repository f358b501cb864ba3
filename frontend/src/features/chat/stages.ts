// The stages of a turn as rows of a waterfall. Figures of a finished turn come
// from the program; while it runs, they are told from when its events arrived.
import { m } from '../../paraglide/messages';
import { number } from '../../text/number';
import { reasonText } from './searched';
import type { Turn } from './turn.svelte';

export type StageState = 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** A piece of a bar, in parts of the whole (0 to 1). */
export interface Segment {
  kind: 'work' | 'reading' | 'writing';
  start: number;
  length: number;
}

export interface Stage {
  name: 'prepare' | 'retrieve' | 'rerank' | 'pack' | 'generate' | 'check';
  state: StageState;
  /** Null where it is not known. */
  ms: number | null;
  note: string;
  segments: Segment[];
}

export interface Waterfall {
  stages: Stage[];
  total: number;
  running: boolean;
}

export function waterfall(turn: Turn, now: number): Waterfall {
  return turn.done ? finished(turn) : live(turn, now);
}

function finished(turn: Turn): Waterfall {
  const done = turn.done;
  if (!done) return live(turn, turn.moments.ended);
  const ms = done.latency_ms;
  const written = done.usage.completion_tokens;
  const writing = done.tokens_per_second
    ? Math.min(ms.generate, (written / done.tokens_per_second) * 1000)
    : ms.generate;
  const rows: {
    name: Stage['name'];
    ms: number;
    state: StageState;
    note: string;
    parts?: [number, number];
  }[] = [
    { name: 'prepare', ms: ms.prepare, ...prepareNote(turn) },
    { name: 'retrieve', ms: ms.retrieve, state: 'done', note: foundNote(turn) },
    { name: 'rerank', ms: ms.rerank, ...rerankNote(turn) },
    { name: 'pack', ms: ms.pack, state: 'done', note: packNote(turn) },
    written > 0
      ? {
          name: 'generate',
          ms: ms.generate,
          state: 'done',
          note: m.stage_written({ n: number(written) }),
          parts: [ms.generate - writing, writing],
        }
      : { name: 'generate', ms: ms.generate, state: 'skipped', note: m.stage_skipped() },
    { name: 'check', ms: ms.check, state: 'done', note: checkNote(turn) },
  ];
  const total = ms.total || rows.reduce((sum, row) => sum + row.ms, 0);
  const scale = Math.max(total, 1);
  let at = 0;
  const stages = rows.map((row): Stage => {
    const segments: Segment[] = [];
    if (row.ms > 0 && row.parts) {
      const [reading, writingMs] = row.parts;
      segments.push({ kind: 'reading', start: at / scale, length: reading / scale });
      segments.push({ kind: 'writing', start: (at + reading) / scale, length: writingMs / scale });
    } else if (row.ms > 0) {
      segments.push({ kind: 'work', start: at / scale, length: row.ms / scale });
    }
    at += row.ms;
    return { name: row.name, state: row.state, ms: row.ms, note: row.note, segments };
  });
  return { stages, total, running: false };
}

function live(turn: Turn, now: number): Waterfall {
  const { started, prepared, retrieved, firstToken, ended } = turn.moments;
  const end = ended || Math.max(now, started);
  const total = end - started;
  const scale = Math.max(total, 1);
  const over = turn.failure !== null;
  const span = (kind: Segment['kind'], from: number, to: number): Segment => ({
    kind,
    start: Math.max(0, (from - started) / scale),
    length: Math.max(0, (to - from) / scale),
  });
  const open: StageState = over ? 'failed' : 'running';
  const waiting = (name: Stage['name'], isNext: boolean): Stage => ({
    name,
    state: isNext ? open : 'waiting',
    ms: null,
    note: over ? (isNext ? m.stage_failed() : '') : isNext ? m.stage_running() : m.stage_waiting(),
    segments: [],
  });

  const stages: Stage[] = [];
  const prep = turn.prepared;
  if (prep) {
    const note = prepareNote(turn);
    const to = prepared || end;
    stages.push({ name: 'prepare', ms: prep.latency_ms, ...note, segments: [span('work', started, to)] });
  } else {
    stages.push({ ...waiting('prepare', true), segments: [span('work', started, end)] });
  }
  if (turn.retrieval) {
    // One event tells of all three: their times are known when the turn is done.
    stages.push({
      name: 'retrieve',
      state: 'done',
      ms: retrieved - prepared,
      note: foundNote(turn),
      segments: [span('work', prepared, retrieved)],
    });
    stages.push({ name: 'rerank', ms: null, ...rerankNote(turn), segments: [] });
    stages.push({ name: 'pack', state: 'done', ms: null, note: packNote(turn), segments: [] });
    stages.push({
      name: 'generate',
      state: open,
      ms: end - retrieved,
      note: firstToken ? m.stage_written({ n: number(turn.pieces) }) : m.stage_running(),
      segments: firstToken
        ? [span('reading', retrieved, firstToken), span('writing', firstToken, end)]
        : [span('reading', retrieved, end)],
    });
  } else {
    stages.push(waiting('retrieve', prep !== null && prep.status !== 'failed_stopped'));
    stages.push(waiting('rerank', false), waiting('pack', false), waiting('generate', false));
  }
  stages.push(waiting('check', false));
  return { stages, total, running: !over };
}

function prepareNote(turn: Turn): { state: StageState; note: string } {
  const prep = turn.prepared;
  if (!prep) return { state: 'waiting', note: m.stage_waiting() };
  if (prep.reason) return { state: 'failed', note: reasonText(prep.reason) };
  if (prep.model_calls > 0) {
    return {
      state: 'done',
      note: m.stage_model_calls({ count: prep.model_calls, n: number(prep.model_calls) }),
    };
  }
  return prep.status === 'expanded' || prep.status === 'blended'
    ? { state: 'done', note: '' }
    : { state: 'skipped', note: m.stage_skipped() };
}

function foundNote(turn: Turn): string {
  const hits = turn.retrieval?.hits ?? [];
  return m.stage_found({ n: number(hits.length) });
}

function rerankNote(turn: Turn): { state: StageState; note: string } {
  const judged = (turn.retrieval?.hits ?? []).filter((hit) => hit.trace.rerank).length;
  return judged > 0
    ? { state: 'done', note: m.stage_passages({ count: judged, n: number(judged) }) }
    : { state: 'skipped', note: m.stage_skipped() };
}

function packNote(turn: Turn): string {
  const found = turn.retrieval;
  return found ? m.stage_packed({ n: number(found.packed_tokens), of: number(found.budget_tokens) }) : '';
}

function checkNote(turn: Turn): string {
  const count = turn.done?.answer_check.issues.length ?? 0;
  return count === 0 ? m.stage_no_issue() : m.stage_issues({ count, n: number(count) });
}
