/** Writes a synthetic data set in GLEIF's own file formats: the table of contents of the generator. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExpectedFailure } from '../errors.ts';
import { kindsByFile, type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import { secondsPerDay, utcTime } from './dates.ts';
import { createDelta } from './delta.ts';
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
import { micListText } from './files/mic-list.ts';
import { textChunks } from './files/text-chunks.ts';
import type { FileHeader } from './files/xml.ts';
import { writeZip } from './files/zip-writer.ts';
import { mappingPairs, markets, type Pair } from './mappings.ts';
import { type FileName, goldenCopyName, mappingName, micListName } from './names-of-files.ts';
import { relationshipsFrom } from './relationships.ts';
import { createWorld, type World } from './world.ts';

/** When every generated full set is published; fixed, since a seed must mean the same bytes for ever. */
export const publishedAt = Date.UTC(2026, 9, 4, 16) / 1000;

export const entitiesLeast = 1;
export const entitiesMost = 20_000_000;

export interface GenerateOptions {
  readonly entities: number;
  readonly seed: number;
  /** The files of the following day instead of the full set. */
  readonly delta: boolean;
  readonly format: Format;
  readonly folder: string;
}

export interface GeneratedFile {
  readonly name: string;
  /** Rows or records, header lines not counted. */
  readonly rows: number;
  /** On disk. */
  readonly bytes: number;
}

/** Told after every chunk: which file, and how many of its rows are written. */
export type Progress = (file: string, rows: number) => void;

/** A file still to be written. */
interface Plan {
  readonly name: FileName;
  /** Bytes of a row, generously: tells whether the archive needs Zip64. */
  readonly rowBytes: number;
  text(count: (rows: number) => void): Generator<string>;
}

/**
 * Files are written here, inside the folder they are for, and moved out of it when all of them are whole: half a data
 * set looks like a set that has no relationships. `*` of a shell does not find it. Where it stands, whatever was moved
 * already is of a try that was ended.
 */
const unfinishedName = '.unfinished';

/**
 * What a try left that was ended from outside is replaced.
 * @throws where the folder holds anything else already, whose files would be loaded together with these; and the
 * system's error where a file can't be written: what was begun is removed then, since half a data set is of no use
 */
export async function generate(options: GenerateOptions, progress: Progress): Promise<GeneratedFile[]> {
  const { folder } = options;
  const world = createWorld(options.seed, options.entities);
  const plans = options.delta ? deltaPlans(world, options.format) : fullPlans(world, options.format);
  const names = [
    ...plans.map(({ name }) => name.archive),
    ...(options.delta ? [] : [micListName(publishedAt)]),
  ];
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).includes(unfinishedName)) await removeFrom(folder, names);
  if ((await readdir(folder)).length > 0) throw new FolderNotEmpty(folder);
  const unfinished = join(folder, unfinishedName);
  try {
    await mkdir(unfinished);
    const files = await writeFiles(world, plans, { ...options, folder: unfinished }, progress);
    for (const { name } of files) await rename(join(unfinished, name), join(folder, name));
    await rm(unfinished, { recursive: true });
    return files;
  } catch (error) {
    await removeFrom(folder, names);
    throw error;
  }
}

/** The unfinished ones last: as long as they are there, the rest is known to be no set. */
async function removeFrom(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
  await rm(join(folder, unfinishedName), { recursive: true, force: true });
}

async function writeFiles(
  world: World,
  plans: readonly Plan[],
  options: GenerateOptions,
  progress: Progress,
): Promise<GeneratedFile[]> {
  const files: GeneratedFile[] = [];
  for (const plan of plans) files.push(await writePlan(plan, options, progress));
  if (!options.delta) files.push(await writeMicList(world, options.folder));
  return files;
}

/** The folder to generate into holds files of others. */
export class FolderNotEmpty extends ExpectedFailure {
  override readonly name = 'FolderNotEmpty';
  constructor(folder: string) {
    super(
      'folder-not-empty',
      `${folder} is not empty; give a new folder, so that it holds nothing but the generated files.`,
    );
  }
}

async function writePlan(plan: Plan, options: GenerateOptions, progress: Progress): Promise<GeneratedFile> {
  let rows = 0;
  const text = plan.text((count) => {
    rows = count;
  });
  const { archive, member } = plan.name;
  const time = options.delta ? publishedAt + secondsPerDay : publishedAt;
  const large = options.entities * plan.rowBytes > 2 ** 31;
  const reported = reporting(textChunks(text), () => progress(archive, rows));
  const written = await writeZip(join(options.folder, archive), { name: member, time, large }, reported);
  return { name: archive, rows, bytes: written.packedBytes };
}

function* reporting(chunks: Iterable<Uint8Array>, report: () => void): Generator<Uint8Array> {
  for (const chunk of chunks) {
    report();
    yield chunk;
  }
}

async function writeMicList(world: World, folder: string): Promise<GeneratedFile> {
  const lines = [...micListText(world, markets(world))];
  const content = lines.join('');
  const name = micListName(publishedAt);
  await writeFile(join(folder, name), content);
  return { name, rows: lines.length - 1, bytes: Buffer.byteLength(content) };
}

/** One record after another of every entity, in order of LEI. */
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
  // The XML header states the count before the records: they are made twice rather than kept.
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

function fullPlans(world: World, format: Format): Plan[] {
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

function deltaPlans(world: World, format: Format): Plan[] {
  const delta = createDelta(world, publishedAt);
  const next = publishedAt + secondsPerDay;
  // CSV has no way to say that a record is gone, so level 2 of a CSV delta comes as XML, as operators fetch it.
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
