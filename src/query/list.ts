/** Lists of companies by what they are and by their names: listCompanies and exports. */
import { countryCodes, refusedCountry } from '../lei/codes.ts';
import { legalFormLabel } from '../lei/legal-form-list.ts';
import type { ValueField } from '../lei/list-fields.ts';
import { noNotices } from '../lei/notices.ts';
import { regionName } from '../lei/places-of-iso.ts';
import type { FieldCondition, ListQuery, ListQuestion } from '../protocol/list-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import type { ColumnsQuery } from '../store/columns/list-query.ts';
import type { EntityNumber, PublicationReader } from '../store/publication-reader.ts';
import type { AllHits, TimedOut } from '../store/search/search-reader.ts';
import type { Steps } from '../store/steps.ts';
import { quoted } from '../terminal-text.ts';
import { found, out, putList, putShown, shown } from './answers.ts';
import { queryLimits } from './limits.ts';
import { entitiesOfCode, putFound } from './search.ts';

/** A page of a list. */
interface ListPage {
  readonly outcome: 'page';
  /** Exact: of all pages. */
  readonly total: number;
  readonly entities: readonly EntityNumber[];
  /** The index of the name by which `q` found an entity of the page, as in a search; 0, the legal name, without `q`. */
  nameIndexOf(entity: EntityNumber): number;
}

/** @throws DamagedFile */
function* listPage(
  publication: PublicationReader,
  { conditions, q, order, skip, limit }: ListQuery,
): Steps<ListPage | TimedOut> {
  const chosen = yield* membershipOf(publication, { conditions, q });
  if ('outcome' in chosen) return chosen;
  const { hits } = chosen;
  const { total, entities } = yield* publication.lists.list({
    conditions: chosen.conditions,
    first: order.length === 0 && hits !== null ? hits.entities : null,
    order,
    skip,
    limit,
  });
  const places = hits === null ? noPlaces : yield* placesIn(hits.entities, entities);
  const nameIndexOf = (entity: EntityNumber) => hits?.nameIndexAt(places.get(entity) ?? 0) ?? 0;
  return { outcome: 'page', total, entities, nameIndexOf };
}

/** The conditions that companies of a list meet. */
interface ListMembership {
  readonly conditions: ColumnsQuery['conditions'];
  /** Of the search text; null without one. */
  readonly hits: AllHits | null;
}

function* membershipOf(
  publication: PublicationReader,
  { conditions, q }: Pick<ListQuery, 'conditions' | 'q'>,
): Steps<ListMembership | TimedOut> {
  if (q === null) return { conditions, hits: null };
  const hits = yield* hitsOf(publication, q);
  if (hits.outcome === 'timeout') return hits;
  return { conditions: [...conditions, { is: 'entity', entities: hits.entities, isExcluded: false }], hits };
}

/**
 * All companies of a list, by number, with the refusals of {@link answerList}.
 * @throws DamagedFile
 */
export function* allListed(
  publication: PublicationReader,
  question: Pick<ListQuery, 'conditions' | 'q'>,
): Steps<Uint32Array | UnknownCode | TimedOut> {
  const unknown = yield* unknownCode(publication, question.conditions);
  if (unknown !== null) return unknown;
  const chosen = yield* membershipOf(publication, question);
  return 'outcome' in chosen ? chosen : yield* publication.lists.matching(chosen.conditions);
}

const noPlaces: ReadonlyMap<EntityNumber, number> = new Map();

/** Where the entities of a page stand among all hits. */
function* placesIn(
  hits: Uint32Array,
  entities: readonly EntityNumber[],
): Steps<ReadonlyMap<EntityNumber, number>> {
  const wanted = new Set(entities);
  const places = new Map<EntityNumber, number>();
  for (let place = 0; places.size < wanted.size; place++) {
    if (place % queryLimits.hitsPerStep === queryLimits.hitsPerStep - 1) yield;
    const entity = hits[place] ?? 0;
    if (wanted.has(entity)) places.set(entity, place);
  }
  return places;
}

function* hitsOf(publication: PublicationReader, q: string): Steps<AllHits | TimedOut> {
  const ofCode = entitiesOfCode(publication, q);
  if (ofCode.length === 0) return yield* publication.search.all(q);
  return { outcome: 'all', entities: Uint32Array.from(ofCode), nameIndexAt: () => 0 };
}

/** A code of a filter that stands in no list and that no company has. */
interface UnknownCode {
  /** The name of the filter, which is that of its field. */
  readonly parameter: string;
  /** The predicate of a sentence about the filter. */
  readonly detail: string;
}

/** The first one; null if there is none. */
function* unknownCode(
  { lists, countries }: PublicationReader,
  conditions: readonly FieldCondition[],
): Steps<UnknownCode | null> {
  for (const condition of conditions) {
    if (condition.is !== 'value') continue;
    const { field, values } = condition;
    const isListed = codeLists[field];
    if (isListed === undefined) continue;
    const used = field === 'country' ? countries : yield* lists.values(field);
    const unused = values.filter((value) => !used.has(value));
    // The first look into a list reads all of it: tens of milliseconds, which begin with a step of their own.
    if (unused.length > 0) yield;
    const unknown = unused.find((value) => !isListed(value));
    if (unknown === undefined) continue;
    if (field === 'country') return { parameter: field, detail: refusedCountry(unknown, used) ?? '' };
    const detail = `must hold codes that a list or the data set has; ${quoted(unknown)} is in no list, and no company has it`;
    return { parameter: field, detail };
  }
  return null;
}

/** Whether a code is in its list. Codes of fields without a list here are known if a company has them. */
const codeLists: Readonly<Partial<Record<ValueField, (code: string) => boolean>>> = {
  country: (code) => countryCodes.has(code),
  jurisdiction: (code) => countryCodes.has(code) || regionName(code) !== null,
  legalForm: (code) => legalFormLabel(code) !== null,
  managingLou: () => false,
  registeredAt: () => false,
};

/** Items as in a search. A page's position is the number of companies before it; a cursor pins it to the publication. */
export function* answerList(publication: PublicationReader, question: ListQuestion): Steps<Answer> {
  const refused = yield* unknownCode(publication, question.conditions);
  if (refused !== null) return { outcome: 'invalid', ...refused };
  const page = yield* listPage(publication, question);
  if (page.outcome === 'timeout') return { outcome: 'unavailable', reason: 'timeout' };
  const { total, entities } = page;
  out.begin();
  out.text(`{"total":${total},"items":`);
  putList(out, entities, (entity) => {
    const summary = publication.summary(entity);
    putFound(summary, page.nameIndexOf(entity));
    putShown(out, summary, dates);
    out.byte(end);
  });
  out.text('}');
  const next = question.skip + entities.length;
  return found(out, noNotices, next < total && entities.length > 0 ? String(next) : null);
}

const dates = [
  shown(',"lastUpdateDate":', 'lastUpdateDate'),
  shown(',"initialRegistrationDate":', 'initialRegistrationDate'),
];
const end = 0x7d;
