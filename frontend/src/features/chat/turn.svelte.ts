// One turn: a question, what was searched, the answer and its check. A live turn
// is fed with events, a stored one with the same values, and both show the same.
import type { ApiError } from '../../api';
import {
  type AskRequest,
  type Done,
  type Failed,
  type Prepared,
  type Retrieval,
  type Stats,
  type Step,
  type StoredTurn,
  type TurnEvent,
} from '../../api';
import { MarkdownStream } from '../../text/stream.svelte';

/** Where a turn stands. Stopped: the person ended it. Refused rewrites end as failed. */
export type Phase = 'preparing' | 'searching' | 'reading' | 'answering' | 'done' | 'failed' | 'stopped';

/** When things happened, in milliseconds of the clock; 0: not yet. */
export interface Moments {
  started: number;
  prepared: number;
  retrieved: number;
  firstToken: number;
  ended: number;
}

export class Turn {
  /** The request that made it; null for a turn that was reloaded. */
  readonly request: AskRequest | null;
  readonly key: string;
  readonly question: string;
  /** Documents of its evidence that have left the library. */
  readonly gone: ReadonlySet<number>;

  steps = $state.raw<Step[]>([]);
  prepared = $state.raw<Prepared | null>(null);
  retrieval = $state.raw<Retrieval | null>(null);
  done = $state.raw<Done | null>(null);
  failure = $state.raw<Failed | null>(null);
  stats = $state.raw<Stats | null>(null);
  /** Pieces of text received so far, about one token each. */
  pieces = $state(0);
  reasoning = $state('');
  moments = $state.raw<Moments>({ started: 0, prepared: 0, retrieved: 0, firstToken: 0, ended: 0 });
  /** The answer as text. */
  text = $state('');
  /** The same text in blocks, for the eye. */
  readonly answer = new MarkdownStream();
  /** Settles when the turn has its answer or its failure. */
  readonly finished: Promise<void>;

  #clock: () => number;
  #finish: () => void = () => undefined;

  private constructor(
    key: string,
    question: string,
    request: AskRequest | null,
    clock: () => number,
    gone: number[] = [],
  ) {
    this.gone = new Set(gone);
    this.finished = new Promise((resolve) => (this.#finish = resolve));
    this.key = key;
    this.question = question;
    this.request = request;
    this.#clock = clock;
  }

  /** A turn that has just been asked. */
  static ask(request: AskRequest, clock: () => number): Turn {
    const turn = new Turn(request.id, request.question, request, clock);
    turn.moments = { ...turn.moments, started: clock() };
    return turn;
  }

  /** A turn of an earlier day. */
  static stored(value: StoredTurn): Turn {
    const turn = new Turn(`stored-${value.id}`, value.question, null, () => 0, value.gone);
    const steps = (value.prepared.steps ?? []).map((step) => ({ event: 'step' as const, ...step }));
    turn.apply([...steps, value.prepared, value.retrieval, value.done]);
    return turn;
  }

  phase = $derived.by<Phase>(() => {
    if (this.done) return 'done';
    if (this.failure) return this.failure.code === 'cancelled' ? 'stopped' : 'failed';
    if (this.moments.firstToken) return 'answering';
    if (this.retrieval) return 'reading';
    return this.prepared ? 'searching' : 'preparing';
  });

  running = $derived(!this.done && !this.failure);

  /** Passages in the prompt, in citation order. */
  packed = $derived(
    (this.retrieval?.hits ?? []).filter((hit) => hit.n !== null).sort((a, b) => (a.n ?? 0) - (b.n ?? 0)),
  );

  /** Takes in the events of one frame. */
  apply(events: readonly TurnEvent[]): void {
    const now = this.#clock();
    let grown = false;
    for (const event of events) {
      switch (event.event) {
        case 'step':
          this.steps = [...this.steps, event];
          break;
        case 'prepared':
          this.prepared = event;
          this.#mark('prepared', now);
          break;
        case 'retrieval':
          this.retrieval = event;
          this.#mark('retrieved', now);
          break;
        case 'reasoning':
          this.reasoning += event.text;
          this.#mark('firstToken', now);
          break;
        case 'token':
          this.text += event.text;
          this.pieces++;
          this.#mark('firstToken', now);
          grown = true;
          break;
        case 'stats':
          this.stats = event;
          break;
        case 'done':
          this.done = event;
          this.text = event.answer;
          this.#mark('ended', now);
          grown = true;
          break;
        case 'error':
          this.failure = event;
          this.#mark('ended', now);
          break;
      }
    }
    if (grown) this.answer.set(this.text);
    if (this.done || this.failure) this.#finish();
  }

  /** Ends the turn with an error that came without an event. */
  fail(cause: ApiError): void {
    if (!this.running) return;
    this.apply([
      { event: 'error', code: cause.code, reason: cause.reason, message: cause.message, hint: cause.hint },
    ]);
  }

  #mark(moment: keyof Moments, now: number): void {
    if (this.moments[moment] === 0) this.moments = { ...this.moments, [moment]: now };
  }
}
