/** Answers with records: one, those that it leads to, and pages of them. */
import { linked, type ParentName } from '../../lei/gleif-relations.ts';
import type { GleifAsk, GleifPage, RecordShape } from '../../protocol/gleif-questions.ts';
import { JsonBytes } from '../../protocol/json-bytes.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { EntityNumber, PublicationReader } from '../../store/publication-reader.ts';
import type { TimedOut } from '../../store/search/search-reader.ts';
import type { Steps } from '../../store/steps.ts';
import { found, foundAlone, out } from '../answers.ts';
import { readCompany, recordOf } from '../look-ups.ts';
import {
  type GleifTexts,
  includedText,
  listOpening,
  missing,
  onPage,
  skippedBefore,
  textsFor,
} from './document.ts';
import { type ReadFilters, readConditions, readOrder } from './filters.ts';
import { currentEnds, exceptionOf, exceptionResource, parentOf } from './relationships.ts';

/** A plain record: the request that most clients send. */
export function answerGleifRecord(publication: PublicationReader, lei: string, base: string): Answer {
  const entry = publication.find(lei);
  const texts = textsFor(publication, base);
  out.begin();
  out.put(texts.opening);
  if (entry === null || !publication.gleif.putRecord(out, entry.entity, texts.links)) {
    return missing('lei-records', lei);
  }
  out.byte(objectEnd);
  return found(out);
}
const objectEnd = 0x7d;
const comma = 0x2c;
const listEnd = 0x5d;

/** A record in the wanted shape. @param lei for an answer that there is none */
export function recordAnswer(
  publication: PublicationReader,
  texts: GleifTexts,
  entity: EntityNumber | null,
  { shape, lei }: { readonly shape: RecordShape; readonly lei: string },
): Answer {
  out.begin();
  out.put(texts.opening);
  const included = new Included();
  if (entity === null || !putShaped(out, publication, texts, { entity, shape, included })) {
    return missing('lei-records', lei);
  }
  out.text(`${includedText(included.resources)}}`);
  return found(out);
}

/** The other ends of included relationships, each once. */
class Included {
  readonly resources: object[] = [];
  readonly #ids = new Set<string>();

