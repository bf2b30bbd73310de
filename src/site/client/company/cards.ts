/** Draws the cards of the picture as SVG, with texts that fit. The style sheet has their colours and fonts. */
import type { GroupCompany } from './group.ts';
import { card, type PlacedCompany, type PlacedMore, type PlacedText } from './places.ts';
import { count, factsOf, nameOf } from './words.ts';

const left = 18;
const right = 12;
const pill = { height: 24, padding: 9, perLetter: 8 } as const;

/** The possible actions on the companies below one. */
export interface Below {
  readonly total: number;
  readonly open: boolean;
}

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

export function companyCard(
  { lei, role, label }: PlacedCompany,
  company: GroupCompany | undefined,
  below: Below,
): SVGGElement {
  const mark = pillOf(below);
  const width = card.width - left - (mark === null ? right : mark.width + 2 * right);
  const known = company !== undefined && company.name !== null;
  const font = known ? 'name' : 'lei';
  const lines = wrapped(nameOf(company, lei), width, font);
  const top = lines.length === 1 ? 29 : 22;
  const status = known ? (company.status ?? '').toLowerCase() : 'unknown';
  const facts = fitted(factsOf(company), width, 'facts');
  const group = svg('g', { class: `company ${role} ${status}`, 'data-lei': lei }, face());
  group.append(
    svg('path', {
      class: 'stripe',
      d: `M10 0.5H6V${card.height - 0.5}H10A9.5 9.5 0 0 1 0.5 ${card.height - 10}V10A9.5 9.5 0 0 1 10 0.5Z`,
    }),
  );
  if (label !== '') group.append(svg('text', { class: 'role', x: 2, y: -8 }, label));
  for (const [index, line] of lines.entries()) {
    group.append(svg('text', { class: font, x: left, y: top + index * 16 }, line));
  }
  group.append(svg('text', { class: 'facts', x: left, y: top + lines.length * 16 + 2 }, facts));
  if (mark !== null) group.append(mark.element);
  return group;
}

function face(): SVGRectElement {
  return svg('rect', {
    class: 'face',
    x: 0.5,
    y: 0.5,
    width: card.width - 1,
    height: card.height - 1,
    rx: 9.5,
  });
}

/** Shows or hides the companies below; null if there are none. */
function pillOf({ total, open }: Below): { readonly element: SVGGElement; readonly width: number } | null {
  if (total === 0) return null;
  const text = open ? '−' : `+${count(total)}`;
  const width = Math.max(pill.height, text.length * pill.perLetter + pill.padding);
  const x = card.width - right - width;
  const y = (card.height - pill.height) / 2;
  const element = svg(
    'g',
    { class: 'pill', 'data-press': 'below' },
    svg('rect', { x, y, width, height: pill.height, rx: pill.height / 2 }),
    svg('text', { x: x + width / 2, y: y + 16.5, 'text-anchor': 'middle' }, text),
  );
  return { element, width };
}

export function moreCard({ lei, kind, count: hidden }: PlacedMore): SVGGElement {
  return svg(
    'g',
    { class: 'more', 'data-lei': lei, 'data-press': kind },
    face(),
    svg(
      'text',
      { x: card.width / 2, y: card.height / 2 + 5, 'text-anchor': 'middle' },
      `Show ${count(hidden)} more`,
    ),
  );
}

export function noteCard({ text }: PlacedText): SVGGElement {
  const lines = wrapped(text, card.width - 2 * right, 'facts', 3);
  const top = card.height / 2 + 4 - (lines.length - 1) * 8;
  const group = svg('g', { class: 'note' }, face(), svg('title', {}, text));
  for (const [index, line] of lines.entries()) {
    group.append(svg('text', { x: card.width / 2, y: top + index * 16, 'text-anchor': 'middle' }, line));
  }
  return group;
}

export function headingText({ text }: PlacedText): SVGGElement {
  return svg('g', { class: 'heading' }, svg('text', { x: 0, y: 14 }, text));
}

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
function fitted(text: string, width: number, font: Font): string {
  if (widthOf(text, font) <= width) return text;
  return `${text.slice(0, lettersWithin(text, width - widthOf('…', font), font)).trimEnd()}…`;
}

/** A text in a few lines; the last one ends with an ellipsis if there is more. */
function wrapped(text: string, width: number, font: Font, linesMax = 2): readonly string[] {
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
