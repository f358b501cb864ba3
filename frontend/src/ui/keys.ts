// Keyboard shortcuts: how they are written and recognised. On macOS Ctrl is Cmd.

const onMac = typeof navigator !== 'undefined' && /Mac/i.test(navigator.platform ?? '');

/** A shortcut as it is shown: "Ctrl K", on macOS "⌘K". */
export function shown(keys: string): string {
  return onMac ? keys.replace('Ctrl ', '⌘').replace('Alt ', '⌥').replace('Shift ', '⇧') : keys;
}

/** Whether an event is that shortcut, written as "Ctrl K", "Alt E", "F6". */
export function matches(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split(' ');
  const key = parts.at(-1) ?? '';
  const control = onMac ? event.metaKey : event.ctrlKey;
  if (control !== parts.includes('Ctrl') || event.altKey !== parts.includes('Alt')) return false;
  if (event.shiftKey !== parts.includes('Shift')) return false;
  if (key.length === 1 && /[a-z]/i.test(key) && event.altKey) return event.code === `Key${key.toUpperCase()}`;
  return event.key.toLowerCase() === (named[key] ?? key).toLowerCase();
}

const named: Record<string, string> = { Esc: 'Escape', Up: 'ArrowUp', Down: 'ArrowDown' };

/** Whether typing goes into a field, where single letters are not shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
