/** Lists the files of a data set, with their names and their texts as streams. */
import type { Family } from '../lei/golden-copy.ts';
import { kindsByFile, type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import { publishedAt, secondsPerDay, utcTime } from './dates.ts';
import { createDelta, type DayOfChanges } from './delta.ts';
import { entityRecord } from './entities.ts';
import { exceptionsOf } from './exceptions.ts';
import {
  type Entry,
  exceptionWriter,
  type FileFormat,
  goldenCopyText,
  level1Writer,
  relationshipWriter,
} from './files/golden-copy.ts';
import type { FileHeader } from './files/tree-texts.ts';
import { type EntityRange, mappingPairs } from './mappings.ts';
import { relationshipsFrom } from './relationships.ts';
import type { World } from './world.ts';

/** GLEIF's names of an archive and its one member. */
interface FileName {
  readonly archive: string;
  readonly member: string;
}

/** A file to write. Its text is made in parts, in any order, so that several threads can make it. */
export interface FilePlan {
  readonly name: FileName;
  /** The most bytes of a row: decides whether the archive needs Zip64. */
  readonly rowBytes: number;
  readonly parts: number;
  /** The text of a part, piece by piece; `count` receives the number of its rows so far. */
  text(part: number, count: (rows: number) => void): Generator<string>;
}

/** A few megabytes of text, in each format. */
const entitiesPerPart = 1_000;

function partsOf({ entities }: World): number {
  return Math.ceil(entities / entitiesPerPart);
}

function rangeOf({ entities }: World, part: number): EntityRange {
  return { from: part * entitiesPerPart, to: Math.min(entities, (part + 1) * entitiesPerPart) };
}

/** The records of a range of entities, in order of LEI. */
function* ofEntities<T>(
  { from, to }: EntityRange,
  records: (entity: number) => readonly T[],
): Generator<Entry<T>> {
  for (let entity = from; entity < to; entity++) {
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

interface RecordFile<T> {
  readonly writer: Parameters<typeof goldenCopyText<T>>[1];
  readonly rowBytes: number;
  readonly parts: number;
  entries(part: number): Iterable<Entry<T>>;
}

function goldenCopy<T>(
  { writer, rowBytes, parts, entries }: RecordFile<T>,
  format: FileFormat,
  published: number,
  window: 'golden-copy' | 'last-day',
): FilePlan {
  // The XML header states the count before the records: generating them twice keeps memory constant.
  const recordCount = () => {
    let count = 0;
    for (let part = 0; part < parts; part++) count += lengthOf(entries(part));
    return count;
  };
  const header = (): FileHeader => ({
    contentDate: utcTime(published),
    fileContent: window === 'golden-copy' ? 'GLEIF_FULL_PUBLISHED' : 'GLEIF_DELTA_PUBLISHED',
    deltaStart: window === 'golden-copy' ? null : utcTime(published - secondsPerDay),
    recordCount: recordCount(),
  });
  const isAnyBefore = (part: number) => {
    for (let before = 0; before < part; before++) for (const _ of entries(before)) return true;
    return false;
  };
  return {
    name: goldenCopyName(writer.family, published, window, format),
    rowBytes: format === 'csv' ? rowBytes : rowBytes * 5,
    parts,
    text: (part, count) =>
      goldenCopyText(format, writer, counted(entries(part), count), header, {
        begins: part === 0,
        ends: part === parts - 1,
        follows: () => isAnyBefore(part),
      }),
  };
}

export function fullPlans(world: World, format: FileFormat): FilePlan[] {
  const parts = partsOf(world);
  const full = <T>(
    writer: RecordFile<T>['writer'],
    rowBytes: number,
    records: (entity: number) => readonly T[],
  ) => {
    const entries = (part: number) => ofEntities(rangeOf(world, part), records);
    return goldenCopy({ writer, rowBytes, parts, entries }, format, publishedAt, 'golden-copy');
  };
  return [
    full(level1Writer, 1_500, (entity) => [entityRecord(world, entity, publishedAt)]),
    full(relationshipWriter, 120, (entity) => relationshipsFrom(world, entity, publishedAt)),
    full(exceptionWriter, 220, (entity) => exceptionsOf(world, entity)),
    ...kindsByFile.map((kind) => mapping(world, kind)),
  ];
}

function mapping(world: World, kind: MappingKind): FilePlan {
  const { ranged, pairs } = mappingPairs[kind](world);
  return {
    name: mappingName(kind, publishedAt),
    rowBytes: 120,
    parts: ranged ? partsOf(world) : 1,
    *text(part, count) {
      if (part === 0) yield `LEI,${mappingTable[kind].column}\n`;
      const range = ranged ? rangeOf(world, part) : { from: 0, to: world.entities };
      for (const [lei, identifier] of counted(pairs(range), count)) yield `${lei},${identifier}\n`;
    },
  };
}

export function deltaPlans(world: World, format: FileFormat, day: DayOfChanges): FilePlan[] {
  const delta = createDelta(world, publishedAt, day);
  const next = publishedAt + day.day * secondsPerDay;
  // CSV can't express a deletion, so level 2 of a CSV delta is XML, as operators download it.
  const level2 = format === 'csv' ? 'xml' : format;
  const changes = <T>(writer: RecordFile<T>['writer'], entries: () => Iterable<Entry<T>>, of: FileFormat) =>
    goldenCopy({ writer, rowBytes: 20, parts: 1, entries }, of, next, 'last-day');
  return [
    changes(level1Writer, delta.level1, format),
    changes(relationshipWriter, delta.relationships, level2),
    changes(exceptionWriter, delta.exceptions, level2),
  ];
}

/** A time as GLEIF's file names write it: day `20261004`, time `160000`. */
function stamps(seconds: number): { day: string; time: string } {
  const text = utcTime(seconds);
  return { day: text.slice(0, 10).replaceAll('-', ''), time: text.slice(11, 19).replaceAll(':', '') };
}

/** Such as `20261004-1600-gleif-goldencopy-lei2-golden-copy.csv.zip`. */
function goldenCopyName(
  family: Family,
  published: number,
  window: 'golden-copy' | 'last-day',
  format: FileFormat,
): FileName {
  const { day, time } = stamps(published);
  const member = `${day}-${time.slice(0, 4)}-gleif-goldencopy-${family}-${window}.${format}`;
  return { archive: `${member}.zip`, member };
}

/** For ISIN and OpenCorporates, the member's name has the words of the archive's name in reverse order. */
function mappingName(mapping: MappingKind, published: number): FileName {
  const kind = mappingTable[mapping].file;
  const { day, time } = stamps(published);
  if (kind === 'isin' || kind === 'oc') {
    return { archive: `${kind}-lei-${day}T${time}.zip`, member: `lei-${kind}-${day}T${time}.csv` };
  }
  return { archive: `LEI-${kind.toUpperCase()}-${day}.zip`, member: `lei-${kind}-${day}T000000.csv` };
}

/** The ISO 10383 list is not compressed. */
export function micListName(published: number): string {
  return `ISO10383_MIC-${stamps(published).day}.csv`;
}
