// The parts of the window that F6 goes through: sidebar, content, evidence, strip.

/** Moves the focus to the next part, or to the one before. */
export function focusNextRegion(back: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region], aside')];
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  regions[(at + (back ? -1 : 1) + regions.length) % regions.length]?.focus();
}
