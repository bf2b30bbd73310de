/** What the page knows about a group of companies so far. It grows with every answer. */
import { missingSentences, type ShownException } from './reasons.ts';

export interface GroupCompany {
  readonly lei: string;
  /** Null, like the next members, if the company has no record here. */
  readonly name: string | null;
  readonly country: string | null;
  readonly status: string | null;
}

interface Edge {
  readonly parent: string;
  readonly child: string;
  /** A type of RR-CDF, such as `IS_DIRECTLY_CONSOLIDATED_BY`. */
  readonly type: string;
}

/** What a company is to the one above it: a child, or separate from children as a fund or a branch. */
export type Kind = 'owned' | 'fund' | 'branch';
export const kinds: readonly Kind[] = ['owned', 'fund', 'branch'];

/** How many companies are below one, by kind. */
type CountsBelow = Readonly<Record<Kind, number>>;

/** The answer of `/company/{lei}/ownership`. */
export interface OwnershipAnswer {
  readonly lei: string;
  readonly nodes: readonly (GroupCompany & { readonly below: CountsBelow })[];
  readonly edges: readonly Edge[];
  /** Why a company has no parent above it, or only one of the two. */
  readonly missing: readonly {
    readonly lei: string;
    readonly direct: ShownException | null;
    readonly ultimate: ShownException | null;
  }[];
}

export interface Link {
  readonly lei: string;
  readonly kind: Kind;
  readonly type: string;
}

const ultimate = 'IS_ULTIMATELY_CONSOLIDATED_BY';
const kindOfType: Readonly<Record<string, Kind>> = {
  IS_DIRECTLY_CONSOLIDATED_BY: 'owned',
  [ultimate]: 'owned',
  IS_INTERNATIONAL_BRANCH_OF: 'branch',
};

export class Group {
  readonly companies = new Map<string, GroupCompany>();
  readonly #above = new Map<string, Link[]>();
  readonly #below = new Map<string, Link[]>();
  readonly #totals = new Map<string, CountsBelow>();
  readonly #missing = new Map<string, readonly string[]>();
  readonly #edges = new Set<string>();
  readonly #asked = new Set<string>();
  /** The results of {@link below} since the last answer came. */
  readonly #sorted = new Map<string, readonly Link[]>();

  add({ lei, nodes, edges, missing }: OwnershipAnswer): void {
    this.#asked.add(lei);
    this.#sorted.clear();
    for (const node of nodes) {
      this.companies.set(node.lei, node);
      this.#totals.set(node.lei, node.below);
    }
    for (const edge of edges) this.#addEdge(edge);
    for (const { lei: silent, direct, ultimate } of missing) {
      this.#missing.set(silent, missingSentences(direct, ultimate));
    }
  }

  #addEdge({ parent, child, type }: Edge): void {
    const key = `${parent} ${child} ${type}`;
    if (this.#edges.has(key)) return;
    this.#edges.add(key);
    const kind = kindOfType[type] ?? 'fund';
    listOf(this.#above, child).push({ lei: parent, kind, type });
    listOf(this.#below, parent).push({ lei: child, kind, type });
  }

  /** Why nobody is above a company; empty if no reason is given. */
  missing(lei: string): readonly string[] {
    return this.#missing.get(lei) ?? [];
  }

  /** Who is above a company, once each, owners first. */
  above(lei: string): readonly Link[] {
    const links = (this.#above.get(lei) ?? []).filter(
      (link) => link.lei !== lei && !this.#isImplied(lei, link),
    );
    return once(links.sort((a, b) => rankOf(a) - rankOf(b)));
  }

  /** What one company is to another one above it, by every relationship between the two. */
  typesBetween(child: string, parent: string): readonly string[] {
    return (this.#above.get(child) ?? [])
      .filter(({ lei }) => lei === parent)
      .map(({ type }) => type)
      .toSorted();
  }

  /** Who is below a company in one way, by name. */
  below(lei: string, kind: Kind): readonly Link[] {
    const key = `${kind} ${lei}`;
    let links = this.#sorted.get(key);
    if (links === undefined) {
      links = this.#sort(this.#below.get(lei) ?? [], lei, kind);
      this.#sorted.set(key, links);
    }
    return links;
  }

  #sort(below: readonly Link[], lei: string, kind: Kind): readonly Link[] {
    const links = below.filter(
      (link) => link.kind === kind && link.lei !== lei && !this.#isImplied(link.lei, { ...link, lei }),
    );
    return once(links).toSorted((a, b) => collator.compare(this.#nameOf(a.lei), this.#nameOf(b.lei)));
  }

  /** How many are below a company in one way: at least the known ones. */
  total(lei: string, kind: Kind): number {
    return Math.max(this.#totals.get(lei)?.[kind] ?? 0, this.below(lei, kind).length);
  }

  /** Whether the companies below one have been requested. */
  isAsked(lei: string): boolean {
    return this.#asked.has(lei);
  }

  /** An ultimate parent that can be reached through the direct parents needs no line of its own. */
  #isImplied(child: string, { lei, type }: Link): boolean {
    if (type !== ultimate) return false;
    const seen = new Set<string>();
    const open = [child];
    for (const at of open) {
      for (const link of this.#above.get(at) ?? []) {
        if (link.type === ultimate || link.kind !== 'owned' || seen.has(link.lei)) continue;
        if (link.lei === lei) return true;
        seen.add(link.lei);
        open.push(link.lei);
      }
    }
    return false;
  }

  /** Those without a name come last. */
  #nameOf(lei: string): string {
    return this.companies.get(lei)?.name ?? `\uffff${lei}`;
  }
}

const collator = new Intl.Collator('en', { numeric: true });

/** Direct parents, then ultimate ones, then managers and head offices. */
function rankOf({ kind, type }: Link): number {
  if (kind !== 'owned') return 2;
  return type === ultimate ? 1 : 0;
}

/** Two relationships may join the same two companies; the first decides. */
function once(links: readonly Link[]): readonly Link[] {
  const seen = new Set<string>();
  return links.filter(({ lei }) => !seen.has(lei) && seen.add(lei));
}

function listOf<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
