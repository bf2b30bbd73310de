/** Names the code lists of GLEIF's API. */

/** The default number of items on a page, and the order of a list, which its links then name. */
interface ListDefaults {
  readonly size: number;
  readonly sort: string | null;
}

export const gleifLists = {
  'lei-issuers': { size: 100, sort: null },
  'registration-authorities': { size: 10, sort: null },
  'entity-legal-forms': { size: 10, sort: null },
  'official-organizational-roles': { size: 10, sort: null },
  countries: { size: 10, sort: 'code' },
  jurisdictions: { size: 10, sort: 'code' },
  regions: { size: 10, sort: null },
  fields: { size: 500, sort: null },
} as const satisfies Readonly<Record<string, ListDefaults>>;

/** The lists that come from GLEIF's files, in publications that loaded them. The kinds of such files have these names. */
export const loadedLists = ['registration-authorities', 'official-organizational-roles'] as const;
export type LoadedListName = (typeof loadedLists)[number];

export function isLoadedList(name: string): name is LoadedListName {
  return loadedLists.some((list) => list === name);
}

/**
 * The statement of a row of such a file about its code. A code may have several rows, which differ in the items of one
 * list: jurisdictions of an authority, names of a role.
 */
export interface CodeListEntry {
  readonly code: string;
  readonly attributes: Readonly<Record<string, string | null>>;
  readonly list: 'jurisdictions' | 'names';
  readonly items: readonly Readonly<Record<string, string | null>>[];
}

export type GleifListName = keyof typeof gleifLists;
export const gleifListNames = Object.keys(gleifLists).filter(
  (name): name is GleifListName => name in gleifLists,
);
