// The Lab on the stand-in: runs, figures, a comparison and own tests.
import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { connect, type Figure } from '../../api';
import { MockWindow } from '../../../e2e/mock/window';
import { axis, groups, metricsOf, reasons, settle } from './figures';
import { LabModel } from './lab.svelte';

function lab() {
  const mock = new MockWindow();
  const said: string[] = [];
  const model = new LabModel(connect(mock.host()), (sentence) => said.push(sentence));
  model.start();
  return { mock, model, said };
}

const at = (engine: string, slice: string, metric: string, value: number): Figure => ({
  suite: 'S5',
  set: 'canard',
  engine,
  retriever: 'bm25',
  slice,
  metric,
  value,
  low: value - 0.04,
  high: value + 0.04,
  n: 10,
});

test('the engines keep one order in all slices, the whole first', () => {
  const figures = [
    at('simple', 'pronoun', 'recall@5', 0.9),
    at('expand', 'pronoun', 'recall@5', 0.2),
    at('simple', 'all', 'recall@5', 0.5),
    at('expand', 'all', 'recall@5', 0.7),
    at('expand', 'all', 'prepare_p50_ms', 1),
    at('expand', 'all', 'reason_timeout', 0.25),
  ];
  const shown = groups(figures, { set: 'canard', metric: 'recall@5', retriever: 'bm25' });
  expect(shown.map((group) => [group.slice, group.rows.map((row) => row.engine).join()])).toEqual([
    ['all', 'expand,simple'],
    ['pronoun', 'expand,simple'],
  ]);
  expect(metricsOf(figures, 'canard')).toEqual(['recall@5']);
  expect(reasons(figures)).toEqual([{ engine: 'expand', set: 'canard', reason: 'timeout', share: 0.25 }]);
  // 0.16 to 0.94 in steps of 0.2.
  const scale = axis(shown);
  expect([scale.low, scale.high, scale.ticks.length]).toEqual([0, 1, 6]);
});

test('a choice that a run does not have falls back to its first', async () => {
  const { model } = lab();
  await model.load();
  expect(model.choice).toEqual({ set: 'canard', metric: 'ndcg@5', retriever: 'hybrid' });
  expect(model.result && settle(model.result, { set: 'gone', metric: 'recall@5' })).toEqual({
    set: 'canard',
    metric: 'recall@5',
    retriever: 'hybrid',
  });
});

test('the answer mode is the one decided for the model that answers', async () => {
  const { mock, model } = lab();
  await model.load();
  expect(model.mode).toBeNull();
  const decided = (name: string, mode: string) => ({
    class: name,
    model: '',
    run: '',
    decided: '2026-03-14T09:00:00Z',
    verdict: { mode, sentence: '', questions: 80, missing: [] },
  });
  mock.lab = {
    ...mock.lab,
    class: 'tiny',
    answer_class: 'medium',
    modes: [decided('tiny', 'quote'), decided('medium', 'generate')],
  };
  await model.load();
  expect(model.mode?.verdict.mode).toBe('generate');
});

test('a run is begun, followed, told in quarters, and shown when it has ended', async () => {
  const { mock, model, said } = lab();
  await model.load();
  await model.begin(['quick']);
  const run = model.running;
  expect(run?.progress?.done).toBe(204);
  expect(mock.called('StartEvaluation')).toEqual([[['quick'], [], []]]);
  mock.emit('evaluation', { ...run, progress: { ...run?.progress, done: 310 } });
  expect(said.at(-1)).toBe('The run is at 50 %.');
  mock.finishRun(run?.id ?? '');
  await vi.waitFor(() => expect(model.result?.run.id).toBe(run?.id));
  expect(model.running).toBeNull();
  expect(said).toContain('The run has ended.');
});

test('a run that has ended before its begin returns is not under way', async () => {
  const mock = new MockWindow();
  const backend = connect(mock.host());
  const model = new LabModel(
    {
      ...backend,
      startEvaluation: async (suites: string[], engines: string[], retrievers: string[]) => {
        const run = await backend.startEvaluation(suites, engines, retrievers);
        mock.finishRun(run.id);
        return run;
      },
    } as typeof backend,
    vi.fn(),
  );
  model.start();
  await model.begin(['quick']);
  expect(model.running).toBeNull();
});

test('two runs are compared and written', async () => {
  const { mock, model, said } = lab();
  await model.load();
  await model.compare('2026-03-12T101500.000', '2026-03-14T085200.000');
  expect(model.page).toBe('compare');
  await model.save('csv');
  expect(mock.called('SaveEvaluation')).toEqual([['2026-03-14T085200.000', '2026-03-12T101500.000', 'csv']]);
  expect(said.at(-1)).toMatch(/^Written to .*\.csv\.$/);
});

test('a turn becomes a test that can be deleted and brought back', async () => {
  const { mock, model } = lab();
  await model.load();
  await model.propose(7);
  expect(mock.called('ProposeTest')).toEqual([[7]]);
  const draft = model.draft;
  if (!draft) throw new Error('nothing was proposed');
  await model.saveTest(draft);
  expect(model.draft).toBeNull();
  expect(model.tests.map((own) => own.passages.length)).toEqual([1]);
  const [kept] = model.tests;
  if (!kept) throw new Error('nothing was kept');
  await model.deleteTest(kept);
  expect(model.tests).toEqual([]);
  await model.restoreTest();
  flushSync();
  expect(model.tests.map((own) => own.question)).toEqual([draft.question]);
});

test('what the program refuses is said, and the draft stays', async () => {
  const { mock, model, said } = lab();
  mock.failures.set('ProposeTest', { code: 'not_available', message: 'This turn has no passage.' });
  await model.propose(1);
  expect(model.draft).toBeNull();
  expect(said.at(-1)).toBe('This turn has no passage.');
});
