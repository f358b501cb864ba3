// The size of everything in the window, as the keys change it.

/** The sizes that the keys go through, in percent. */
export const zooms: readonly number[] = [80, 90, 100, 110, 125, 150, 175, 200];

/**
 * The size that a key asks for while another is shown, in percent; null: it asks
 * for none. Plus needs the shift key on some keyboards and not on others.
 */
export function zoomAsked(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  now: number,
): number | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  if (event.key === '0') return 100;
  if (event.key === '+' || event.key === '=') return zooms.find((z) => z > now) ?? now;
  if (event.key === '-') return zooms.findLast((z) => z < now) ?? now;
  return null;
}
