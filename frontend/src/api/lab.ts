// Measurements: runs, their figures, one run beside another, and the own tests.
export interface EvalProgress {
  set: string;
  engine: string;
  retriever: string;
  done: number;
  total: number;
  per_second: number;
  /** 0 while unknown. */
  remaining_seconds: number;
  /** What is done beside asking; empty: nothing. */
  sentence: string;
}

export interface EvalRun {
  id: string;
  started: string;
  state: 'running' | 'stopped' | 'finished';
  suites: string[];
  engines: string[];
  retrievers: string[];
  questions: number;
  /** Of the person's own tests. */
  personal: boolean;
  progress: EvalProgress | null;
  sentence: string | null;
}

/** One figure. Low and high are a 95 % interval, or the value itself. */
export interface Figure {
  suite: string;
  set: string;
  engine: string;
  retriever: string;
  slice: string;
  metric: string;
  value: number;
  low: number;
  high: number;
  n: number;
}

/** What the rule looked at of one engine; null: not measured. */
export interface Candidate {
  engine: string;
  gap_closed: number | null;
  'recall@5': number | null;
  'ndcg@5': number | null;
  retention: number | null;
  fallback: number | null;
  added_p95_ms: number | null;
  vetoes: string[];
}

export interface Verdict {
  retriever: string;
  questions: number;
  /** Empty: not decided. */
  engine: string;
  sentence: string;
  missing: string[];
  candidates: Candidate[];
}

export interface EvalResult {
  run: EvalRun;
  sets: { suite: string; name: string; passages: number; questions: number }[];
  figures: Figure[];
  verdict: Verdict;
  failures: string[];
  notes: string[];
  models: Record<string, string>;
  machine: string;
  version: string;
}

export interface Difference {
  metric: string;
  before: number;
  after: number;
  change: number;
  low: number;
  high: number;
  n: number;
}

export interface Pair {
  suite: string;
  set: string;
  engine: string;
  retriever: string;
  shared: number;
  only: number;
  better: number;
  worse: number;
  equal: number;
  figures: Difference[];
  changed: {
    query: string;
    metric: string;
    before: number;
    after: number;
    searched_before: string[];
    searched_after: string[];
  }[];
}

export interface EvalComparison {
  before: EvalRun;
  after: EvalRun;
  pairs: Pair[];
  missing: string[];
}

export interface StoredVerdict {
  class: string;
  model: string;
  run: string;
  decided: string;
  verdict: Verdict;
}

/** What a run has decided on the answer mode. */
export interface StoredMode {
  class: string;
  model: string;
  run: string;
  decided: string;
  verdict: {
    mode: string;
    sentence: string;
    questions: number;
    /** What it lacks; with anything in it, it is provisional. */
    missing: string[];
  };
}

export interface TestsState {
  count: number;
  last_run: string | null;
  /** What was changed since it. */
  changes: string[];
  worse: number;
  better: number;
  before: string | null;
  /** The last change made the own tests worse. */
  warning: string | null;
}

export interface LabState {
  /** Of the question sets; empty: not chosen. */
  folder: string;
  runs: EvalRun[];
  suites: { name: string; about: string; lacks: string | null }[];
  presets: string[];
  engines: string[];
  retrievers: string[];
  /** In force. */
  engine: string;
  /** What a new installation uses. */
  shipped: string;
  class: string;
  verdicts: StoredVerdict[];
  /** Of the model that answers. */
  answer_class: string;
  modes: StoredMode[];
  tests: TestsState;
}

export interface OwnTest {
  /** Empty: a new one. */
  id: string;
  question: string;
  history: { role: string; text: string }[];
  kind: string;
  added: string;
  passages: { hash: string; title: string; text: string; right: boolean }[];
  problem: string | null;
}

export interface TestDraft {
  test: OwnTest;
  kinds: string[];
}

/** The part of the program that measures. */
export interface LabBackend {
  labState(): Promise<LabState>;
  /** Begins a preset or suites; without engines and retrievers, those of the preset. It tells of itself by onEvaluation. */
  startEvaluation(suites: string[], engines: string[], retrievers: string[]): Promise<EvalRun>;
  resumeEvaluation(id: string): Promise<EvalRun>;
  stopEvaluation(id: string): Promise<void>;
  evaluation(id: string): Promise<EvalResult>;
  compareEvaluations(before: string, after: string): Promise<EvalComparison>;
  /** Asks where a run goes and writes it; resolves with the path, empty when it was not wanted. */
  saveEvaluation(id: string, against: string, format: 'csv' | 'html'): Promise<string>;
  pickLabFolder(): Promise<LabState>;
  proposeTest(turn: number): Promise<TestDraft>;
  tests(): Promise<OwnTest[]>;
  saveTest(test: OwnTest): Promise<OwnTest>;
  deleteTest(id: string): Promise<void>;
  restoreTest(id: string): Promise<void>;
  runTests(): Promise<EvalRun>;
  onEvaluation(handler: (run: EvalRun) => void): () => void;
}

type Calls = <A extends unknown[], T>(method: string) => (...values: A) => Promise<T>;

/** Binds the calls; the event is bound beside them. */
export function labCalls(calls: Calls): Omit<LabBackend, 'onEvaluation'> {
  return {
    labState: calls('LabState'),
    startEvaluation: calls('StartEvaluation'),
    resumeEvaluation: calls('ResumeEvaluation'),
    stopEvaluation: calls('StopEvaluation'),
    evaluation: calls('Evaluation'),
    compareEvaluations: calls('CompareEvaluations'),
    saveEvaluation: calls('SaveEvaluation'),
    pickLabFolder: calls('PickLabFolder'),
    proposeTest: calls('ProposeTest'),
    tests: calls('Tests'),
    saveTest: calls('SaveTest'),
    deleteTest: calls('DeleteTest'),
    restoreTest: calls('RestoreTest'),
    runTests: calls('RunTests'),
  };
}
