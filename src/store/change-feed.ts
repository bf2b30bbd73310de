/** Follows the changes of the publications that came after one, oldest first. */
import type { ChangeKind } from '../lei/change-kinds.ts';
import type { BytesTable, ReadTransaction, TextTable } from '../lmdb.ts';
import type { ChangesSinceQuery } from '../protocol/ext-questions.ts';
import { isPublicationId, sourceTimeOf } from '../publication/layout.ts';
import { beginning, type ChangePlace, listedChanges, timeOfVersion } from './change-order.ts';
import { changeKeyAt, kindOfChange, placeOfChangeKey, renderChange } from './change-records.ts';
import type { ChangesSince } from './publication-reader.ts';
import type { RawPublication } from './raw-publication.ts';
import type { RecordTexts } from './render-company.ts';
import type { ServedTables } from './tables.ts';

/** The most changes that one page reads: a page of a rare kind may have fewer than requested, or none. */
const changesPerPageMax = 20_000;

/**
 * @param nameOf the legal name of a company; null if it has no record
 * @param lookedMax the most changes that one page reads
 */
export function openChangeFeed(
  raw: RawPublication<ServedTables>,
  texts: RecordTexts,
  nameOf: (lei: string) => string | null,
  lookedMax = changesPerPageMax,
): (query: ChangesSinceQuery) => ChangesSince {
  const { meta, tables, transaction } = raw;
  const { changes, changeOrder } = tables;
  /** Source times of the versions that can be followed, by index; read at the first use. */
  let times: ReadonlyMap<number, number> | null = null;
  return (query) => {
    times ??= timesFollowed(changeOrder, meta.versions.length - 1, transaction);
    const oldest = meta.versions.length - 1 - times.size;
    const version = versionBefore(meta.versions, oldest, query.since);
    if (typeof version !== 'number') return { outcome: 'refused', detail: version.refused };
    const after = query.after === null ? endOf(version) : placeOf(query.after);
    const found =
      query.leis.length > 0
        ? watchedChanges(changes, query.leis, { after, times, transaction })
        : listedChanges(changeOrder, after, transaction);
    return {
      outcome: 'page',
      since: meta.versions[version] ?? '',
      ...page(found, { ...query, lookedMax }, textOf(raw, texts, nameOf)),
    };
  };
}

/** The newest versions in a row whose changes are in order. */
function timesFollowed(
  table: BytesTable,
  newest: number,
  transaction: ReadTransaction,
): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (let version = newest; version > 0; version--) {
    const time = timeOfVersion(table, version, transaction);
    if (time === null) break;
    times.set(version, time);
  }
  return times;
}

/** The index of the version that `since` names, or of the last one that is not later than its time. */
function versionBefore(
  versions: readonly string[],
  oldest: number,
  since: string,
): number | { readonly refused: string } {
  const first = versions[oldest] ?? '';
  const reach = `the changes reach back to ${first}, of ${sourceTimeOf(first)}, which is the oldest possible since`;
  if (isPublicationId(since)) {
    const index = versions.lastIndexOf(since);
    if (index === -1)
      return { refused: `must be a dataset version that led to ${versions.at(-1)}, or a time; ${reach}` };
    return index < oldest ? { refused: `is too old: ${reach}` } : index;
  }
  const time = Date.parse(since);
  if (time < Date.parse(sourceTimeOf(first))) return { refused: `is too old: ${reach}` };
  const later = versions.findIndex((id, index) => index > oldest && Date.parse(sourceTimeOf(id)) > time);
  return later === -1 ? versions.length - 1 : later - 1;
}

/** The position after all changes of a version. */
function endOf(version: number): ChangePlace {
  return { version: version + 1, sequence: -1 };
}

function positionOf({ version, sequence }: ChangePlace): string {
  return `${version}.${sequence}`;
}

function placeOf(position: string): ChangePlace {
  const [version, sequence] = position.split('.').map(Number);
  if (version === undefined || sequence === undefined)
    throw new Error(`No page of changes begins at ${position}. Start again from the first page.`);
  return { version, sequence };
}

/** A change, as it is found. */
interface FoundChange extends ChangePlace {
  readonly lei: string;
  readonly kind: ChangeKind;
  readonly key: Buffer;
  /** Its row, if it is already read. */
  readonly row?: string;
}

