// Measurements: two runs, one of them shown, and the own tests. A new run is at a
// third until finishRun ends it.
import type {
  EvalComparison,
  EvalResult,
  EvalRun,
  Figure,
  LabState,
  OwnTest,
  TestDraft,
} from '../../src/api';
import { MockUpkeep } from './upkeep';

const engines = { condense_context: 0.728, expand: 0.601, blend: 0.588, simple: 0.512 };
const slices: [string, number, number][] = [
  ['all', 612, 0],
  ['pronoun', 238, 0.013],
  ['elliptical', 211, -0.04],
  ['topic_shift', 163, 0.06],
];

function row(id: string, days: number, change: Partial<EvalRun> = {}): EvalRun {
  return {
    id,
    started: new Date(Date.now() - days * 86_400_000).toISOString(),
    state: 'finished',
    suites: ['S4', 'S5', 'S6'],
    engines: Object.keys(engines),
    retrievers: ['hybrid', 'bm25'],
    questions: 612,
    personal: false,
    progress: null,
    sentence: null,
    ...change,
  };
}

function figures(): Figure[] {
  const at = (
    engine: string,
    slice: string,
    metric: string,
    value: number,
    half: number,
    n: number,
  ): Figure => ({
    suite: 'S5',
    set: 'canard',
    engine,
    retriever: 'hybrid',
    slice,
    metric,
    value,
    low: value - half,
    high: value + half,
    n,
  });
  return slices.flatMap(([slice, n, shift]) =>
    Object.entries(engines).flatMap(([engine, value], i) => [
      at(engine, slice, 'recall@5', value + shift, 0.03 + i * 0.004, n),
      at(engine, slice, 'ndcg@5', value + shift - 0.08, 0.03, n),
      at(engine, slice, 'prepare_p50_ms', [271, 1, 9, 0][i] ?? 0, 0, n),
      at(engine, slice, 'prepare_p95_ms', [412, 1, 14, 0][i] ?? 0, 0, n),
      ...(i === 0
        ? [at(engine, slice, 'fallback', 0.018, 0, n), at(engine, slice, 'reason_timeout', 0.018, 0, n)]
        : []),
    ]),
  );
}

function result(run: EvalRun): EvalResult {
  const candidate = (engine: string, closed: number, vetoes: string[] = []) => ({
    engine,
    gap_closed: closed,
    'recall@5': engines[engine as keyof typeof engines],
    'ndcg@5': null,
    retention: 0.99,
    fallback: null,
    added_p95_ms: 0,
    vetoes,
  });
  return {
    run,
    sets: [{ suite: 'S5', name: 'canard', passages: 5000, questions: 612 }],
    figures: figures(),
    verdict: {
      retriever: 'hybrid',
      questions: 612,
      engine: 'condense_context',
      sentence: 'condense_context is chosen: it closes 78 % of the gap, and no cheaper engine comes near.',
      missing: [],
      candidates: [
        candidate('simple', 0),
        candidate('expand', 0.32),
        candidate('blend', 0.28, ['keeps 91.0 % of what simple finds after a topic shift, less than 95 %']),
        candidate('condense_context', 0.78),
      ],
    },
    failures: [],
    notes: [],
    models: {},
    machine: 'linux/amd64, 2 processors',
    version: '0.1.0',
  };
}

export class MockMeasure extends MockUpkeep {
  lab: LabState = {
    folder: '/home/ada/question sets',
    runs: [row('2026-03-14T085200.000', 0), row('2026-03-12T101500.000', 2)],
    suites: [
      { name: 'S0', about: 'facts of the sample library, by kind of follow-up', lacks: null },
      { name: 'S5', about: 'follow-ups that need the conversation', lacks: null },
      {
        name: 'S1',
        about: 'scientific claims: the search engine alone',
        lacks: '/home/ada/question sets/scifact',
      },
    ],
    presets: ['quick', 'standard', 'full'],
    engines: Object.keys(engines),
    retrievers: ['bm25', 'hybrid'],
    engine: 'simple',
    shipped: 'simple',
    class: 'small',
    verdicts: [],
    answer_class: 'small',
    modes: [],
    tests: { count: 0, last_run: null, changes: [], worse: 0, better: 0, before: null, warning: null },
  };
  ownTests: OwnTest[] = [];
  #deleted: OwnTest[] = [];

