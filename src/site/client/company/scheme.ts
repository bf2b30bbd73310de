/** Decides which companies the picture shows, and how they are connected; the layout decides where they are. */
import { type Group, type Kind, kinds, type Link } from './group.ts';

/** Companies in one picture. */
export const companiesMax = 1_000;
/** Rows of companies above the company. */
const rowsAboveMax = 10;
/** If only this few more exist, they are shown at once: a card for them would take as much space. */
const spareMax = 2;

/** A company with the shown ones below it. */
export interface Branch extends Link {
  readonly below: readonly Branch[];
  /** How many more can be shown by pressing, by kind. */
  readonly hidden: Readonly<Record<Kind, number>>;
  /** How many there are that the picture can't show. */
  readonly beyond: number;
}

/** A company above another one. */
export interface Owner extends Link {
  readonly child: string;
}

export interface Scheme {
  /** The rows above the company, nearest first. */
  readonly above: readonly (readonly Owner[])[];
  readonly root: Branch;
  /** How many companies are shown. */
  readonly count: number;
}

/** How many companies below each are shown; the reader changes it. */
export class Openness {
  readonly #shown = new Map<string, Record<Kind, number>>();

  shown(lei: string, kind: Kind): number {
    return this.#shown.get(lei)?.[kind] ?? 0;
  }

  isOpen(lei: string): boolean {
    return this.#shown.has(lei);
  }

  /** @param count how many of each kind */
  open(lei: string, count: number): void {
    this.#shown.set(lei, { owned: count, fund: count, branch: count });
  }

  close(lei: string): void {
    this.#shown.delete(lei);
  }

  /** Shows the next ones of a kind. */
  more(lei: string, kind: Kind, count: number): void {
    const shown = this.#shown.get(lei);
    if (shown !== undefined) shown[kind] += count;
  }
}

export function schemeOf(group: Group, openness: Openness, lei: string): Scheme {
  const placed = new Set([lei]);
  const above = rowsAbove(group, lei, placed);
  const itself: Link = { lei, kind: 'owned', type: '' };
  const root = branchOf(group, openness, itself, placed);
  return { above, root, count: placed.size };
}

/** Each company is shown once, in the nearest row. */
function rowsAbove(group: Group, lei: string, placed: Set<string>): readonly (readonly Owner[])[] {
  const rows: Owner[][] = [];
  let leis = [lei];
  while (leis.length > 0 && rows.length < rowsAboveMax) {
    const owners = leis.flatMap((child) => group.above(child).map((link) => ({ ...link, child })));
    const next = owners.filter((owner) => isNew(owner.lei, placed));
    if (next.length > 0) rows.push(next);
    leis = next.map((owner) => owner.lei);
  }
  return rows;
}

function isNew(lei: string, placed: Set<string>): boolean {
  if (placed.has(lei) || placed.size >= companiesMax) return false;
  placed.add(lei);
  return true;
}

function branchOf(group: Group, openness: Openness, link: Link, placed: Set<string>): Branch {
  const hidden = { owned: 0, fund: 0, branch: 0 };
  let beyond = 0;
  const chosen: Link[] = [];
  for (const kind of openness.isOpen(link.lei) ? kinds : []) {
    const known = group.below(link.lei, kind).filter(({ lei }) => !placed.has(lei));
    const shown = openness.shown(link.lei, kind);
    const first = known.slice(0, known.length - shown <= spareMax ? known.length : shown);
    const taken = first.filter(({ lei }) => isNew(lei, placed));
    chosen.push(...taken);
    const room = companiesMax - placed.size;
    hidden[kind] = Math.min(known.length - taken.length, room);
    beyond +=
      group.total(link.lei, kind) -
      group.below(link.lei, kind).length +
      known.length -
      taken.length -
      hidden[kind];
  }
  // All of one row are placed before any below them, so that each company is in the highest possible row.
  const below = chosen.map((each) => branchOf(group, openness, each, placed));
  return { ...link, below, hidden, beyond };
}
