/**
 * getCompanyRelationships: both ends of every relationship record of a company, put where a reader looks for
 * them. Records are shown as they are: a company that owns itself or a circle of owners is not followed anywhere.
 */
import type { Answer } from '../protocol/questions.ts';
import type { EntityNumber, PublicationReader, StoredRelationship } from '../store/publication-reader.ts';
import { found, notFound, textOrNull } from './found.ts';

const directType = 'IS_DIRECTLY_CONSOLIDATED_BY';
const ultimateType = 'IS_ULTIMATELY_CONSOLIDATED_BY';
/** RelationshipStatus, not the registration's, says whether a relationship holds today. */
const currentStatus = 'ACTIVE';

/** A relationship seen from the company asked about: the company at its other end. */
interface Link {
  readonly direction: 'parent' | 'child';
  readonly lei: string;
  /** Null where that company has no record here. */
  readonly name: string | null;
  readonly stored: StoredRelationship;
}

export function answerRelationships(publication: PublicationReader, lei: string): Answer {
  const entry = publication.find(lei);
  if (entry === null || !entry.hasRecord) return notFound;
  const stored = publication.relationships(entry.entity);
  const parents = stored.asStart.map((each) => linkTo(publication, 'parent', each.end, each));
  const children = stored.asEnd.map((each) => linkTo(publication, 'child', each.start, each));
  const directParent = currentParent(parents, directType);
  const ultimateParent = currentParent(parents, ultimateType);
  const exceptions = publication.exceptions(entry.entity);
  const others = [
    ...parents.filter((link) => link !== directParent && link !== ultimateParent),
    ...children.filter((link) => !isCurrent(link, directType) && !isCurrent(link, ultimateType)),
  ];
  const name = textOrNull(publication.summary(entry.entity).name);
  return found(
    `{"lei":"${lei}","name":${name}` +
      `,"directParent":${parentJson(directParent, exceptions.direct)}` +
      `,"ultimateParent":${parentJson(ultimateParent, exceptions.ultimate)}` +
      `,"directChildren":${childrenJson(children.filter((link) => isCurrent(link, directType)))}` +
      `,"ultimateChildren":${childrenJson(children.filter((link) => isCurrent(link, ultimateType)))}` +
      `,"others":[${others.sort(byDirectionThenType).map(otherJson).join(',')}]}`,
  );
}

function linkTo(
  publication: PublicationReader,
  direction: Link['direction'],
  other: EntityNumber,
  stored: StoredRelationship,
): Link {
  const { lei, name } = publication.summary(other);
  return { direction, lei, name, stored };
}

function isCurrent({ stored }: Link, type: string): boolean {
  return stored.type === type && stored.status === currentStatus;
}

/** Among several current records the one updated last; then by LEI, so that every load gives the same answer. */
function currentParent(parents: readonly Link[], type: string): Link | null {
  let chosen: Link | null = null;
  for (const link of parents) {
    if (isCurrent(link, type) && (chosen === null || isNewer(link, chosen))) chosen = link;
  }
  return chosen;
}

function isNewer(a: Link, b: Link): boolean {
  if (a.stored.lastUpdateDate === b.stored.lastUpdateDate) return a.lei < b.lei;
  // Equal up to the second, a fraction is later: 'Z' must not win against '.'.
  return a.stored.lastUpdateDate.replace('Z', '') > b.stored.lastUpdateDate.replace('Z', '');
}

/** The three states of a parent: a company, a reason why none is reported, or neither. */
function parentJson(parent: Link | null, exception: string | null): string {
  if (parent !== null) return endJson(parent);
  return exception === null ? 'null' : `{"exception":${exception}}`;
}

function endJson({ lei, name, stored }: Link): string {
  return `{"lei":"${lei}","name":${textOrNull(name)},"relationship":${stored.json}}`;
}

function otherJson({ direction, lei, name, stored }: Link): string {
  return `{"direction":"${direction}","lei":"${lei}","name":${textOrNull(name)},"relationship":${stored.json}}`;
}

function childrenJson(children: Link[]): string {
  const items = children.sort(byName).map(endJson).join(',');
  return `{"total":${children.length},"items":[${items}]}`;
}

/** By name in code unit order, companies without a name last, then by LEI. */
function byName(a: Link, b: Link): number {
  if (a.name === b.name) return compare(a.lei, b.lei);
  if (a.name === null) return 1;
  if (b.name === null) return -1;
  return compare(a.name, b.name);
}

function byDirectionThenType(a: Link, b: Link): number {
  if (a.direction !== b.direction) return a.direction === 'parent' ? -1 : 1;
  return compare(a.stored.type, b.stored.type) || byName(a, b);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
