// Measurements: the runs, the one that is shown, the one under way, and the
// person's own tests.
import {
  type Backend,
  type EvalComparison,
  type EvalResult,
  type EvalRun,
  type LabState,
  type OwnTest,
  toApiError,
} from '../../api';
import { m } from '../../paraglide/messages';
import { number } from '../../text/number';
import { type Choice, settle } from './figures';

export type LabPage = 'run' | 'new' | 'compare' | 'tests';

export class LabModel {
  state = $state.raw<LabState | null>(null);
  result = $state.raw<EvalResult | null>(null);
  comparison = $state.raw<EvalComparison | null>(null);
  tests = $state.raw<OwnTest[]>([]);
  /** The run under way. */
  running = $state.raw<EvalRun | null>(null);
  page = $state<LabPage>('run');
  problem = $state<string | null>(null);
  /** A test that is being written or changed, and the kinds that there are. */
  draft = $state.raw<OwnTest | null>(null);
  kinds = $state.raw<string[]>([]);
  /** The test that was deleted last and can come back. */
  deleted = $state.raw<OwnTest | null>(null);
  #wanted = $state.raw<Partial<Choice>>({});

  #backend: Backend;
  #announce: (sentence: string) => void;
  #told = 0;
  /** The run that has ended last: its end may be told before its begin has returned. */
  #ended: string | null = null;

  constructor(backend: Backend, announce: (sentence: string) => void) {
    this.#backend = backend;
    this.#announce = announce;
  }

  /** Follows measurements under way; the result ends it. */
  start(): () => void {
    return this.#backend.onEvaluation((run) => this.#follow(run));
  }

  /** What the plot and the table show. */
  get choice(): Choice | null {
    return this.result && settle(this.result, this.#wanted);
  }

  choose(change: Partial<Choice>): void {
    this.#wanted = { ...this.#wanted, ...change };
  }

  /** A verdict of this person's for the models in use. */
  get verdict() {
    const { state } = this;
    return state?.verdicts.find((v) => v.class === state.class) ?? null;
  }

  /** The answer mode that was decided for the model in use. */
  get mode() {
    const { state } = this;
    return state?.modes.find((stored) => stored.class === state.answer_class) ?? null;
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      const state = await this.#backend.labState();
      this.state = state;
      this.running = state.runs.find((run) => run.state === 'running' && run.id !== this.#ended) ?? null;
      const first = state.runs[0];
      if (!this.result && first && this.page === 'run') await this.#show(first.id);
      if (this.page === 'tests') this.tests = await this.#backend.tests();
    });
  }

  /** Asks anew for what is shown, after the language has changed. */
  async sayAgain(): Promise<void> {
    if (!this.state) return;
    await this.load();
    const { result } = this;
    if (result) await this.#try(() => this.#show(result.run.id));
  }

  async open(id: string): Promise<void> {
    this.page = 'run';
    await this.#try(() => this.#show(id));
  }

  async compare(before: string, after: string): Promise<void> {
    await this.#try(async () => {
      this.comparison = await this.#backend.compareEvaluations(before, after);
      this.page = 'compare';
    });
  }

  async begin(suites: string[], engines: string[] = [], retrievers: string[] = []): Promise<void> {
    await this.#follows(() => this.#backend.startEvaluation(suites, engines, retrievers));
  }

  async resume(id: string): Promise<void> {
    await this.#follows(() => this.#backend.resumeEvaluation(id));
  }

  async runTests(): Promise<void> {
    await this.#follows(() => this.#backend.runTests());
  }

  async stop(): Promise<void> {
    const { running } = this;
    if (running) await this.#try(() => this.#backend.stopEvaluation(running.id));
  }

  /** Writes the run that is shown, or the comparison. */
  async save(format: 'csv' | 'html'): Promise<void> {
    const pair = this.page === 'compare' ? this.comparison : null;
    const id = pair?.after.id ?? this.result?.run.id;
    if (!id) return;
    await this.#try(async () => {
      const path = await this.#backend.saveEvaluation(id, pair?.before.id ?? '', format);
      if (path) this.#announce(m.lab_saved({ path }));
    });
  }

  async pickFolder(): Promise<void> {
    await this.#try(async () => {
      this.state = await this.#backend.pickLabFolder();
    });
  }

  async use(engine: string): Promise<void> {
    await this.#try(async () => {
      await this.#backend.setSetting('chat.engine', engine);
      this.state = await this.#backend.labState();
    });
  }

  async showTests(): Promise<void> {
    this.page = 'tests';
    await this.#try(async () => {
      this.tests = await this.#backend.tests();
    });
  }

  /** Makes a test of a turn and opens it. */
  async propose(turn: number): Promise<void> {
    try {
      const { test, kinds } = await this.#backend.proposeTest(turn);
      this.kinds = kinds;
      this.draft = test;
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
      this.#announce(this.problem);
    }
  }

  edit(test: OwnTest): void {
    this.kinds = ['', 'pronoun', 'elliptical', 'topic_shift', 'comparison', 'correction'];
    this.draft = test;
  }

  async saveTest(test: OwnTest): Promise<void> {
    await this.#try(async () => {
      await this.#backend.saveTest(test);
      this.draft = null;
      this.#announce(m.test_saved());
      await this.#refresh();
    });
  }

  async deleteTest(test: OwnTest): Promise<void> {
    await this.#try(async () => {
      await this.#backend.deleteTest(test.id);
      this.deleted = test;
      this.#announce(m.test_deleted());
      await this.#refresh();
    });
  }

  async restoreTest(): Promise<void> {
    const { deleted } = this;
    if (!deleted) return;
    await this.#try(async () => {
      await this.#backend.restoreTest(deleted.id);
      this.deleted = null;
      await this.#refresh();
    });
  }

  async #show(id: string): Promise<void> {
    this.result = await this.#backend.evaluation(id);
  }

  async #refresh(): Promise<void> {
    this.tests = await this.#backend.tests();
    this.state = await this.#backend.labState();
  }

  async #follows(begin: () => Promise<EvalRun>): Promise<void> {
    await this.#try(async () => {
      this.#ended = null;
      this.#told = 0;
      const run = await begin();
      if (run.id === this.#ended) return;
      this.running = run;
      this.#announce(m.lab_started());
    });
  }

  #follow(run: EvalRun): void {
    if (run.state === 'running') {
      this.running = run;
      const { done = 0, total = 0 } = run.progress ?? {};
      const quarter = total > 0 ? Math.floor((4 * done) / total) : 0;
      if (quarter > this.#told && quarter < 4) this.#announce(m.lab_percent({ n: number(25 * quarter) }));
      this.#told = quarter;
      return;
    }
    this.running = null;
    this.#ended = run.id;
    this.#announce(run.sentence ?? m.lab_finished());
    void this.#try(async () => {
      this.state = await this.#backend.labState();
      if (!this.state.runs.some((known) => known.id === run.id)) return; // nothing was measured
      if (this.page !== 'compare') await this.open(run.id);
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.problem = null;
    try {
      await work();
    } catch (cause) {
      this.problem = toApiError(cause).sentence;
    }
  }
}
