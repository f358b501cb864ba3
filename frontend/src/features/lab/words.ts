// Slices, kinds, classes and presets in the language of the window. Names of
// engines, retrievers and figures are the same everywhere.
import type { EvalRun } from '../../api';
import { m } from '../../paraglide/messages';
import { number } from '../../text/number';
import { instant, when } from '../../text/time';

const kinds: Record<string, () => string> = {
  all: m.slice_all,
  follow_up: m.slice_follow_up,
  '': m.kind_first,
  pronoun: m.kind_pronoun,
  elliptical: m.kind_elliptical,
  topic_shift: m.kind_topic_shift,
  comparison: m.kind_comparison,
  correction: m.kind_correction,
  unanswerable: m.kind_unanswerable,
};

/** A slice of a set or the kind of a question. */
export function sliceName(slice: string): string {
  return kinds[slice]?.() ?? slice.replaceAll('_', ' ');
}

const classes: Record<string, () => string> = {
  none: m.class_none,
  server: m.class_server,
  tiny: m.class_tiny,
  small: m.class_small,
  medium: m.class_medium,
  large: m.class_large,
};

export function className(name: string): string {
  return classes[name]?.() ?? name;
}

const presets: Record<string, () => string> = {
  quick: m.preset_quick,
  standard: m.preset_standard,
  full: m.preset_full,
};

/** What a preset measures and about how long it takes. */
export function presetSentence(name: string): string {
  return presets[name]?.() ?? '';
}

export function runName(run: EvalRun): string {
  const at = instant(run.started);
  const time = at ? when(at) : run.id;
  return run.personal ? m.run_of_tests({ time }) : time;
}

export function runState(run: EvalRun): string | undefined {
  if (run.state === 'finished') return undefined;
  return run.state === 'running' ? m.run_running() : (run.sentence ?? m.run_stopped());
}

/** "0.728", or with its sign for a change. */
export function figure(value: number, signed = false): string {
  const text = new Intl.NumberFormat('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(
    Math.abs(value) < 0.0005 ? 0 : value,
  );
  return signed && value >= 0.0005 ? `+${text}` : text.replace('-', '−');
}

export function percent(share: number): string {
  return m.percent({ n: number(100 * share, 1) });
}
