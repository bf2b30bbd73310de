/** Fits texts into the width of a card. */

/** As in the style sheet. */
const fonts = {
  name: '600 13px system-ui, sans-serif',
  lei: '600 12px system-ui, sans-serif',
  facts: '12px system-ui, sans-serif',
} as const;
type Font = keyof typeof fonts;

const context = document.createElement('canvas').getContext('2d');

function widthOf(text: string, font: Font): number {
  if (context === null) return text.length * 7;
  context.font = fonts[font];
  return context.measureText(text).width;
}

/** A text in one line, with an ellipsis if it is too long. */
export function fitted(text: string, width: number, font: Font): string {
  if (widthOf(text, font) <= width) return text;
  return `${text.slice(0, lettersWithin(text, width - widthOf('…', font), font)).trimEnd()}…`;
}

/** A text in a few lines; the last one ends with an ellipsis if there is more. */
export function wrapped(text: string, width: number, font: Font, linesMax = 2): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (lines.length < linesMax - 1 && widthOf(rest, font) > width) {
    const letters = lettersWithin(rest, width, font);
    const space = rest.lastIndexOf(' ', letters);
    const end = space > letters / 3 ? space : letters;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  lines.push(fitted(rest, width, font));
  return lines;
}

/** How many code units of a text fit, at least one letter; no letter is split. */
function lettersWithin(text: string, width: number, font: Font): number {
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(text.slice(0, middle), font) <= width) low = middle;
    else high = middle - 1;
  }
  const isCut = /[\ud800-\udbff]/.test(text[low - 1] ?? '');
  return isCut ? Math.max(low - 1, 2) : low;
}
