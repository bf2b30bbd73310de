/**
 * Answers look-ups: a company by its LEI (getCompanyByLei), and by other identifiers (getBIC, getISIN, getMIC, getGEM,
 * getQCC).
 */

import type { Company } from '../lei/company.ts';
import { type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import { noNotices, noticeOf } from '../lei/notices.ts';
import type { Answer } from '../protocol/questions.ts';
import type { EntityNumber, EntitySummary, PublicationReader } from '../store/publication-reader.ts';
import { found, notFound, out, putList, putShown, shown, textOrNull } from './answers.ts';

/** The entity of an LEI that has a record; null for any other LEI, even if others mention it. */
export function recordOf(publication: Pick<PublicationReader, 'find'>, lei: string): EntityNumber | null {
  const entry = publication.find(lei);
  return entry?.hasRecord === true ? entry.entity : null;
}

/** The stored record, which is ready JSON. An LEI that others only mention has no record and is not found. */
export function answerCompany(publication: PublicationReader, lei: string): Answer {
  const entity = recordOf(publication, lei);
  if (entity === null) return notFound;
  const company = publication.company(entity);
  if (company === null) throw new Error(`The directory names a record of ${lei} that is not stored.`);
  return { outcome: 'found', data: company.json, next: null, notices: company.notices };
}

/** The company of an LEI, as answers have it; null if it has no record. */
export function readCompany(publication: PublicationReader, lei: string): Company | null {
  const entry = publication.find(lei);
  const company = entry === null ? null : publication.company(entry.entity);
  return company === null ? null : JSON.parse(Buffer.from(company.json).toString());
}

/** The companies that an identifier is mapped to. */
export function answerIdentifier(publication: PublicationReader, kind: MappingKind, value: string): Answer {
  if (kind === 'mic') return answerMic(publication, value);
  const known = mappingTable[kind].canonical(value);
  const entities = publication.entitiesOf(kind, known);
  if (entities.length === 0) return notFound;
  out.begin();
  out.text(`{"${kind}":${JSON.stringify(known)},"entities":`);
  putEntities(publication, entities);
  out.text('}');
  return found(out, noticeOf[kind]);
}

/**
 * GLEIF maps only operating MICs, so a segment is looked up by the operating MIC that the ISO list gives for it. A
 * listed MIC is known even if no company is mapped to it.
 */
function answerMic(publication: PublicationReader, mic: string): Answer {
  const listed = publication.micListEntry(mic);
  const entities = entitiesOfMic(publication, mic);
  if (listed === null && entities.length === 0) return notFound;
  const operatingMic = textOrNull(listed === null ? null : listed.operatingMic);
  const record = listed === null ? 'null' : listed.json;
  out.begin();
  out.text(`{"mic":"${mic}","operatingMic":${operatingMic},"record":${record},"entities":`);
  putEntities(publication, entities);
  out.text('}');
  return found(out, entities.length === 0 ? noNotices : noticeOf.mic);
}

/** The entities of a MIC, otherwise of its operating MIC in the list, and so on. */
function entitiesOfMic(publication: PublicationReader, asked: string): readonly EntityNumber[] {
  let mic = asked;
  for (let steps = 0; steps <= operatingMicStepsMax; steps++) {
    const entities = publication.entitiesOf('mic', mic);
    if (entities.length > 0) return entities;
    const next = publication.micListEntry(mic)?.operatingMic ?? mic;
    if (next === mic) break;
    mic = next;
  }
  return [];
}

/**
 * The most steps from a segment to its operating MIC. Some segments have an operating MIC that is itself a segment
 * (VRXP has XMLI, XMLI has XPAR): two steps in the list of May 2025. The limit also ends a circle of two MICs.
 */
const operatingMicStepsMax = 4;

function putEntities(publication: PublicationReader, entities: readonly EntityNumber[]): void {
  putList(out, entities, (entity) => putEntity(publication.summary(entity), publication.companyPath));
}

/** Writes a company. Without a record, all members but the LEI are null. */
function putEntity(summary: EntitySummary, companyPath: string): void {
  putShown(out, summary, entityMembers);
  out.text(`,"links":{"self":"${companyPath}${summary.lei}"}}`);
}

const entityMembers = [
  shown('{"lei":', 'lei'),
  shown(',"name":', 'name'),
  shown(',"country":', 'country'),
  shown(',"entityStatus":', 'entityStatus'),
  shown(',"registrationStatus":', 'registrationStatus'),
];
