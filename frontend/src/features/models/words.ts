// Roles and states of models, in words.
import type { CatalogueEntry, ModelState, Transfer } from '../../api';
import { m } from '../../paraglide/messages';
import { bytes, number } from '../../text/number';

type Words = Record<string, (() => string) | undefined>;

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

/** How a model that is not here would run. */
export function runsHere(kind: CatalogueEntry['class']): string {
  const words: Words = { gpu: m.fits_gpu, split: m.fits_split, cpu: m.fits_cpu, too_large: m.fits_not };
  return words[kind]?.() ?? '';
}

/** What the file of an installed model was compared with. */
export function proofWord(proof: CatalogueEntry['proof']): string {
  if (proof === 'server') return m.proof_server();
  return proof === 'none' ? m.proof_none() : '';
}

/** "Downloading: 1.2 GB of 5.0 GB, 12 MB a second, about 5 min left" */
export function transferWords(transfer: Transfer): string {
  const states: Words = {
    asking: m.transfer_asking,
    connecting: m.transfer_connecting,
    resuming: m.transfer_resuming,
    receiving: m.transfer_receiving,
    waiting: m.transfer_waiting,
    verifying: m.transfer_verifying,
    copying: m.transfer_copying,
    testing: m.transfer_testing,
    paused: m.transfer_paused,
    failed: m.transfer_failed,
    done: m.transfer_done,
  };
  const parts = [states[transfer.state]?.() ?? ''];
  if (transfer.total > 0) {
    parts.push(m.transfer_amount({ done: bytes(transfer.done), total: bytes(transfer.total) }));
  }
  if (transfer.rate > 0) parts.push(m.transfer_rate({ amount: bytes(transfer.rate) }));
  if (transfer.remaining_seconds > 0) {
    parts.push(m.transfer_left({ n: number(Math.max(1, Math.round(transfer.remaining_seconds / 60))) }));
  }
  return parts.filter(Boolean).join(', ');
}

/** The name of a set of libraries. */
export function runtimeName(name: string): string {
  const words: Words = { auto: m.runtime_auto, cpu: m.runtime_cpu };
  const names: Record<string, string> = { cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' };
  return words[name]?.() ?? names[name] ?? name;
}
