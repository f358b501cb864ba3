// Turns of the stand-in: a plain question, a rewritten follow-up, and a failed
// rewrite, with the figures of the design pictures.
import type { Citation, Done, Hit, Prepared, Retrieval, StoredTurn, Trace, TurnEvent } from '../../src/api';

export function prepared(part: Partial<Prepared> & { original_query: string }): Prepared {
  return {
    event: 'prepared',
    engine: 'condense_context',
    status: 'no_history',
    reason: null,
    search_query: null,
    search_queries: [part.search_query ?? part.original_query],
    rerank_query: part.original_query,
    latency_ms: 0,
    history_messages_used: 0,
    alpha: null,
    model_calls: 0,
    added_words: [],
    warnings: [],
    detail: null,
    ...part,
  };
}

function trace(
  bm25: [number, number] | null,
  dense: [number, number] | null,
  fused: [number, number],
  rerank: [number, number] | null,
): Trace {
  const leg = (pair: [number, number] | null) => (pair ? { rank: pair[0], score: pair[1] } : null);
  return { bm25: leg(bm25), dense: leg(dense), fused: leg(fused), rerank: leg(rerank) };
}

export function hit(part: Partial<Hit> & { n: number | null; chunk: number; text: string }): Hit {
  return {
    rank: part.n ?? part.chunk,
    content_hash: '',
    document: 1,
    path: '/home/ada/Tenancy/Handbooks/Residential tenancy handbook 2025.pdf',
    title: 'Residential tenancy handbook 2025',
    heading: null,
    locator: {},
    score: 0.5,
    trace: trace(null, null, [1, 0.03], null),
    owner: 'match',
    class: 'fact',
    pinned: false,
    packing: part.n === null ? 'floor' : 'packed',
    duplicate_of: null,
    rendered: part.n === null ? null : part.text,
    strategy: part.n === null ? null : 'verbatim',
    rendered_tokens: part.n === null ? null : 400,
    ...part,
  };
}

function leftOut(counts: { floor: number; budget: number; duplicates: number }): Hit[] {
  const make = (packing: Hit['packing'], count: number, from: number) =>
    Array.from({ length: count }, (_, i) =>
      hit({
        n: null,
        chunk: from + i,
        text: 'A passage that was left out.',
        packing,
        locator: { page: 10 + i },
      }),
    );
  return [
    ...make('floor', counts.floor, 1000),
    ...make('budget', counts.budget, 2000),
    ...make('duplicate_of', counts.duplicates, 3000),
  ];
}

const extended =
  '7.3 Where the tenant is 65 or older and has lived in the dwelling for at least ten years, the landlord’s period of notice is nine months to the end of a calendar month. In all other cases the periods of 7.1 apply.';

function span(text: string, quote: string): { start: number; end: number } {
  const start = [...text.slice(0, text.indexOf(quote))].length;
  return { start, end: start + [...quote].length };
}

function citation(n: number, chunk: number, text = '', quote = ''): Citation {
  const { start, end } = quote ? span(text, quote) : { start: 0, end: 0 };
  return { n, chunk, start, end, answer_start: 0, answer_end: 0 };
}

function done(part: Partial<Done> & { answer: string }): Done {
  return {
    event: 'done',
    conversation: 1,
    turn: 1,
    citations: [],
    answer_check: { status: 'supported', issues: [], citations: 0, values: 0 },
    usage: { prompt_tokens: 900, cached_tokens: 0, completion_tokens: 152 },
    latency_ms: { prepare: 0, retrieve: 6, rerank: 412, pack: 3, generate: 4110, check: 4, total: 4535 },
    tokens_per_second: 41.8,
    mode: 'generate',
    continued: false,
    ...part,
  };
}

