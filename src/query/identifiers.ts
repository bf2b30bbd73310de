/** getBIC, getISIN, getMIC, getGEM, getQCC: the companies an identifier is mapped to. */
import type { Answer, IdentifierKind, Notices } from '../protocol/questions.ts';
import type { EntityNumber, PublicationReader } from '../store/publication-reader.ts';
import { found, noNotices, notFound, textOrNull } from './found.ts';

export function answerIdentifier(
  publication: PublicationReader,
  kind: IdentifierKind,
  value: string,
): Answer {
  if (kind === 'mic') return answerMic(publication, value);
  const known = kind === 'bic' ? wholeBic(value) : value;
  const entities = publication.entitiesOf(kind, known);
  if (entities.length === 0) return notFound;
  return found(`{"${kind}":"${known}","entities":${entitiesJson(publication, entities)}}`, pairNotices[kind]);
}

/** Pairs whose publishers ask for a notice wherever they are shown (formats of BIC, MIC and GEM tables). */
const pairNotices: Record<IdentifierKind, Notices> = {
  bic: { bic: true, mic: false, gem: false },
  mic: { bic: false, mic: true, gem: false },
  gem: { bic: false, mic: false, gem: true },
  isin: noNotices,
  qcc: noNotices,
};

/** The head office of ISO 9362 is the same whether its branch code is left out or is XXX; publications hold XXX. */
function wholeBic(bic: string): string {
  return bic.length === 8 ? `${bic}XXX` : bic;
}

/**
 * GLEIF maps operating MICs only, so a segment is found through the operating MIC that the ISO list gives it. A
 * MIC of the list that nobody is mapped to is still a known MIC.
 */
function answerMic(publication: PublicationReader, mic: string): Answer {
  const listed = publication.micListEntry(mic);
  const entities = entitiesOfMic(publication, mic);
  if (listed === null && entities.length === 0) return notFound;
  const operatingMic = textOrNull(listed === null ? null : listed.operatingMic);
  return found(
    `{"mic":"${mic}","operatingMic":${operatingMic},"record":${listed === null ? 'null' : listed.json}` +
      `,"entities":${entitiesJson(publication, entities)}}`,
    entities.length === 0 ? noNotices : pairNotices.mic,
  );
}

/** The entities of a MIC, else of the operating MIC that the list gives it, and so on. */
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
 * The list gives some segments an operating MIC that is itself a segment (VRXP of XMLI, XMLI of XPAR): two steps in
 * the list of May 2025. More than it will ever need, and an end where two name each other.
 */
const operatingMicStepsMax = 4;

function entitiesJson(publication: PublicationReader, entities: readonly EntityNumber[]): string {
  return `[${entities.map((entity) => entityJson(publication, entity)).join(',')}]`;
}

/** All nulls but the LEI for a company that has no record here. */
function entityJson(publication: PublicationReader, entity: EntityNumber): string {
  const { lei, name, country, entityStatus, registrationStatus } = publication.summary(entity);
  return (
    `{"lei":"${lei}","name":${textOrNull(name)},"country":${textOrNull(country)}` +
    `,"entityStatus":${textOrNull(entityStatus)},"registrationStatus":${textOrNull(registrationStatus)}` +
    `,"links":{"self":"/api/v1/lei/${lei}"}}`
  );
}
