// The events of a turn, as the program sends and stores them. Times are
// milliseconds, offsets count Unicode code points, absent values are null.

export type RewriteStatus =
  | 'verbatim_engine'
  | 'no_history'
  | 'disabled'
  | 'gated'
  | 'rewritten'
  | 'unchanged'
  | 'expanded'
  | 'blended'
  | 'researched'
  | 'user_edited'
  | 'user_words'
  | 'failed_expanded'
  | 'failed_verbatim'
  | 'failed_stopped';

export interface Step {
  event: 'step';
  n: number;
  tool: string;
  arguments: unknown;
  hits: number;
  repeated_of: number | null;
}

export interface Prepared {
  event: 'prepared';
  engine: string;
  status: RewriteStatus;
  /** Why the rewrite failed; null when none failed. */
  reason: string | null;
  original_query: string;
  /** Null when the user's words are searched. */
  search_query: string | null;
  search_queries: string[];
  rerank_query: string;
  latency_ms: number;
  history_messages_used: number;
  alpha: number | null;
  model_calls: number;
  added_words: string[];
  warnings: string[];
  /** What exactly the guard rejected. */
  detail: string | null;
  /** Research only: its calls, why it ended, and a question to the person in place of an answer. */
  steps?: Omit<Step, 'event'>[];
  ended?: ResearchEnd;
  ask_user?: string;
}

export type ResearchEnd =
  'enough' | 'patience' | 'max_rounds' | 'asked' | 'unreadable' | 'full' | 'model_failed';

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Locator {
  page?: number;
  page_to?: number;
  page_label?: string;
  /** On the page, in points, from its top left corner. */
  rects?: Rect[];
  slide?: number;
  sheet?: string;
  cell?: string;
  line_from?: number;
  line_to?: number;
  section?: string;
  paragraph?: number;
  message?: string;
  part?: string;
  cell_index?: number;
  pointer?: string;
}

export interface Leg {
  rank: number;
  score: number;
}

export interface Trace {
  bm25: Leg | null;
  dense: Leg | null;
  fused: Leg | null;
  rerank: Leg | null;
}

export interface Hit {
  rank: number;
  /** The citation number; null when the passage was not packed. */
  n: number | null;
  chunk: number;
  /** Of the passage; another hash in its document means other words. */
  content_hash: string;
  document: number;
  path: string;
  title: string;
  heading: string | null;
  locator: Locator;
  text: string;
  score: number;
  trace: Trace;
  owner: 'match' | 'hint_extra';
  class: string;
  pinned: boolean;
  packing: 'packed' | 'budget' | 'floor' | 'duplicate_of' | null;
  duplicate_of: number | null;
  /** The passage as it stood in the prompt. */
  rendered: string | null;
  strategy: 'verbatim' | 'headline' | 'stub' | null;
  rendered_tokens: number | null;
  /** Tokens of the whole passage, where they are counted. */
  text_tokens?: number | null;
}

export interface Retrieval {
  event: 'retrieval';
  hits: Hit[];
  budget_tokens: number;
  packed_tokens: number;
  floor: number;
  restricted_count: number;
  /** Sentences about what could not be searched or used. */
  notes?: string[];
}

export interface Citation {
  n: number;
  chunk: number;
  /** The cited span in the passage's text. */
  start: number;
  end: number;
  /** The marker in the answer. */
  answer_start: number;
  answer_end: number;
}

export interface Issue {
  kind: string;
  text: string;
  /** What the passage names instead, where it is about another thing. */
  found?: string;
  start: number;
  end: number;
}

export interface AnswerCheck {
  status: 'supported' | 'flagged' | 'refused' | 'quoted' | 'withheld' | 'unchecked';
  issues: Issue[];
  /** Citations that hold. */
  citations: number;
  /** Numbers, dates and names found in the evidence. */
  values: number;
}

export interface Latency {
  prepare: number;
  retrieve: number;
  rerank: number;
  pack: number;
  generate: number;
  check: number;
  total: number;
}

export interface Done {
  event: 'done';
  conversation: number | null;
  turn: number | null;
  answer: string;
  citations: Citation[];
  answer_check: AnswerCheck;
  usage: { prompt_tokens: number; cached_tokens: number; completion_tokens: number };
  latency_ms: Latency;
  tokens_per_second: number | null;
  mode: string;
  continued: boolean;
  /** The best sentences of the evidence, quoted and cited, beside what a small model wrote. */
  quotes?: string | null;
}

export interface Failed {
  event: 'error';
  code: string;
  reason: string | null;
  message: string;
  hint: string | null;
}

export interface TextEvent {
  event: 'token' | 'reasoning';
  text: string;
}

export interface Stats {
  event: 'stats';
  tokens_per_second: number;
  prompt_tokens: number;
  cached_tokens: number;
}

/** One thing that happens in a turn, in this order: step, prepared, retrieval, (reasoning, token, stats), then done or error. */
export type TurnEvent = Step | Prepared | Retrieval | TextEvent | Stats | Done | Failed;

/** The runtime event "turn": what happened in one frame. */
export interface TurnBatch {
  id: string;
  events: TurnEvent[];
}

/** Where is searched. What is left out does not narrow. */
export interface Scope {
  collections: string[];
  path_under: string;
  types?: string[];
  documents?: number[];
}

/** A question on its way to the program. */
export interface AskRequest {
  id: string;
  conversation: number | null;
  question: string;
  engine?: string;
  mode?: string;
  retriever?: string;
  scope?: Scope;
  edited_query?: string;
  own_words?: boolean;
  /** A stored turn whose question is asked once more, with the history that it had. */
  again?: number;
  /** With again: answer from the same passages and search nothing. */
  same_evidence?: boolean;
}
