// Roles and states of models, in words.
import type { ModelState } from '../../api';
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

export function stateWord(model: Pick<ModelState, 'state' | 'name'>): string {
  switch (model.state) {
    case 'none':
      return model.name ? m.model_ready() : m.model_none();
    case 'loading':
      return m.model_loading();
    case 'loaded':
      return m.model_loaded();
    case 'failed':
      return m.model_failed();
  }
}

/** "GPU, 28/28" or "CPU"; empty while nothing is loaded. */
export function runsOn(model: ModelState): string {
  if (model.state !== 'loaded') return '';
  return model.gpu_layers > 0
    ? m.runs_on_gpu({ n: number(model.gpu_layers), of: number(model.layers) })
    : m.runs_on_cpu();
}
