// The roles of models, in words.
import { m } from '../paraglide/messages';

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
