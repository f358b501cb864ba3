// How wide a text is, without laying it out.

let context: CanvasRenderingContext2D | null | undefined;

/** Measures texts in the type of an element, in pixels; null where the page cannot. */
export function textWidth(element: HTMLElement): ((text: string) => number) | null {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return null;
  const canvas = context;
  const style = getComputedStyle(element);
  canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const spacing = Number.parseFloat(style.letterSpacing) || 0;
  // The element may get another type before the next call, so the type is set each time.
  const { font } = canvas;
  return (text) => {
    canvas.font = font;
    return Math.ceil(canvas.measureText(text).width + spacing * text.length);
  };
}
