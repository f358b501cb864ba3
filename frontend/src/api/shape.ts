// Fills in what the host may leave out: an empty list arrives as null.
import type { ConversationDetail, StoredTurn } from './conversation';
import type { DocumentText } from './document';
import type { FilePage, LibraryState } from './library';
import type { ModelsState, ProgramStatus, RuntimeCheck, RuntimeFolder } from './model';
import type { Done, Prepared, Retrieval, TurnBatch, TurnEvent } from './turn';
import type { Fit, IndexReport } from './upkeep';

/** The list itself, or an empty one. */
export function list<T>(value: T[] | null | undefined): T[] {
  return value ?? [];
}

export function prepared(value: Prepared): Prepared {
  return {
    ...value,
    search_queries: list(value.search_queries),
    added_words: list(value.added_words),
    warnings: list(value.warnings),
  };
}

export function retrieval(value: Retrieval): Retrieval {
  return { ...value, hits: list(value.hits), notes: list(value.notes) };
}

export function done(value: Done): Done {
  return {
    ...value,
    citations: list(value.citations),
    answer_check: { ...value.answer_check, issues: list(value.answer_check.issues) },
  };
}

function turnEvent(event: TurnEvent): TurnEvent {
  switch (event.event) {
    case 'prepared':
      return prepared(event);
    case 'retrieval':
      return retrieval(event);
    case 'done':
      return done(event);
    default:
      return event;
  }
}

export function turnBatch(value: TurnBatch): TurnBatch {
  return { id: value.id, events: list(value.events).map(turnEvent) };
}

function storedTurn(value: StoredTurn): StoredTurn {
  return {
    ...value,
    prepared: prepared(value.prepared),
    retrieval: retrieval(value.retrieval),
    done: done(value.done),
    gone: list(value.gone),
  };
}

export function conversationDetail(value: ConversationDetail): ConversationDetail {
  return { conversation: value.conversation, turns: list(value.turns).map(storedTurn) };
}

export function libraryState(value: LibraryState): LibraryState {
  return { ...value, folders: list(value.folders), collections: list(value.collections) };
}

export function filePage(value: FilePage): FilePage {
  return { total: value.total, files: list(value.files) };
}

export function programStatus(value: ProgramStatus): ProgramStatus {
  return { ...value, notices: list(value.notices) };
}

export function modelsState(value: ModelsState): ModelsState {
  return {
    roles: list(value.roles),
    catalogue: list(value.catalogue).map((entry) => ({ ...entry, roles: list(entry.roles) })),
    runtime: { ...value.runtime, devices: list(value.runtime.devices) },
  };
}

export function runtimeFolder(value: RuntimeFolder): RuntimeFolder {
  return {
    ...value,
    folder: value.folder ?? null,
    sentence: value.sentence ?? null,
    notice: value.notice ?? null,
    lacks: value.lacks ?? null,
    fetch: list(value.fetch),
    sources: list(value.sources),
    transfer: value.transfer ?? null,
  };
}

export function runtimeCheck(value: RuntimeCheck): RuntimeCheck {
  return { ...value, sentences: list(value.sentences) };
}

export function documentText(value: DocumentText): DocumentText {
  return {
    ...value,
    label: value.label ?? 'public',
    state: value.state ?? 'same',
    version: value.version ?? '',
    parts: list(value.parts),
  };
}

export function indexReport(value: IndexReport): IndexReport {
  return { ...value, problems: list(value.problems) };
}

export function fit(value: Fit): Fit {
  return {
    ...value,
    devices: list(value.devices),
    roles: list(value.roles),
    given_up: list(value.given_up),
  };
}
