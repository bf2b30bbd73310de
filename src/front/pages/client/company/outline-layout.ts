/** Places a group as an outline, for narrow windows: a card a row, owners above, children below and to the right. */
import type { Group } from './group.ts';
import { kinds } from './group.ts';
import { addOtherLines, card, type Place, Places, styleOf } from './places.ts';
import type { Branch, Owner, Scheme } from './scheme.ts';
import { beyondText, headingOf } from './words.ts';

const rowPitch = card.height + 14;
const indent = 24;
const headingHeight = 28;

export function outlineLayout(group: Group, scheme: Scheme): Places {
  const places = new Places();
  const joined = new Set<string>();
  putAbove(places, group, scheme, joined);
  new Rows(places, joined).put(scheme.root, 0, null);
  addOtherLines(places, group, joined);
  return places;
}

/** Everything above in one column, the nearest lowest; labels of cards have room above them. */
function putAbove(places: Places, group: Group, { above, root }: Scheme, joined: Set<string>): void {
  const at = new Map<string, Place>([[root.lei, { x: 0, y: 0 }]]);
  let y = 0;
  const next = (): Place => {
    y -= card.height + 32;
    return { x: 0, y };
  };
  const putMissing = (lei: string) => {
    for (const text of group.missing(lei)) {
      const place = next();
      places.notes.push({ key: `missing ${lei} ${text}`, text, ...place });
      places.line('ultimate', upward(place, at.get(lei) ?? place));
    }
  };
  const putOwner = ({ lei, child, type, kind }: Owner) => {
    const place = next();
    at.set(lei, place);
    places.companies.push({ key: lei, lei, type, role: 'above', ...place });
    places.line(styleOf({ kind, type }), upward(place, at.get(child) ?? place));
    joined.add(`${lei} ${child}`);
  };
  putMissing(root.lei);
  for (const row of above) {
    for (const owner of row) putOwner(owner);
    for (const { lei } of row) putMissing(lei);
  }
}

/** Straight to the next card; past others, around them on the left. */
function upward(from: Place, to: Place): string {
  const bottom = from.y + card.height;
  if (to.y - bottom < rowPitch) return `M${card.width / 2} ${bottom}V${to.y}`;
  const half = card.height / 2;
  return `M0 ${from.y + half}H${-indent / 2}V${to.y + half}H0`;
}

class Rows {
  readonly #places: Places;
  readonly #joined: Set<string>;
  #y = 0;

  constructor(places: Places, joined: Set<string>) {
    this.#places = places;
    this.#joined = joined;
  }

  put(branch: Branch, x: number, from: Place | null): void {
    const { lei, type } = branch;
    const at = this.#next(x);
    this.#places.companies.push({ key: lei, lei, type, role: from === null ? 'self' : 'below', ...at });
    if (from !== null) this.#line(branch, from, at);
    for (const kind of kinds) {
      const below = branch.below.filter((each) => each.kind === kind);
      if (below.length > 0 && kind !== 'owned') this.#heading(lei, kind, x + indent);
      for (const each of below) {
        this.#joined.add(`${lei} ${each.lei}`);
        this.put(each, x + indent, at);
      }
      const count = branch.hidden[kind];
      if (count > 0) this.#more(lei, kind, count, x + indent, at);
    }
    if (branch.beyond > 0) this.#beyond(branch, x + indent, at);
  }

  #next(x: number): Place {
    const at = { x, y: this.#y };
    this.#y += rowPitch;
    return at;
  }

  #heading(lei: string, kind: Branch['kind'], x: number): void {
    this.#places.headings.push({ key: `${lei} ${kind}`, text: headingOf(kind), x, y: this.#y });
    this.#y += headingHeight;
  }

  #more(lei: string, kind: Branch['kind'], count: number, x: number, from: Place): void {
    const at = this.#next(x);
    this.#places.more.push({ key: `more ${lei} ${kind}`, lei, kind, count, ...at });
    this.#line({ kind, type: '' }, from, at);
  }

  #beyond({ lei, beyond }: Branch, x: number, from: Place): void {
    const at = this.#next(x);
    this.#places.notes.push({ key: `beyond ${lei}`, text: beyondText(beyond), ...at });
    this.#line({ kind: 'owned', type: '' }, from, at);
  }

  #line(link: Pick<Branch, 'kind' | 'type'>, from: Place, to: Place): void {
    const left = from.x + indent / 2;
    this.#places.line(styleOf(link), `M${left} ${from.y + card.height}V${to.y + card.height / 2}H${to.x}`);
  }
}
