// How a turn or a call of another program ended, in words instead of codes.
import type { Call, Run } from '../api';
import { m } from '../paraglide/messages';

type Words = Record<string, (() => string) | undefined>;

/** Why a rewrite failed, or what ended a turn; a reason of a later version stays as it is. */
export function reasonWord(reason: string | null): string {
  const words: Words = {
    timeout: m.reason_timeout,
    call_error: m.reason_call_error,
    http_error: m.reason_http,
    bad_body: m.reason_bad_body,
    missing_field: m.reason_missing_field,
    empty_query: m.reason_empty_query,
    too_long: m.reason_too_long,
    guard_rejected: m.reason_guard_plain,
    context_overflow: m.reason_context_overflow,
    embed_error: m.reason_embed_error,
    dimension_mismatch: m.reason_dimension_mismatch,
    cancelled: m.reason_cancelled,
  };
  return reason === null ? m.reason_unknown() : (words[reason]?.() ?? reason);
}

/** What an error code says, as it stands in a list. */
export function codeWord(code: string): string {
  const words: Words = {
    condense_failed: m.code_condense_failed,
    unknown_chat_engine: m.code_bad_request,
    unknown_retriever: m.code_bad_request,
    unknown_mode: m.code_bad_request,
    unknown_setting: m.code_bad_request,
    invalid_request: m.code_bad_request,
    invalid_setting: m.code_bad_request,
    invalid_filter: m.code_bad_request,
    unknown_conversation: m.code_not_there,
    unknown_document: m.code_not_there,
    not_found: m.code_not_there,
    no_model: m.code_no_model,
    model_failed: m.code_model_failed,
    context_overflow: m.code_context_overflow,
    cancelled: m.code_cancelled,
    library_busy: m.code_busy,
    too_many_requests: m.code_busy,
    storage_failed: m.code_storage_failed,
    not_available: m.code_not_available,
    method_not_allowed: m.code_bad_request,
    unsupported_media_type: m.code_bad_request,
    request_too_large: m.code_too_large,
    forbidden: m.code_forbidden,
    withheld: m.code_withheld,
    unauthorized: m.code_unauthorized,
    internal: m.code_internal,
  };
  return words[code]?.() ?? code;
}

export function runOutcome(run: Pick<Run, 'code' | 'reason'>): string {
  if (run.code === null) return m.activity_answered();
  // A stopped turn has "cancelled" as its code and as its reason.
  if (run.reason === null || run.reason === run.code) return codeWord(run.code);
  return m.outcome_because({ what: codeWord(run.code), why: reasonWord(run.reason) });
}

export function callOutcome(call: Pick<Call, 'code' | 'status'>): string {
  if (call.code !== null) return codeWord(call.code);
  return call.status < 400 ? m.activity_answered() : m.outcome_refused({ status: String(call.status) });
}

/** The program as it names itself, and how it asks. */
export function clientName(call: Pick<Call, 'client' | 'via'>): string {
  const ways: Words = { api: m.via_api, openai: m.via_openai, mcp: m.via_mcp };
  const way = ways[call.via]?.() ?? call.via;
  return call.client ? `${call.client} (${way})` : way;
}

/** What a connection to another computer was for. */
export function purposeWord(purpose: string): string {
  const words: Words = { download: m.purpose_download, remote: m.purpose_remote, update: m.purpose_update };
  return words[purpose]?.() ?? purpose;
}