function textOf(
  { tables, transaction }: RawPublication,
  texts: RecordTexts,
  nameOf: (lei: string) => string | null,
) {
  return ({ lei, key, row }: FoundChange): string => {
    const stored = row ?? tables.changes.get(key, { transaction });
    if (stored === undefined)
      throw new Error(`A listed change of ${lei} is not stored. Check the publication with lei verify.`);
    return `{"lei":"${lei}","name":${JSON.stringify(nameOf(lei))},${renderChange(stored, texts).slice(1)}`;
  };
}

function page(
  found: Iterable<FoundChange>,
  { kinds, limit, lookedMax }: ChangesSinceQuery & { readonly lookedMax: number },
  textOfChange: (change: FoundChange) => string,
): { readonly items: readonly string[]; readonly next: string | null } {
  const items: string[] = [];
  let looked = 0;
  let last: ChangePlace = beginning;
  for (const change of found) {
    if (items.length === limit || looked === lookedMax) return { items, next: positionOf(last) };
    looked++;
    last = change;
    if (kinds.length === 0 || kinds.includes(change.kind)) items.push(textOfChange(change));
  }
  return { items, next: null };
}

interface FeedWatch {
  readonly after: ChangePlace;
  readonly times: ReadonlyMap<number, number>;
  readonly transaction: ReadTransaction;
}

/** The changes of some companies, from their own rows: the cost depends on the changes of these companies only. */
function* watchedChanges(
  table: TextTable,
  leis: readonly string[],
  watch: FeedWatch,
): Generator<FoundChange> {
  for (const run of runsOf(watch)) {
    yield* merged(leis.map((lei) => changesOfOne(table, lei, run, watch.transaction)));
  }
}

/** Consecutive versions whose times do not go back: the rows of a company are in their order. */
interface VersionRun {
  readonly first: ChangePlace & { readonly time: number };
  last: { readonly version: number; readonly time: number };
}

function runsOf({ after, times }: FeedWatch): readonly VersionRun[] {
  const runs: VersionRun[] = [];
  const versions = [...times.keys()].filter((version) => version >= after.version).sort((a, b) => a - b);
  for (const version of versions) {
    const time = times.get(version) ?? 0;
    const run = runs.at(-1);
    if (run !== undefined && time >= run.last.time) run.last = { version, time };
    else {
      const sequence = version === after.version ? after.sequence + 1 : 0;
      runs.push({ first: { version, sequence, time }, last: { version, time } });
    }
  }
  return runs;
}

const lastSequence = 0xffffffff;

function* changesOfOne(
  table: TextTable,
  lei: string,
  { first, last }: VersionRun,
  transaction: ReadTransaction,
): Generator<FoundChange> {
  const range = {
    start: changeKeyAt({ lei, ...first }),
    end: changeKeyAt({ lei, ...last, sequence: lastSequence }),
    transaction,
  };
  for (const { key, value } of table.getRange(range)) {
    const kind = kindOfChange(value);
    if (!Buffer.isBuffer(key) || kind === null) continue;
    const place = placeOfChangeKey(key);
    // A row of another version may stand in between, because of its time.
    if (place.version < first.version || place.version > last.version) continue;
    yield { ...place, lei, kind, key, row: value };
  }
}

/** Merges lists, each in order, into one. */
function* merged(lists: readonly Generator<FoundChange>[]): Generator<FoundChange> {
  const heads = lists.flatMap((list) => {
    const { done, value } = list.next();
    return done === true ? [] : [{ list, change: value }];
  });
  try {
    while (heads.length > 0) {
      const head = heads.reduce((least, each) => (isBefore(each.change, least.change) ? each : least));
      yield head.change;
      const { done, value } = head.list.next();
      if (done === true) heads.splice(heads.indexOf(head), 1);
      else head.change = value;
    }
  } finally {
    // The page is full: close the lists that are not at their end.
    for (const { list } of heads) list.return(undefined);
  }
}

function isBefore(a: ChangePlace, b: ChangePlace): boolean {
  return a.version < b.version || (a.version === b.version && a.sequence < b.sequence);
}