  add(resource: { readonly type: string; readonly id: string }): void {
    const key = `${resource.type} ${resource.id}`;
    if (!this.#ids.has(key)) this.resources.push(resource);
    this.#ids.add(key);
  }
}

interface Shaping {
  readonly entity: EntityNumber;
  readonly shape: RecordShape;
  readonly included: Included;
}

const alone = new JsonBytes();

interface Resource {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Record<string, object>;
}

/** False if there is no record. */
function putShaped(
  json: JsonBytes,
  publication: PublicationReader,
  texts: GleifTexts,
  { entity, shape, included }: Shaping,
): boolean {
  const { fields, include } = shape;
  if (fields === null && include.length === 0) return publication.gleif.putRecord(json, entity, texts.links);
  alone.begin();
  if (!publication.gleif.putRecord(alone, entity, texts.links)) return false;
  const record: Resource = JSON.parse(alone.toString());
  const attributes = Object.entries(record.attributes).filter(([name]) => fields?.includes(name) ?? true);
  const relationships = { ...record.relationships };
  for (const name of include) {
    const shown = relationships[name];
    const end = shown === undefined ? null : includedEnd(publication, entity, name);
    if (end === null) continue;
    relationships[name] = { data: { type: end.type, id: end.id }, ...shown };
    included.add(end);
  }
  json.text(JSON.stringify({ ...record, attributes: Object.fromEntries(attributes), relationships }));
  return true;
}

/** The parent alone, or the exception with its attributes; null if there is neither. */
function includedEnd(publication: PublicationReader, entity: EntityNumber, name: ParentName) {
  const parent = parentOf(publication, entity, name);
  if (parent !== null) return { type: 'lei-records', id: publication.summary(parent.end).lei };
  const exception = exceptionOf(publication, entity, name);
  if (exception === null) return null;
  const { type, id, attributes } = exceptionResource(publication.summary(entity).lei, exception, '');
  return { type, id, attributes };
}

interface RecordsOfPage {
  /** Of all pages. */
  readonly total: number;
  /** All have records. */
  readonly entities: readonly EntityNumber[];
}

/** A page of records. */
function* pageAnswer(
  publication: PublicationReader,
  texts: GleifTexts,
  { total, entities }: RecordsOfPage,
  { page, shape }: { readonly page: GleifPage; readonly shape: RecordShape },
): Steps<Answer> {
  const json = new JsonBytes();
  const included = new Included();
  json.text(`${listOpening(texts, page, total, entities.length)}[`);
  for (const [index, entity] of entities.entries()) {
    if (index > 0) json.byte(comma);
    if (index > 0 && index % recordsPerStep === 0) yield;
    putShaped(json, publication, texts, { entity, shape, included });
  }
  json.byte(listEnd);
  json.text(`${includedText(included.resources)}}`);
  return foundAlone(json);
}
const recordsPerStep = 25;

type RecordAsk<For extends GleifAsk['for']> = Extract<GleifAsk, { for: For }>;

/** A company that a field of the record names. */
export function answerLinked(
  publication: PublicationReader,
  texts: GleifTexts,
  ask: RecordAsk<'linked'>,
): Answer {
  const company = readCompany(publication, ask.lei);
  if (company === null) return missing('lei-records', ask.lei);
  const lei = linked[ask.name].leiIn(company);
  const entity = lei === null ? null : (publication.find(lei)?.entity ?? null);
  return recordAnswer(publication, texts, entity, { shape: ask.shape, lei: lei ?? ask.lei });
}

/** The parent, head office or fund of a company. */
export function answerRelated(
  publication: PublicationReader,
  texts: GleifTexts,
  ask: RecordAsk<'related'>,
): Answer {
  const entity = recordOf(publication, ask.lei);
  if (entity === null) return missing('lei-records', ask.lei);
  const end = parentOf(publication, entity, ask.name)?.end ?? null;
  const lei = end === null ? ask.lei : publication.summary(end).lei;
  return recordAnswer(publication, texts, end, { shape: ask.shape, lei });
}

/** The successors with a record, in the order of the record. */
export function* answerSuccessors(
  publication: PublicationReader,
  texts: GleifTexts,
  ask: RecordAsk<'successors'>,
): Steps<Answer> {
  const company = readCompany(publication, ask.lei);
  if (company === null) return missing('lei-records', ask.lei);
  const entities = company.entity.successorEntities.flatMap(
    ({ lei }) => (lei === null ? null : recordOf(publication, lei)) ?? [],
  );
  const onThisPage = { total: entities.length, entities: onPage(entities, ask.page) };
  return yield* pageAnswer(publication, texts, onThisPage, ask);
}

/** The children, branches or funds of a company: newest initial registration first, as every list of records. */
export function* answerRelatives(
  publication: PublicationReader,
  texts: GleifTexts,
  ask: RecordAsk<'relatives'>,
): Steps<Answer> {
  const entity = recordOf(publication, ask.lei);
  if (entity === null) return missing('lei-records', ask.lei);
  const ends = yield* currentEnds(publication, entity, ask.name);
  const listed = yield* publication.lists.list({
    conditions: [{ is: 'entity', entities: Uint32Array.from(ends), isExcluded: false }],
    first: null,
    order: [],
    skip: skippedBefore(ask.page),
    limit: ask.page.size,
  });
  return yield* pageAnswer(publication, texts, listed, ask);
}

type RecordsAsk = Extract<GleifAsk, { for: 'records' }>;

/** The filters of the last list of a publication, as they were read: the next page of a walk has the same. */
const lastRead = new WeakMap<PublicationReader, { readonly key: string; readonly read: ReadFilters }>();

function* readOnce(
  publication: PublicationReader,
  filters: RecordsAsk['filters'],
): Steps<ReadFilters | TimedOut> {
  const key = JSON.stringify(filters);
  const known = lastRead.get(publication);
  if (known?.key === key) return known.read;
  const read = yield* readConditions(publication, filters);
  if (!('outcome' in read)) lastRead.set(publication, { key, read });
  return read;
}

export function* answerRecords(
  publication: PublicationReader,
  texts: GleifTexts,
  ask: RecordsAsk,
): Steps<Answer> {
  const read = yield* readOnce(publication, ask.filters);
  if ('outcome' in read) return { outcome: 'unavailable', reason: 'timeout' };
  const order = readOrder(ask.sort);
  const listed = yield* publication.lists.list({
    conditions: read.conditions,
    first: order.length === 0 ? read.first : null,
    order,
    skip: skippedBefore(ask.page),
    limit: ask.page.size,
  });
  return yield* pageAnswer(publication, texts, listed, ask);
}
