/** The result of a layout: everything that is drawn, with its place. Lengths are in units of the picture. */
import type { Group, Kind, Link } from './group.ts';
import type { Owner } from './scheme.ts';
import { roleAbove } from './words.ts';

/** Size of a card, and the space around it. */
export const card = { width: 216, height: 64, gapBelow: 44, gapBeside: 24, stackGap: 10 } as const;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Anything with the size of a card; the place is its upper left corner. */
interface PlacedCard extends Point {
  readonly key: string;
}

export interface PlacedCompany extends PlacedCard {
  readonly lei: string;
  readonly role: 'self' | 'above' | 'below';
  /** What a company above is to the one that the page is about; '' for the others. */
  readonly label: string;
}

/** A card that shows more companies when it is pressed. */
export interface PlacedMore extends PlacedCard {
  readonly lei: string;
  readonly kind: Kind;
  readonly count: number;
}

/** A sentence in the size of a card, such as why nobody is above, or the heading of a part. */
export interface PlacedText extends PlacedCard {
  readonly text: string;
}

/** The style of a line. */
export type LineStyle = 'direct' | 'ultimate' | 'fund' | 'branch';

interface PlacedLine {
  readonly style: LineStyle;
  /** Path data of SVG. */
  readonly path: string;
}

/** Everything that is drawn. */
export class Places {
  readonly companies: PlacedCompany[] = [];
  readonly more: PlacedMore[] = [];
  readonly notes: PlacedText[] = [];
  readonly headings: PlacedText[] = [];
  readonly lines: PlacedLine[] = [];
  /** Pairs of companies with a line between them: the one above, then the one below. */
  readonly joined = new Set<string>();

  company(lei: string, role: PlacedCompany['role'], at: Point, label = ''): void {
    this.companies.push({ key: lei, lei, label, role, ...at });
  }

  line(style: LineStyle, path: string): void {
    this.lines.push({ style, path });
  }
}

/** Puts what is above a company: its owners, and why somebody has none. */
export class Above {
  readonly #places: Places;
  readonly #group: Group;
  readonly #lei: string;
  readonly #at: Map<string, Point>;
  readonly #path: (from: Point, to: Point) => string;

  /** @param path of the line from a card to one below it */
  constructor(
    places: Places,
    group: Group,
    lei: string,
    at: Point,
    path: (from: Point, to: Point) => string,
  ) {
    this.#places = places;
    this.#group = group;
    this.#lei = lei;
    this.#at = new Map([[lei, at]]);
    this.#path = path;
  }

  owner(owner: Owner, place: Point): void {
    const { lei, child, type } = owner;
    this.#at.set(lei, place);
    const label = roleAbove(this.#group.typesBetween(this.#lei, lei), type);
    this.#places.company(lei, 'above', place, label);
    this.#places.line(styleOf(owner), this.#path(place, this.#at.get(child) ?? place));
    this.#places.joined.add(`${lei} ${child}`);
  }

  /** @param next gives the place of the next note */
  missing(lei: string, next: () => Point): void {
    for (const text of this.#group.missing(lei)) {
      const place = next();
      this.#places.notes.push({ key: `missing ${lei} ${text}`, text, ...place });
      this.#places.line('ultimate', this.#path(place, this.#at.get(lei) ?? place));
    }
  }
}

/** Lines for further relationships between shown companies, as in a circle of owners. */
export function addOtherLines(places: Places, group: Group): void {
  const byLei = new Map(places.companies.map((company) => [company.lei, company]));
  for (const child of places.companies) {
    for (const link of group.above(child.lei)) {
      const parent = byLei.get(link.lei);
      if (parent === undefined || places.joined.has(`${link.lei} ${child.lei}`)) continue;
      places.line(styleOf(link), curve(parent, child));
    }
  }
}

function curve(from: Point, to: Point): string {
  const [fromX, toX] = [from.x + card.width, to.x + card.width];
  const [fromY, toY] = [from.y + card.height / 2, to.y + card.height / 2];
  const far = Math.max(fromX, toX) + 60;
  return `M${fromX} ${fromY}C${far} ${fromY} ${far} ${toY} ${toX} ${toY}`;
}

export function styleOf({ kind, type }: Pick<Link, 'kind' | 'type'>): LineStyle {
  if (kind !== 'owned') return kind;
  return type === 'IS_ULTIMATELY_CONSOLIDATED_BY' ? 'ultimate' : 'direct';
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const margin = 20;

/** The rectangle around everything. */
export function boxOf({ companies, more, notes }: Places): Box {
  return boxAround([...companies, ...more, ...notes]);
}

/** The rectangle around some cards, with a margin. */
export function boxAround(cards: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of cards) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + card.width);
    bottom = Math.max(bottom, y + card.height);
  }
  const width = right - left + 2 * margin;
  return { left: left - margin, top: top - margin, width, height: bottom - top + 2 * margin };
}

export type ScreenDirection = 'up' | 'down' | 'left' | 'right';

/** One unit sideways counts as this many units ahead. */
const asideWeight = 2.5;

/** The nearest card in a direction, to which an arrow key leads; null if there is none. */
export function neighbour<Card extends Point>(
  cards: readonly Card[],
  from: Point,
  direction: ScreenDirection,
): Card | null {
  let nearest: Card | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of cards) {
    const { ahead, aside } = distances(from, candidate, direction);
    const distance = ahead + asideWeight * aside;
    if (ahead > 0 && distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

function distances(
  from: Point,
  to: Point,
  direction: ScreenDirection,
): { readonly ahead: number; readonly aside: number } {
  const across = to.x - from.x;
  const down = to.y - from.y;
  switch (direction) {
    case 'up':
      return { ahead: -down, aside: Math.abs(across) };
    case 'down':
      return { ahead: down, aside: Math.abs(across) };
    case 'left':
      return { ahead: -across, aside: Math.abs(down) };
    case 'right':
      return { ahead: across, aside: Math.abs(down) };
  }
}
