// Conversations as they are listed and reloaded.
import type { Done, Prepared, Retrieval, Scope } from './turn';

export interface Conversation {
  id: number;
  title: string;
  created: string | number;
  updated: string | number;
  pinned: boolean;
  /** How many turns it holds. */
  turns: number;
  /** What was chosen for it alone. */
  options?: ConversationOptions;
}

/** Empty words and null mean that the settings decide. */
export interface ConversationOptions {
  engine: string;
  mode: string;
  /** How many earlier messages the answer model sees. */
  history: number | null;
  scope: Scope;
}

/** A conversation that a search found, with the words around the first match. */
export interface ConversationMatch extends Conversation {
  snippet: string;
}

/** A stored turn: the same values as its events had. */
export interface StoredTurn {
  id: number;
  ordinal: number;
  question: string;
  created: string | number;
  prepared: Prepared;
  retrieval: Retrieval;
  done: Done;
  /** Documents of its evidence that have left the library. */
  gone: number[];
  /** The answer rests on a document that is restricted or forgotten now. */
  withheld?: boolean;
}

export interface ConversationDetail {
  conversation: Conversation;
  turns: StoredTurn[];
}
