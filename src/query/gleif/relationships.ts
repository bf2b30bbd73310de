/** Answers with relationship records and reporting exceptions. */
import { exceptionSides, type ParentName, type RelationName, relations } from '../../lei/gleif-relations.ts';
import type { Relationship, ReportingException } from '../../lei/relationship.ts';
import type { GleifAsk } from '../../protocol/gleif-questions.ts';
import type { Answer } from '../../protocol/questions.ts';
import { seconds } from '../../store/gleif/parts.ts';
import type { EntityNumber, PublicationReader, StoredRelationship } from '../../store/publication-reader.ts';
import type { Steps } from '../../store/steps.ts';
import { queryLimits } from '../limits.ts';
import { recordOf } from '../look-ups.ts';
import { compare, currentParent, isCurrent } from '../related.ts';
import { documentOf, type GleifTexts, listOf, missing, onPage } from './document.ts';

type RelationshipAsk<For extends GleifAsk['for']> = Extract<GleifAsk, { for: For }>;

/** The current relationship to a company's parent, head office or fund; null if it has none. */
export function parentOf(
  publication: PublicationReader,
  entity: EntityNumber,
  name: RelationName,
): StoredRelationship | null {
  return currentParent(publication, publication.relationships(entity).asStart, [relations[name].type]);
}

/** The current relationships of a kind in which a company is the end node. */
function* currentOf(
  publication: PublicationReader,
  entity: EntityNumber,
  name: RelationName,
): Steps<readonly StoredRelationship[]> {
  const { type } = relations[name];
  const current: StoredRelationship[] = [];
  for (const [index, stored] of (yield* publication.relationshipsInSteps(entity)).asEnd.entries()) {
    if (index > 0 && index % queryLimits.itemsPerStep === 0) yield;
    if (isCurrent(stored, [type])) current.push(stored);
  }
  return current;
}

/** The children, branches or funds of a company, each once. */
export function* currentEnds(
  publication: PublicationReader,
  entity: EntityNumber,
  name: RelationName,
): Steps<ReadonlySet<EntityNumber>> {
  const current = yield* currentOf(publication, entity, name);
  return new Set(current.map(({ start }) => start));
}

export function answerRelationship(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei, name }: RelationshipAsk<'relationship'>,
): Answer {
  const entry = publication.find(lei);
  const stored = entry === null ? null : parentOf(publication, entry.entity, name);
  if (stored === null) return missing('relationship-records', lei);
  return documentOf(texts, relationshipResource(publication, stored, texts.base));
}

/** Newest first by the registration of the relationship, then by the LEI of the child. */
export function* answerRelationshipList(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei, name, page }: RelationshipAsk<'relationships'>,
): Steps<Answer> {
  const entity = recordOf(publication, lei);
  if (entity === null) return missing('lei-records', lei);
  const sortable: { readonly stored: StoredRelationship; readonly at: string; readonly lei: string }[] = [];
  for (const stored of yield* currentOf(publication, entity, name)) {
    if (sortable.length > 0 && sortable.length % queryLimits.itemsPerStep === 0) yield;
    const { registration }: Relationship = JSON.parse(stored.json);
    const at = registration.initialRegistrationDate ?? '';
    sortable.push({ stored, at, lei: publication.summary(stored.start).lei });
  }
  sortable.sort((a, b) => compare(b.at, a.at) || compare(a.lei, b.lei));
  const shown = onPage(sortable, page).map(({ stored }) =>
    relationshipResource(publication, stored, texts.base),
  );
  return listOf(texts, page, sortable.length, shown);
}

function relationshipResource(publication: PublicationReader, stored: StoredRelationship, base: string) {
  const relationship: Relationship = JSON.parse(stored.json);
  const start = publication.summary(stored.start).lei;
  const end = publication.summary(stored.end).lei;
  const { type, status, periods, validation, registration } = relationship;
  const node = (id: string) => ({ id, type: 'LEI' });
  const record = (lei: string) => ({ links: { related: `${base}/lei-records/${lei}` } });
  return {
    type: 'relationship-records',
    id: [start, 'LEI', type, 0, digest(start, end, type), ''].join('|'),
    attributes: {
      validFrom: null,
      validTo: null,
      relationship: {
        startNode: node(start),
        endNode: node(end),
        type,
        status,
        periods: periods.map((period) => ({
          startDate: seconds(period.startDate),
          ...(period.endDate === null ? {} : { endDate: seconds(period.endDate) }),
          type: period.type,
        })),
      },
      registration: {
        initialRegistrationDate: seconds(registration.initialRegistrationDate),
        lastUpdateDate: seconds(registration.lastUpdateDate),
        status: registration.status,
        nextRenewalDate: seconds(registration.nextRenewalDate),
        managingLou: registration.managingLou,
        corroborationLevel: validation.sources,
        corroborationDocuments: validation.documents,
        corroborationReference: validation.reference,
      },
      extension: { deletedAt: null },
    },
    relationships: { 'start-node': record(start), 'end-node': record(end) },
  };
}

/** Why the company reports no such parent; null if it says nothing. */
export function exceptionOf(
  publication: PublicationReader,
  entity: EntityNumber,
  name: ParentName,
): ReportingException | null {
  const json = publication.exceptions(entity)[exceptionSides[name]];
  return json === null ? null : JSON.parse(json);
}

export function answerException(
  publication: PublicationReader,
  texts: GleifTexts,
  { lei, name }: RelationshipAsk<'exception'>,
): Answer {
  const entry = publication.find(lei);
  const exception = entry === null ? null : exceptionOf(publication, entry.entity, name);
  if (exception === null) return missing('reporting-exceptions', lei);
  return documentOf(texts, exceptionResource(lei, exception, texts.base));
}

/** Takes the first of several reasons and references, since GLEIF's resource has one of each. */
export function exceptionResource(
  lei: string,
  { category, reasons, references }: ReportingException,
  base: string,
) {
  return {
    type: 'reporting-exceptions',
    id: [lei, 0, digest(lei, category), category, ''].join('|'),
    attributes: {
      validFrom: null,
      validTo: null,
      lei,
      category,
      reason: reasons[0] ?? null,
      reference: references[0] ?? null,
    },
    relationships: { 'lei-record': { links: { related: `${base}/lei-records/${lei}` } } },
  };
}

/** A stable part of an id. */
export function digest(...parts: readonly string[]): string {
  return Bun.CryptoHasher.hash('sha256', parts.join('|'), 'hex');
}