const leaseHits = [
  hit({
    n: 1,
    chunk: 11,
    heading: '7.3 Extended notice',
    locator: { page: 84 },
    text: extended,
    pinned: true,
    rendered: extended,
    rendered_tokens: 412,
    trace: trace([1, 14.2], [2, 0.71], [1, 0.033], [1, 0.94]),
  }),
  hit({
    n: 2,
    chunk: 12,
    heading: '7.1 Periods of notice',
    locator: { page: 83 },
    text: 'The period of notice is three months to the end of a calendar month. After five years of occupation it is six months.',
    rendered_tokens: 386,
    trace: trace([2, 11.7], [1, 0.74], [2, 0.032], [2, 0.81]),
  }),
  hit({
    n: 3,
    chunk: 13,
    document: 2,
    path: '/home/ada/Tenancy/Leases/Practice note 2024-01 lease templates.docx',
    title: 'Practice note 2024-01 lease templates',
    locator: { page: 1 },
    text: 'From January 2024 the six-month clause of the 2019 template is replaced by nine months for tenants of 65 or older. Existing leases are not changed. The office sends the new page with the next letter.',
    rendered: 'From January 2024 the six-month clause of the 2019 template is replaced by nine months…',
    strategy: 'headline',
    class: 'snapshot',
    rendered_tokens: 38,
    text_tokens: 214,
    trace: trace([7, 6.3], [4, 0.58], [4, 0.028], [3, 0.52]),
  }),
  hit({
    n: 4,
    chunk: 14,
    document: 3,
    path: '/home/ada/Tenancy/Correspondence/Tenant chat export 2023-11.txt',
    title: 'Tenant chat export 2023-11',
    locator: { line_from: 220 },
    text: 'Yes, the letter said the end of March. I will ask the office again on Monday.',
    rendered: 'Message about a letter, chat export, line 220.',
    strategy: 'stub',
    class: 'transient',
    rendered_tokens: 14,
    text_tokens: 163,
    trace: trace(null, [3, 0.61], [9, 0.016], [9, 0.11]),
  }),
];

const lease: Retrieval = {
  event: 'retrieval',
  hits: [...leaseHits, ...leftOut({ floor: 31, budget: 12, duplicates: 3 })],
  budget_tokens: 3000,
  packed_tokens: 850,
  floor: 0.42,
  restricted_count: 0,
};

const notice = 'What is the landlord’s notice period for an open-ended residential lease?';

/** The conversation of the first picture. */
export const leaseTurns: StoredTurn[] = [
  {
    id: 1,
    ordinal: 1,
    question: notice,
    created: '2026-03-14T09:02:00Z',
    prepared: prepared({ original_query: notice }),
    gone: [],
    retrieval: { ...lease, hits: leaseHits.slice(0, 2) },
    done: done({
      answer:
        'Three months to the end of a calendar month, in writing [1]. After five years of occupation it is six months [1].',
      citations: [citation(1, 11), citation(1, 11)],
      answer_check: { status: 'supported', issues: [], citations: 2, values: 4 },
    }),
  },
  {
    id: 2,
    ordinal: 2,
    question: 'And how long is it for tenants over 65?',
    created: '2026-03-14T09:03:00Z',
    prepared: prepared({
      original_query: 'And how long is it for tenants over 65?',
      status: 'rewritten',
      search_query:
        'How long is the landlord’s notice period for an open-ended residential lease for tenants over 65?',
      latency_ms: 286,
      model_calls: 1,
      history_messages_used: 2,
      added_words: ['landlord’s', 'notice', 'period', 'open-ended', 'residential', 'lease'],
    }),
    gone: [],
    retrieval: lease,
    done: done({
      turn: 2,
      answer: [
        '**Nine months** to the end of a calendar month, if the tenant is 65 or older and has lived in the dwelling for at least ten years [1].',
        'If the tenant is over 65 but has lived there for less than ten years, the ordinary periods apply: three months, or six months after five years of occupation [1][2].',
        'The 2019 lease template still says six months. A practice note of January 2024 replaces that clause with nine months [3].',
      ].join('\n\n'),
      citations: [
        citation(
          1,
          11,
          extended,
          'the landlord’s period of notice is nine months to the end of a calendar month.',
        ),
        citation(1, 11),
        citation(2, 12),
        citation(3, 13),
      ],
      answer_check: { status: 'supported', issues: [], citations: 4, values: 12 },
      latency_ms: { prepare: 286, retrieve: 6, rerank: 412, pack: 3, generate: 4110, check: 4, total: 4821 },
    }),
  },
];

const pumpHits = [
  hit({
    n: 1,
    chunk: 21,
    document: 4,
    path: '/home/ada/Projects/Block B/Commissioning record heat pump plant room block B with annexes A to F.pdf',
    title: 'Commissioning record',
    heading: '9 Acceptance',
    locator: { page: 31 },
    text: 'Signed on 14 March 2025 by the commissioning engineer and the client’s representative. Outstanding items 9.2 to 9.4 are to be closed within 30 days.',
    rendered_tokens: 398,
    trace: trace([3, 6.1], [9, 0.44], [2, 0.029], [1, 0.58]),
  }),
  hit({
    n: 2,
    chunk: 22,
    document: 5,
    path: '/home/ada/Projects/Block B/Hydraulic balancing report block B.pdf',
    title: 'Hydraulic balancing report',
    heading: '4 Results',
    locator: { page: 12 },
    text: 'All circuits are within five percent of the design flow.',
    rendered_tokens: 355,
    trace: trace([5, 5.2], [12, 0.41], [5, 0.025], [2, 0.5]),
  }),
  hit({
    n: 3,
    chunk: 23,
    document: 6,
    path: '/home/ada/Projects/Block B/Site diary 2025 week 11.docx',
    title: 'Site diary 2025 week 11',
    heading: 'Friday',
    locator: { page: 5 },
    text: 'Acceptance of the plant room at 10:00. Weather dry. Two fitters on site.',
    rendered: 'Acceptance of the plant room at 10:00…',
    strategy: 'headline',
    class: 'snapshot',
    rendered_tokens: 44,
    text_tokens: 240,
    trace: trace([1, 8.8], null, [7, 0.016], [6, 0.2]),
  }),
];