  LabState(): LabState {
    return this.lab;
  }

  Evaluation(id: string): EvalResult {
    return result(this.lab.runs.find((run) => run.id === id) ?? row(id, 0));
  }

  StartEvaluation(suites: string[]): EvalRun {
    const progress = {
      set: 'canard',
      engine: 'expand',
      retriever: 'hybrid',
      done: 204,
      total: 612,
      per_second: 3.4,
      remaining_seconds: 120,
      sentence: '',
    };
    const run = row('2026-03-15T120000.000', 0, { state: 'running', suites, questions: 0, progress });
    this.lab = { ...this.lab, runs: [run, ...this.lab.runs] };
    return run;
  }

  RunTests(): EvalRun {
    return this.StartEvaluation(['own']);
  }

  ResumeEvaluation(id: string): EvalRun {
    return row(id, 0, { state: 'running' });
  }

  StopEvaluation(id: string): void {
    this.finishRun(id, { state: 'stopped', sentence: 'Stopped. What was measured is kept.' });
  }

  /** Ends a run that was begun. */
  finishRun(id: string, change: Partial<EvalRun> = {}): void {
    const runs = this.lab.runs.map((run) =>
      run.id === id ? { ...run, state: 'finished' as const, progress: null, questions: 612, ...change } : run,
    );
    this.lab = { ...this.lab, runs };
    this.emit(
      'evaluation',
      runs.find((run) => run.id === id),
    );
  }

  CompareEvaluations(before: string, after: string): EvalComparison {
    const changed = {
      query: 'Q-17',
      metric: 'ndcg@5',
      before: 1,
      after: 0.43,
      searched_before: ['what did he sign?'],
      searched_after: ['what did the mayor sign?'],
    };
    return {
      before: this.Evaluation(before).run,
      after: this.Evaluation(after).run,
      pairs: [
        {
          suite: 'S5',
          set: 'canard',
          engine: 'expand',
          retriever: 'hybrid',
          shared: 612,
          only: 0,
          better: 74,
          worse: 31,
          equal: 507,
          figures: [
            {
              metric: 'recall@5',
              before: 0.553,
              after: 0.601,
              change: 0.048,
              low: 0.021,
              high: 0.075,
              n: 612,
            },
            {
              metric: 'ndcg@5',
              before: 0.489,
              after: 0.521,
              change: 0.032,
              low: -0.002,
              high: 0.066,
              n: 612,
            },
          ],
          changed: [changed],
        },
      ],
      missing: [],
    };
  }

  SaveEvaluation(id: string, _against: string, format: string): string {
    return `/home/ada/referent-${id}.${format}`;
  }

  PickLabFolder(): LabState {
    return this.lab;
  }

  ProposeTest(): TestDraft {
    return {
      test: {
        id: '',
        question: 'And how long is it for tenants over 65?',
        history: [{ role: 'user', text: "What is the landlord's notice period?" }],
        kind: 'pronoun',
        added: '',
        passages: [
          {
            hash: 'a',
            title: 'Residential tenancy handbook 2025',
            text: 'For tenants over 65 the period is extended by three months.',
            right: true,
          },
          { hash: 'b', title: 'House rules', text: 'Quiet hours begin at ten in the evening.', right: false },
        ],
        problem: null,
      },
      kinds: ['', 'pronoun', 'elliptical', 'topic_shift', 'comparison', 'correction'],
    };
  }

  Tests(): OwnTest[] {
    return this.ownTests;
  }

  SaveTest(test: OwnTest): OwnTest {
    const kept = {
      ...test,
      id: test.id || `test-${this.ownTests.length + 1}`,
      passages: test.passages.filter((passage) => passage.right),
    };
    this.#tests([...this.ownTests.filter((other) => other.id !== kept.id), kept]);
    return kept;
  }

  DeleteTest(id: string): void {
    this.#deleted.push(...this.ownTests.filter((test) => test.id === id));
    this.#tests(this.ownTests.filter((test) => test.id !== id));
  }

  RestoreTest(id: string): void {
    this.#tests([...this.ownTests, ...this.#deleted.filter((test) => test.id === id)]);
  }

  #tests(tests: OwnTest[]): void {
    this.ownTests = tests;
    this.lab = { ...this.lab, tests: { ...this.lab.tests, count: tests.length } };
  }
}
