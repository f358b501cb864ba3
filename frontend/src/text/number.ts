// Numbers with their units, in the language of the window. Number and unit are
// joined by a no-break space.
import { m } from '../paraglide/messages';
import { language } from './locale.svelte';

/** A whole or decimal number, with at most that many decimals. */
export function number(value: number, decimals = 0): string {
  return new Intl.NumberFormat(language.format, { maximumFractionDigits: decimals }).format(value);
}

/** A number with exactly that many decimals. */
export function fixed(value: number, decimals: number): string {
  return new Intl.NumberFormat(language.format, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value);
}

/** A measured time: "286 ms", "4.82 s", "41.2 s", "3 min 5 s". */
export function duration(ms: number): string {
  if (ms < 999.5) return m.unit_ms({ n: number(Math.round(ms)) });
  const seconds = ms / 1000;
  if (seconds < 9.995) return m.unit_s({ n: fixed(seconds, 2) });
  if (seconds < 99.95) return m.unit_s({ n: fixed(seconds, 1) });
  const whole = Math.round(seconds);
  return m.unit_min_s({ min: number(Math.floor(whole / 60)), s: number(whole % 60) });
}

/** A limit as it was set: "2.0 s" for 2000 ms, "286 ms" below a second. */
export function limit(ms: number): string {
  return ms < 1000 ? duration(ms) : m.unit_s({ n: fixed(ms / 1000, 1) });
}

/** An estimate: "9 s left" below a minute, "about 2 min left" above. */
export function remaining(seconds: number): string {
  if (seconds < 60) return m.left_seconds({ n: number(Math.max(1, Math.round(seconds))) });
  if (seconds < 5400) return m.left_minutes({ n: number(Math.round(seconds / 60)) });
  return m.left_hours({ n: number(Math.round(seconds / 3600)) });
}

/** A length of time that is only estimated: "9 s", "2 min", "3 h". */
export function span(seconds: number): string {
  if (seconds < 60) return m.unit_s({ n: number(Math.max(1, Math.round(seconds))) });
  if (seconds < 5400) return m.unit_min({ n: number(Math.round(seconds / 60)) });
  return m.unit_h({ n: number(Math.round(seconds / 3600)) });
}

/** A size on disk in decimal units: "38.2 MB". */
export function bytes(size: number): string {
  if (size < 1000) return m.unit_bytes({ n: number(size) });
  if (size < 99_950) return m.unit_kb({ n: fixed(size / 1e3, 1) });
  if (size < 950e6) return m.unit_mb({ n: fixed(size / 1e6, 1) });
  return m.unit_gb({ n: fixed(size / 1e9, size < 99.5e9 ? 2 : 1) });
}

/** A place in a ranking: "1st", "2nd". */
export function ordinal(rank: number): string {
  const n = number(rank);
  switch (new Intl.PluralRules(language.current, { type: 'ordinal' }).select(rank)) {
    case 'one':
      return m.ordinal_one({ n });
    case 'two':
      return m.ordinal_two({ n });
    case 'few':
      return m.ordinal_few({ n });
    default:
      return m.ordinal_other({ n });
  }
}
