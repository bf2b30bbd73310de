/** Draws the cards of the picture as SVG. The style sheet has their colours and fonts. */
import type { Company } from './group.ts';
import { fitted, wrapped } from './lettering.ts';
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
  company: Company | undefined,
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
