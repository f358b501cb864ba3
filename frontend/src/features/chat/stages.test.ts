import { expect, test } from 'vitest';
import { failedRewrite, leaseTurns, stoppedRewrite } from '../../../e2e/mock/turns';
import { groupConversations } from './group';
import { waterfall } from './stages';
import { Turn } from './turn.svelte';

test('a finished turn tells its stages from the program’s figures', () => {
  const stored = leaseTurns[1];
  if (!stored) throw new Error('no turn');
  const { stages, total, running } = waterfall(Turn.stored(stored), 0);
  expect([total, running]).toEqual([4821, false]);
  expect(stages.map((s) => [s.name, s.ms, s.state, s.note])).toEqual([
    ['prepare', 286, 'done', '1 model call'],
    ['retrieve', 6, 'done', '50 found'],
    ['rerank', 412, 'done', '4 passages'],
    ['pack', 3, 'done', '850 of 3,000'],
    ['generate', 4110, 'done', '152 written'],
    ['check', 4, 'done', 'no issue'],
  ]);
  // 152 tokens at 41.8 tokens a second took 3636 ms; the rest was reading the prompt.
  const [reading, writing] = stages[4]?.segments ?? [];
  expect(reading?.kind).toBe('reading');
  expect((reading?.length ?? 0) * 4821).toBeCloseTo(474, 0);
  expect((writing?.length ?? 0) * 4821).toBeCloseTo(3636, 0);
});

test('a running turn says what runs and what waits', () => {
  let now = 1000;
  const turn = Turn.ask({ id: 'a', conversation: null, question: 'q' }, () => now);
  expect(waterfall(turn, 1500).stages.map((s) => s.state)).toEqual([
    'running',
    'waiting',
    'waiting',
    'waiting',
    'waiting',
    'waiting',
  ]);
  now = 3000;
  turn.apply(failedRewrite[0]?.events ?? []);
  now = 3400;
  turn.apply(failedRewrite[1]?.events ?? []);
  now = 3700;
  turn.apply(failedRewrite[2]?.events ?? []);
  const { stages, total, running } = waterfall(turn, 4680);
  expect([total, running]).toEqual([3680, true]);
  expect(stages.map((s) => [s.name, s.ms, s.state, s.note])).toEqual([
    ['prepare', 2000, 'failed', 'timeout'],
    ['retrieve', 400, 'done', '49 found'],
    ['rerank', null, 'done', '3 passages'],
    ['pack', null, 'done', '941 of 3,000'],
    ['generate', 1280, 'running', '31 written'],
    ['check', null, 'waiting', 'waiting'],
  ]);
});

test('after a refused rewrite nothing is left running', () => {
  const turn = Turn.ask({ id: 'a', conversation: null, question: 'q' }, () => 5);
  turn.apply(stoppedRewrite[0]?.events ?? []);
  const { stages, running } = waterfall(turn, 900);
  expect(running).toBe(false);
  expect(stages.slice(1).every((s) => s.note === '' && s.ms === null)).toBe(true);
});

test('conversations are grouped by the calendar, pinned ones first', () => {
  const now = new Date(2026, 2, 14, 0, 30);
  const make = (id: number, updated: Date, pinned = false) => ({
    id,
    title: '',
    created: updated.toISOString(),
    updated: updated.toISOString(),
    pinned,
    turns: 1,
  });
  const groups = groupConversations(
    [
      make(1, new Date(2026, 2, 14, 0, 10)),
      make(2, new Date(2026, 2, 13, 23, 50)),
      make(3, new Date(2026, 1, 1)),
      make(4, new Date(2025, 1, 1), true),
      make(5, new Date(2026, 2, 14, 0, 20)),
    ],
    now,
  );
  expect(groups.map((g) => [g.name, g.conversations.map((c) => c.id)])).toEqual([
    ['pinned', [4]],
    ['today', [5, 1]],
    ['yesterday', [2]],
    ['earlier', [3]],
  ]);
});
