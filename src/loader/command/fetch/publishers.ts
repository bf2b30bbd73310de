/**
 * What GLEIF's two publishing services say is newest: golden copies with their deltas, and mapping files.
 * Answers are checked against schemas here, once, and become our own words.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { writtenDate } from '../../parse/dates.ts';
import { FetchFailure } from './fetch-failure.ts';
import { askForDate, askForJson, type Transport } from './transport.ts';

/** The three families of a golden copy: companies, relationships, reporting exceptions. */
export const families = ['lei2', 'rr', 'repex'] as const;
export type Family = (typeof families)[number];
export type PublishedFormat = 'xml' | 'json' | 'csv';

/** Delta windows from short to long, by the publisher's names. */
export const deltaWindows = [
  { name: 'IntraDay', hours: 8 },
  { name: 'LastDay', hours: 24 },
  { name: 'LastWeek', hours: 7 * 24 },
  { name: 'LastMonth', hours: 31 * 24 },
] as const;
export type DeltaWindow = (typeof deltaWindows)[number];

/** A file that can be downloaded. */
export interface PublishedFile {
  readonly url: string;
  /** As the publisher names it. */
  readonly name: string;
  /** Bytes as sent; null where the publisher does not say. */
  readonly bytes: number | null;
  /** Null where the publisher does not say. */
  readonly records: number | null;
}

type ByFormat = Readonly<Partial<Record<PublishedFormat, PublishedFile>>>;

export interface PublishedFamily {
  readonly full: ByFormat;
  readonly deltas: Readonly<Partial<Record<DeltaWindow['name'], ByFormat>>>;
}

export interface Publish {
  /** UTC, ISO 8601: the slot, one of three a day. */
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
    fileName: Type.String({ pattern: '^\\w[\\w.-]*$' }),
    downloadLink: Type.String({ minLength: 1 }),
  }),
});

/**
 * The newest golden copy: `GET {base}/latest`, whose `data` is one publish (or, in a list, the first).
 * @param base as https://goldencopy.gleif.org/api/v2/golden-copies/publishes
 */
export async function latestPublish(transport: Transport, base: string): Promise<Publish> {
  const url = `${base}/latest`;
  const answer = checked(PublishAnswer, dataOf(await askForJson(transport, url)), url);
  const family = (name: Family) => familyOf(answer[name], url);
  return {
    // Seen with the whole publish and with each of its families.
    publishedAt: utcOf(answer.publish_date ?? answer.lei2.publish_date, url),
    families: { lei2: family('lei2'), rr: family('rr'), repex: family('repex') },
  };
}

/**
 * The newest file of one mapping: `GET {base}/{kind}-lei/latest`.
 * @param base as https://mapping.gleif.org/api/v2
 * @param kind isin, bic, mic, gem, qcc or oc
 */
export async function latestMapping(
  transport: Transport,
  base: string,
  kind: string,
): Promise<PublishedFile> {
  const url = `${base}/${kind}-lei/latest`;
  const { attributes } = checked(MappingAnswer, dataOf(await askForJson(transport, url)), url);
  return {
    url: absolute(attributes.downloadLink, url),
    name: attributes.fileName,
    bytes: null,
    records: null,
  };
}

/**
 * The ISO 10383 list of markets, which SWIFT keeps under one address: its date is told by Last-Modified alone, and
 * becomes part of the name, as in the names of the other files.
 */
export async function latestMicList(transport: Transport, url: string): Promise<PublishedFile> {
  const modified = await askForDate(transport, url);
  const day = modified.toISOString().slice(0, 10).replaceAll('-', '');
  return { url, name: `ISO10383_MIC-${day}.csv`, bytes: null, records: null };
}

/** The `data` member, or the first of its items. */
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
    `${url} answered JSON of another shape: ${where}: ${first?.message ?? 'not as expected'}.`,
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
    if (file !== undefined) formats[format] = fileOf(file, base);
  }
  return formats;
}

function fileOf(answer: Static<typeof FileAnswer>, base: string): PublishedFile {
  const url = absolute(answer.url, base);
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  // The name becomes a path under the data folder: nothing but a plain file name may come from outside.
  if (!/^\w[\w.-]*$/.test(name)) {
    throw new FetchFailure(
      'unexpected-answer',
      `${base} gives the link ${JSON.stringify(url)}, which does not end in the name of a file.`,
    );
  }
  return { url, name, bytes: answer.size ?? null, records: answer.record_count ?? null };
}

function absolute(link: string, base: string): string {
  const url = URL.canParse(link, base) ? new URL(link, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new FetchFailure(
      'unexpected-answer',
      `${base} gives the link ${JSON.stringify(link)}, which leads to no http(s) address.`,
    );
  }
  return url.href;
}

/** `2026-03-23 08:00:00`, which is UTC, as ISO 8601. */
function utcOf(date: string | undefined, url: string): string {
  if (date === undefined) {
    throw new FetchFailure('unexpected-answer', `${url} does not say when it was published (publish_date).`);
  }
  // A day has three publishes.
  const utc = date.length > 10 ? writtenDate(date) : null;
  if (utc !== null) return utc;
  throw new FetchFailure(
    'unexpected-answer',
    `${url} gives the date ${JSON.stringify(date)}, which is no date with a time.`,
  );
}
