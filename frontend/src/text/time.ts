// Points in time, as a person says them.
import { m } from '../paraglide/messages';
import { language } from './locale.svelte';

/** The moment behind a stored value, or null where none is set. */
export function instant(value: string | number | null | undefined): Date | null {
  if (value === null || value === undefined || value === '' || value === 0) return null;
  const date = new Date(value);
  // The program's zero time is the year 1.
  return Number.isNaN(date.getTime()) || date.getFullYear() < 1971 ? null : date;
}

/** Whole days between two moments, by the calendar of this computer. */
export function daysBetween(earlier: Date, later: Date): number {
  const day = (d: Date) => Date.UTC(d.getFullYear(), d.getMonth(), d.getDate());
  return Math.round((day(later) - day(earlier)) / 86_400_000);
}

/** "today 09:14", "yesterday 17:40", "2 March", "2 March 2024". */
export function when(date: Date, now = new Date()): string {
  const days = daysBetween(date, now);
  if (days === 0 || days === 1) {
    const time = new Intl.DateTimeFormat(language.format, { hour: '2-digit', minute: '2-digit' }).format(
      date,
    );
    return days === 0 ? m.today_at({ time }) : m.yesterday_at({ time });
  }
  return new Intl.DateTimeFormat(language.format, {
    day: 'numeric',
    month: 'long',
    year: date.getFullYear() === now.getFullYear() ? undefined : 'numeric',
  }).format(date);
}

/** A stored moment with its time of day, "2 March, 17:40"; empty where none is set. */
export function stamped(value: string | null, now = new Date()): string {
  const at = instant(value);
  if (!at) return '';
  if (daysBetween(at, now) < 2) return when(at, now);
  const time = new Intl.DateTimeFormat(language.format, { hour: '2-digit', minute: '2-digit' }).format(at);
  return m.day_at({ day: when(at, now), time });
}
