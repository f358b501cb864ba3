// What the program remembers about its own work. None of it holds a text.

/** One turn, answered or not. */
export interface Run {
  id: number;
  started: string;
  conversation: number | null;
  turn: number | null;
  engine: string;
  status: string;
  /** Why it has no answer. */
  code: string | null;
  reason: string | null;
  stages_ms: Record<string, number>;
}

/** A connection to another computer. Bytes are those on the wire. */
export interface Connection {
  purpose: string;
  host: string;
  started: string;
  /** Null while it is open. */
  ended: string | null;
  sent: number;
  received: number;
}

/** What another program asked for. */
export interface Call {
  at: string;
  client: string;
  via: string;
  route: string;
  status: number;
  code: string | null;
  /** Ids of the documents that the passages were from. */
  documents?: number[] | null;
  passages: number;
  duration_ms: number;
}
