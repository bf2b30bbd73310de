/**
 * Places a group as an outline, for narrow windows: one card per row, owners above, children below and to the right.
 */
import { type Group, type Kind, kinds, type Link } from './group.ts';
import { Above, addOtherLines, card, Places, type Point, styleOf } from './places.ts';
import type { Branch, Scheme } from './scheme.ts';
import { beyondText, headings } from './words.ts';

const rowPitch = card.height + 14;
const indent = 24;
const headingHeight = 28;

export function outlineLayout(group: Group, scheme: Scheme): Places {
  const places = new Places();
  putAbove(places, group, scheme);
  new Rows(places).put(scheme.root, 0, null);
  addOtherLines(places, group);
  return places;
}

/** Everything above in one column, the nearest lowest; labels of cards have room above them. */
function putAbove(places: Places, group: Group, { above, root }: Scheme): void {
  const put = new Above(places, group, root.lei, { x: 0, y: 0 }, upward);
  let y = 0;
  const next = (): Point => {
    y -= card.height + 32;
    return { x: 0, y };
  };
  for (const [index, row] of above.entries()) {
    for (const owner of row) put.owner(owner, next());
    for (const { lei } of above[index - 1] ?? []) put.missing(lei, next);
  }
  for (const { lei } of above.at(-1) ?? []) put.missing(lei, next);
  put.missing(root.lei, next);
}

/** Straight to the next card; past others, around them on the left. */
function upward(from: Point, to: Point): string {
  const bottom = from.y + card.height;
  if (to.y - bottom < rowPitch) return `M${card.width / 2} ${bottom}V${to.y}`;
  const half = card.height / 2;
  return `M0 ${from.y + half}H${-indent / 2}V${to.y + half}H0`;
}

class Rows {
  readonly #places: Places;
  #y = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** @param trunk the line that leads here; null for the company itself */
  put(branch: Branch, x: number, trunk: Trunk | null): void {
    const { lei } = branch;
    const at = this.#next(x);
    this.#places.company(lei, trunk === null ? 'self' : 'below', at);
    trunk?.lead(at, branch);
    const own = new Trunk(this.#places, at);
    for (const kind of kinds) this.#putKind(branch, kind, x + indent, own);
    if (branch.beyond > 0) {
      const left = this.#next(x + indent);
      this.#places.notes.push({ key: `beyond ${lei}`, text: beyondText(branch.beyond), ...left });
      own.lead(left, { kind: 'owned', type: '' });
    }
  }

  #putKind({ lei, below, hidden }: Branch, kind: Kind, x: number, trunk: Trunk): void {
    const branches = below.filter((each) => each.kind === kind);
    if (branches.length > 0 && kind !== 'owned') {
      this.#places.headings.push({ key: `${lei} ${kind}`, text: headings[kind], x, y: this.#y });
      this.#y += headingHeight;
    }
    for (const each of branches) {
      this.#places.joined.add(`${lei} ${each.lei}`);
      this.put(each, x, trunk);
    }
    if (hidden[kind] === 0) return;
    const at = this.#next(x);
    this.#places.more.push({ key: `more ${lei} ${kind}`, lei, kind, count: hidden[kind], ...at });
    trunk.lead(at, { kind, type: '' });
  }

  #next(x: number): Point {
    const at = { x, y: this.#y };
    this.#y += rowPitch;
    return at;
  }
}

/**
 * The line that runs down from a card, with a branch to each card below it. It is drawn piece by piece, no piece twice.
 */
class Trunk {
  readonly #places: Places;
  readonly #x: number;
  #y: number;

  constructor(places: Places, from: Point) {
    this.#places = places;
    this.#x = from.x + indent / 2;
    this.#y = from.y + card.height;
  }

  lead(to: Point, link: Pick<Link, 'kind' | 'type'>): void {
    const middle = to.y + card.height / 2;
    this.#places.line(styleOf(link), `M${this.#x} ${this.#y}V${middle}H${to.x}`);
    this.#y = middle;
  }
}
