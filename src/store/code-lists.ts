/** Stores code lists of GLEIF's files: the name of a list and a code, and JSON of the code's attributes. */
import type { CodeListEntry, LoadedListName } from '../lei/gleif-code-lists.ts';
import type { TextTable } from '../lmdb.ts';

export interface StoredCode {
  readonly code: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const separator = '\t';
/** The keys of a list. Codes have no control characters above a tab. */
const rangeOf = (list: LoadedListName) => ({ start: list + separator, end: `${list}\n` });

export function clearCodeList(table: TextTable, list: LoadedListName): void {
  table.transactionSync(() => {
    for (const key of [...table.getKeys(rangeOf(list))]) table.removeSync(key);
  });
}

/** Adds a row; further rows of a code add what is new to its list. @returns whether the code is new */
export function putCode(
  table: TextTable,
  list: LoadedListName,
  { code, attributes, list: member, items }: CodeListEntry,
): boolean {
  const key = list + separator + code;
  const known = table.get(key);
  const earlier = known === undefined ? null : JSON.parse(known);
  const listed = new Set<string>(earlier?.[member].map((item: unknown) => JSON.stringify(item)));
  const added = items.filter((item) => !listed.has(JSON.stringify(item)));
  const all = [...(earlier?.[member] ?? []), ...added];
  table.putSync(key, JSON.stringify({ code, ...attributes, ...earlier, [member]: all }));
  return earlier === null;
}

/** The codes of a list in their order; none if the publication has not loaded it. */
export function readCodeList(table: TextTable | null, list: LoadedListName): readonly StoredCode[] {
  if (table === null) return [];
  return Array.from(table.getRange(rangeOf(list)), ({ value }) => {
    const attributes = JSON.parse(value);
    return { code: String(attributes.code), attributes };
  });
}