const pump: Retrieval = {
  event: 'retrieval',
  hits: [...pumpHits, ...leftOut({ floor: 38, budget: 8, duplicates: 0 })],
  budget_tokens: 3000,
  packed_tokens: 941,
  floor: 0.42,
  restricted_count: 1,
};

const flow = 'What flow temperature was agreed for the underfloor heating in block B?';

/** The conversation of the second picture, before the failed rewrite. */
export const pumpTurns: StoredTurn[] = [
  {
    id: 3,
    ordinal: 1,
    question: flow,
    created: '2026-03-14T08:10:00Z',
    prepared: prepared({ original_query: flow }),
    gone: [],
    retrieval: pump,
    done: done({
      conversation: 2,
      turn: 3,
      answer:
        '35\u00a0°C at a design outdoor temperature of −12\u00a0°C [1]. The return is set to 28\u00a0°C [1].',
      citations: [citation(1, 21), citation(1, 21)],
      answer_check: { status: 'supported', issues: [], citations: 2, values: 3 },
    }),
  },
];

/** What a script makes happen: events, each after a pause in milliseconds. */
export interface Script {
  pause: number;
  events: TurnEvent[];
}

const signedOff = 'And who signed that off?';
const streamed =
  'The commissioning record for the heat pump plant room in block B was signed by the commissioning engineer and by the client’s representative on 14 March 2025 [1]. The balancing report';

function tokens(text: string): TurnEvent[] {
  return (text.match(/\s*\S+/g) ?? []).map((piece) => ({ event: 'token', text: piece }));
}

/** A rewrite that timed out; the answer streams and does not end by itself. */
export const failedRewrite: Script[] = [
  {
    pause: 40,
    events: [
      prepared({
        original_query: signedOff,
        status: 'failed_verbatim',
        reason: 'timeout',
        latency_ms: 2000,
        model_calls: 1,
        detail: 'The model did not finish within 2.0 seconds.',
      }),
    ],
  },
  { pause: 20, events: [pump] },
  { pause: 20, events: tokens(streamed) },
  { pause: 20, events: [{ event: 'stats', tokens_per_second: 41.2, prompt_tokens: 900, cached_tokens: 0 }] },
];

/** A rewrite that failed under the policy stop. */
export const stoppedRewrite: Script[] = [
  {
    pause: 20,
    events: [
      prepared({
        original_query: signedOff,
        status: 'failed_stopped',
        reason: 'timeout',
        latency_ms: 2000,
        model_calls: 1,
      }),
      {
        event: 'error',
        code: 'condense_failed',
        reason: 'timeout',
        message: 'The rewrite failed: timeout.',
        hint: 'Retry, or search your words.',
      },
    ],
  },
];

/** A whole answer to any question. */
export function plainAnswer(
  question: string,
  conversation: number,
  turn: number,
  part: Partial<Prepared> = {},
): Script[] {
  const answer = 'Three months to the end of a calendar month, in writing [1].';
  const found: Retrieval = { ...lease, hits: leaseHits.slice(0, 2), packed_tokens: 798 };
  return [
    { pause: 5, events: [prepared({ original_query: question, ...part })] },
    { pause: 5, events: [found] },
    { pause: 5, events: tokens(answer) },
    {
      pause: 5,
      events: [
        done({
          conversation,
          turn,
          answer,
          citations: [citation(1, 11, extended, 'nine months')],
          answer_check: { status: 'supported', issues: [], citations: 1, values: 1 },
        }),
      ],
    },
  ];
}

/** The document behind the first passage, as its stored text. */
export const handbook = [
  '7.2 Form and service',
  'Notice is given in writing and signed. It names the dwelling, the date on which the lease ends and the period that was applied. Service by e-mail is valid only where the lease allows it.',
  '7.3 Extended notice',
  extended,
  'A notice that names a shorter period is read as given for the next correct date. The landlord states the age and the years of occupation on which the period rests.',
  '7.4 Hardship',
  'The tenant may object within two months of receiving the notice if ending the lease would be a hardship that outweighs the landlord’s interest. The objection is made in writing and need not be in a set form.',
  'The court weighs age, health, the time lived in the dwelling and the supply of comparable homes in the same district.',
].join('\n\n');
