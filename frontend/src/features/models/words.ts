// Roles and states of models, in words.
import type { RoleStatus } from '../../api';
import { m } from '../../paraglide/messages';
import { number } from '../../text/number';

type Words = Record<string, (() => string) | undefined>;

export function roleName(role: string): string {
  const names: Words = {
    answer: m.role_answer,
    condense: m.role_condense,
    embed: m.role_embed,
    rerank: m.role_rerank,
  };
  return names[role]?.() ?? role;
}

export function roleTask(role: string): string {
  const tasks: Words = {
    answer: m.task_answer,
    condense: m.task_condense,
    embed: m.task_embed,
    rerank: m.task_rerank,
  };
  return tasks[role]?.() ?? '';
}

export function stateWord(state: string): string {
  const words: Words = {
    none: m.model_none,
    loading: m.model_loading,
    loaded: m.model_loaded,
    ready: m.model_loaded,
    restarting: m.model_restarting,
    failed: m.model_failed,
  };
  return words[state]?.() ?? state;
}

/** "GPU, 28/28" or "CPU"; empty while nothing is loaded. */
export function runsOn(status: RoleStatus | undefined): string {
  if (!status?.name || status.layers === 0) return '';
  return status.gpu_layers > 0
    ? m.runs_on_gpu({ n: number(status.gpu_layers), of: number(status.layers) })
    : m.runs_on_cpu();
}
