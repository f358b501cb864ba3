// The words of the status strip.
import type { ProgramStatus, Progress } from '../api';
import { m } from '../paraglide/messages';
import { fixed, number } from '../text/number';

export function modelText(status: ProgramStatus | null): string {
  const answer = status?.answer;
  if (!answer?.name) return m.strip_no_model();
  if (answer.state === 'loading') {
    return m.strip_loading({ name: answer.name, n: number(Math.round(answer.loading * 100)) });
  }
  if (answer.state === 'failed') return m.strip_failed({ name: answer.name });
  return m.strip_model({ name: answer.name });
}

/** What was really loaded, as the loader told it; first of all, whether texts leave this computer. */
export function layersText(status: ProgramStatus | null): string {
  const answer = status?.answer;
  const host = [answer, status?.condense, status?.embed].map((role) => role?.remote).find(Boolean);
  if (host) return m.model_remote({ host });
  if (answer?.state !== 'loaded') return m.strip_layers_none();
  const n = number(answer.gpu_layers);
  const of = number(answer.layers);
  const runtime = answer.runtime || answer.device;
  if (answer.gpu_layers === 0) return m.strip_layers_cpu({ n, of });
  return runtime ? m.strip_layers({ n, of, runtime }) : m.strip_layers_plain({ n, of });
}

export function speedText(status: ProgramStatus | null, busy: boolean): string {
  const rate = status?.tokens_per_second;
  return rate ? m.rate_tokens_long({ n: fixed(rate, 1) }) : busy ? m.strip_working() : m.strip_idle();
}

export function indexText(status: ProgramStatus | null, progress: Progress | null): string {
  if (progress && progress.done < progress.total) {
    return progress.paused
      ? m.strip_index_paused({ done: number(progress.done), total: number(progress.total) })
      : m.progress_files({ done: number(progress.done), total: number(progress.total) });
  }
  const index = status?.index;
  if (!index || index.documents === 0) return m.strip_no_files();
  if (index.vectors_done < index.vectors_total) {
    return m.strip_vectors({ done: number(index.vectors_done), total: number(index.vectors_total) });
  }
  return m.strip_index({ count: index.documents, n: number(index.documents) });
}

export function outboundText(status: ProgramStatus | null): string {
  const count = status?.outbound ?? 0;
  return m.outbound({ count, n: number(count) });
}
