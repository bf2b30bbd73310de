/**
 * Asks GLEIF's two publishing services for the newest golden copy with its deltas, and for mapping files. Answers are
 * checked against schemas here, once, and become our own types.
 */

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { dateInNames, writtenDate } from '../../../lei/dates.ts';
import { type DeltaWindow, deltaWindows, type Family } from '../../../lei/golden-copy.ts';
import { quoted } from '../../../terminal-text.ts';
import { followed } from './addresses.ts';
import { askForDate, askForJson } from './answers.ts';
import { FetchFailure } from './failures.ts';
import type { Transport } from './transport.ts';

/** A file that a publisher offers. */
export interface PublishedFile {
  readonly url: string;
  /** As the publisher names it. */
  readonly name: string;
  /** Bytes as sent; null if the publisher does not say. */
  readonly bytes: number | null;
  /** Null if the publisher does not say. */
  readonly records: number | null;
}

/** A plain file name of at most 200 characters: it becomes a path under the data folder. */
const fileNamePattern = '^\\w[\\w.-]{0,199}$';

export const families: readonly Family[] = ['lei2', 'rr', 'repex'];
export type PublishedFormat = 'xml' | 'json' | 'csv';

type ByFormat = Readonly<Partial<Record<PublishedFormat, PublishedFile>>>;

interface PublishedFamily {
  readonly full: ByFormat;
  readonly deltas: Readonly<Partial<Record<DeltaWindow['name'], ByFormat>>>;
}

export interface Publish {
  /** UTC, ISO 8601: one of three times a day. */
  readonly publishedAt: string;
  readonly families: Readonly<Record<Family, PublishedFamily>>;
}

const FileAnswer = Type.Object({
  url: Type.String({ minLength: 1 }),
  record_count: Type.Optional(Type.Integer({ minimum: 0 })),
  size: Type.Optional(Type.Integer({ minimum: 0 })),
});
const FormatsAnswer = Type.Object({
  xml: Type.Optional(FileAnswer),
  json: Type.Optional(FileAnswer),
  csv: Type.Optional(FileAnswer),
});
const PublishDate = Type.Optional(Type.String());
const FamilyAnswer = Type.Object({
  publish_date: PublishDate,
  full_file: FormatsAnswer,
  delta_files: Type.Optional(
    Type.Object({
      IntraDay: Type.Optional(FormatsAnswer),
      LastDay: Type.Optional(FormatsAnswer),
      LastWeek: Type.Optional(FormatsAnswer),
      LastMonth: Type.Optional(FormatsAnswer),
    }),
  ),
});
const PublishAnswer = Type.Object({
  publish_date: PublishDate,
  lei2: FamilyAnswer,
  rr: FamilyAnswer,
  repex: FamilyAnswer,
});
const MappingAnswer = Type.Object({
  attributes: Type.Object({
    fileName: Type.String({ pattern: fileNamePattern }),
    downloadLink: Type.String({ minLength: 1 }),
  }),
});

/**
 * The newest golden copy: `GET {base}/latest`, whose `data` is one publish, or a list that begins with it.
 * @param base such as https://goldencopy.gleif.org/api/v2/golden-copies/publishes
 */
export async function latestPublish(transport: Transport, base: string): Promise<Publish> {
  const url = `${base}/latest`;
  const answer = checked(PublishAnswer, dataOf(await askForJson(transport, url)), url);
  const family = (name: Family) => familyOf(answer[name], url);
  // The date was seen both on the whole publish and on each family.
  const publishedAt = utcOf(answer.publish_date ?? answer.lei2.publish_date, url);
  refuseFuture(transport, Date.parse(publishedAt), url);
  return {
    publishedAt,
    families: { lei2: family('lei2'), rr: family('rr'), repex: family('repex') },
  };
}

/**
 * The newest file of one mapping: `GET {base}/{kind}-lei/latest`.
 * @param base such as https://mapping.gleif.org/api/v2
 * @param kind the name of the file in the table of identifier kinds
 */
export async function latestMapping(
  transport: Transport,
  base: string,
  kind: string,
): Promise<PublishedFile> {
  const url = `${base}/${kind}-lei/latest`;
  const { attributes } = checked(MappingAnswer, dataOf(await askForJson(transport, url)), url);
  const { downloadLink, fileName: name } = attributes;
  refuseFuture(transport, Date.parse(dateInNames(name) ?? ''), url);
  return { url: followed(downloadLink, url), name, bytes: null, records: null };
}

