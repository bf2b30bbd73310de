/** Lists the files of a data set, with their names and their texts as streams. */
import { kindsByFile, type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import { publishedAt, secondsPerDay, utcTime } from './dates.ts';
import { createDelta, type DayOfChanges } from './delta.ts';
import { entityRecord } from './entities.ts';
import { exceptionsOf } from './exceptions.ts';
import {
  type Entry,
  exceptionWriter,
  type Format,
  goldenCopyText,
  level1Writer,
  relationshipWriter,
} from './files/golden-copy.ts';
import type { FileHeader } from './files/xml.ts';
import { mappingPairs, type Pair } from './mappings.ts';
import { type FileName, goldenCopyName, mappingName } from './names-of-files.ts';
import { relationshipsFrom } from './relationships.ts';
import type { World } from './world.ts';

/** A file to write. */
export interface Plan {
  readonly name: FileName;
  /** Bytes of a row at most: decides whether the archive needs Zip64. */
  readonly rowBytes: number;
  /** The text, piece by piece; `count` gets the number of rows so far. */
  text(count: (rows: number) => void): Generator<string>;
}

/** The records of every entity, in order of LEI. */
function* ofEntities<T>(world: World, records: (entity: number) => readonly T[]): Generator<Entry<T>> {
  for (let entity = 0; entity < world.entities; entity++) {
    for (const record of records(entity)) yield { record, deletedAt: null };
  }
}

function* counted<T>(entries: Iterable<T>, count: (rows: number) => void): Generator<T> {
  let rows = 0;
  for (const entry of entries) {
    rows++;
    count(rows);
    yield entry;
  }
}

function lengthOf(entries: Iterable<unknown>): number {
  let count = 0;
  for (const _ of entries) count++;
  return count;
}

interface Records<T> {
  readonly writer: Parameters<typeof goldenCopyText<T>>[1];
  readonly rowBytes: number;
  entries(): Iterable<Entry<T>>;
}

function goldenCopy<T>(
  { writer, rowBytes, entries }: Records<T>,
  format: Format,
  published: number,
  window: 'golden-copy' | 'last-day',
): Plan {
  // The XML header states the count before the records: making them twice keeps memory constant.
  const header = (): FileHeader => ({
    contentDate: utcTime(published),
    fileContent: window === 'golden-copy' ? 'GLEIF_FULL_PUBLISHED' : 'GLEIF_DELTA_PUBLISHED',
    deltaStart: window === 'golden-copy' ? null : utcTime(published - secondsPerDay),
    recordCount: lengthOf(entries()),
  });
  return {
    name: goldenCopyName(writer.family, published, window, format),
    rowBytes: format === 'csv' ? rowBytes : rowBytes * 5,
    text: (count) => goldenCopyText(format, writer, counted(entries(), count), header),
  };
}

export function fullPlans(world: World, format: Format): Plan[] {
  const level1 = {
    writer: level1Writer,
    rowBytes: 1_500,
    entries: () => ofEntities(world, (entity) => [entityRecord(world, entity, publishedAt)]),
  };
  const relationships = {
    writer: relationshipWriter,
    rowBytes: 120,
    entries: () => ofEntities(world, (entity) => relationshipsFrom(world, entity, publishedAt)),
  };
  const exceptions = {
    writer: exceptionWriter,
    rowBytes: 220,
    entries: () => ofEntities(world, (entity) => exceptionsOf(world, entity)),
  };
  return [
    goldenCopy(level1, format, publishedAt, 'golden-copy'),
    goldenCopy(relationships, format, publishedAt, 'golden-copy'),
    goldenCopy(exceptions, format, publishedAt, 'golden-copy'),
    ...kindsByFile.map((kind) => mapping(kind, () => mappingPairs[kind](world))),
  ];
}

function mapping(kind: MappingKind, pairs: () => Iterable<Pair>): Plan {
  return {
    name: mappingName(kind, publishedAt),
    rowBytes: 120,
    *text(count) {
      yield `LEI,${mappingTable[kind].column}\n`;
      for (const [lei, identifier] of counted(pairs(), count)) yield `${lei},${identifier}\n`;
    },
  };
}

export function deltaPlans(world: World, format: Format, day: DayOfChanges): Plan[] {
  const delta = createDelta(world, publishedAt, day);
  const next = publishedAt + day.day * secondsPerDay;
  // CSV can't express a deletion, so level 2 of a CSV delta is XML, as operators fetch it.
  const level2 = format === 'csv' ? 'xml' : format;
  const level1 = { writer: level1Writer, rowBytes: 20, entries: () => delta.level1() };
  const relationships = { writer: relationshipWriter, rowBytes: 20, entries: () => delta.relationships() };
  const exceptions = { writer: exceptionWriter, rowBytes: 20, entries: () => delta.exceptions() };
  return [
    goldenCopy(level1, format, next, 'last-day'),
    goldenCopy(relationships, level2, next, 'last-day'),
    goldenCopy(exceptions, level2, next, 'last-day'),
  ];
}