/**
 * The ISO 10383 list of markets, which SWIFT keeps at one address. Only Last-Modified states its date, which becomes
 * part of the name, as in the names of the other files.
 */
export async function latestMicList(transport: Transport, url: string): Promise<PublishedFile> {
  const modified = await askForDate(transport, url);
  refuseFuture(transport, modified.getTime(), url);
  const day = modified.toISOString().slice(0, 10).replaceAll('-', '');
  return { url, name: `ISO10383_MIC-${day}.csv`, bytes: null, records: null };
}

/** The `data` member; its first item if it is a list. */
function dataOf(answer: unknown): unknown {
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : undefined;
  return Array.isArray(data) ? data[0] : data;
}

function checked<S extends TSchema>(schema: S, data: unknown, url: string): Static<S> {
  if (Value.Check(schema, data)) return data;
  const first = Value.Errors(schema, data).First();
  const where = `data${first?.path ?? ''}`.replaceAll('/', '.');
  throw new FetchFailure(
    'unexpected-answer',
    `${url} answered unexpected JSON: ${where}: ${first?.message ?? 'not as expected'}.`,
  );
}

function familyOf(answer: Static<typeof FamilyAnswer>, base: string): PublishedFamily {
  const deltas: Partial<Record<DeltaWindow['name'], ByFormat>> = {};
  for (const { name } of deltaWindows) {
    const formats = answer.delta_files?.[name];
    if (formats !== undefined) deltas[name] = formatsOf(formats, base);
  }
  return { full: formatsOf(answer.full_file, base), deltas };
}

function formatsOf(answer: Static<typeof FormatsAnswer>, base: string): ByFormat {
  const formats: Partial<Record<PublishedFormat, PublishedFile>> = {};
  for (const format of ['xml', 'json', 'csv'] as const) {
    const file = answer[format];
    if (file === undefined) continue;
    const { url, size, record_count } = file;
    formats[format] = { ...linkedFile(url, base), bytes: size ?? null, records: record_count ?? null };
  }
  return formats;
}

/** The UTC time `2026-03-23 08:00:00` as ISO 8601. */
function utcOf(date: string | undefined, url: string): string {
  if (date === undefined) {
    throw new FetchFailure('unexpected-answer', `${url} has no date of publication (publish_date).`);
  }
  // Refuse a day alone: each day has three publishes.
  const utc = date.length > 10 ? writtenDate(date) : null;
  if (utc !== null) return utc;
  throw new FetchFailure(
    'unexpected-answer',
    `${url} gives the date ${quoted(date)}, which is not a date with a time.`,
  );
}

/** The file that a link leads to, named by the link. @param base address of the answer with the link */
function linkedFile(link: string, base: string): Pick<PublishedFile, 'url' | 'name'> {
  const url = followed(link, base);
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  if (new RegExp(fileNamePattern).test(name)) return { url, name };
  throw new FetchFailure(
    'unexpected-answer',
    `${base} gives the link ${quoted(url)}, which does not end in a file name.`,
  );
}

/** The latest time that a publisher may state, in milliseconds since 1970. */
export function latestTime({ now, limits }: Pick<Transport, 'now' | 'limits'>): number {
  return now() + limits.futureMsMax;
}

/** The earliest time that a file of a publish may state for itself, in milliseconds since 1970. */
export function earliestTime(
  { limits }: Pick<Transport, 'limits'>,
  { publishedAt }: { readonly publishedAt: string },
): number {
  return Date.parse(publishedAt) - limits.staleMsMax;
}

/**
 * Refuses dates in the future: an update that believed one would find nothing newer until then.
 * @param time in milliseconds since 1970; NaN if the publisher states none
 * @throws FetchFailure
 */
function refuseFuture(transport: Transport, time: number, url: string): void {
  if (!(time > latestTime(transport))) return;
  throw new FetchFailure(
    'unexpected-answer',
    `${url} gives the date ${new Date(time).toISOString()}, which is in the future. If the date is right, this machine's clock is wrong.`,
  );
}
