/**
 * getCompanyRelationships: sorts every relationship record of a company by its meaning: parents, children, funds and so
 * on. It shows records as they are and follows none, so that a company that owns itself or a circle of owners is
 * harmless.
 */
import { byKind } from '../lei/identifier-kinds.ts';
import { childKinds, childTypes } from '../lei/relationship.ts';
import { JsonBytes, nullPiece, piece } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { EntityNumber, PublicationReader, StoredRelationship } from '../store/publication-reader.ts';
import { found, notFound, out, putList, putShown, shown } from './answers.ts';
import { byName, compare, countOf, isCurrent, type Related } from './related.ts';

/** A relationship seen from the company asked about. */
interface Link {
  readonly direction: 'parent' | 'child';
  readonly stored: StoredRelationship;
  /** Positions in {@link ends} of the LEI and name of the company at the other end. */
  readonly from: number;
  readonly to: number;
}

/** JSON of the companies at the other ends, in the order read; sorting comes later. */
const ends = new JsonBytes();

export function answerRelationships(publication: PublicationReader, lei: string): Answer {
  return answerAbout(publication, lei, putRelationships);
}

/** Answers with the parents alone, and with the number of children of each kind. */
export function answerParents(publication: PublicationReader, lei: string): Answer {
  return answerAbout(publication, lei, putOnlyParents);
}

type PutMembers = (publication: PublicationReader, entity: EntityNumber) => void;

/** @param put writes the members after LEI and name, and the closing brace */
function answerAbout(publication: PublicationReader, lei: string, put: PutMembers): Answer {
  const entry = publication.find(lei);
  if (entry === null || !entry.hasRecord) return notFound;
  out.begin();
  out.put(objectPiece);
  putShown(out, publication.summary(entry.entity), nameMembers);
  ends.begin();
  put(publication, entry.entity);
  return found(out);
}

function putOnlyParents(publication: PublicationReader, entity: EntityNumber): void {
  const { asStart, asEnd } = publication.relationships(entity);
  const others = putParents(publication, entity, asStart);
  out.put(othersPiece);
  putList(sorted(others, byDirectionThenType), putEnd);
  out.text(`,"children":${JSON.stringify(byKind(childKinds, (kind) => countOf(asEnd, childTypes[kind])))}}`);
}

/** @returns the parents by other relationships, and former ones */
function putParents(
  publication: PublicationReader,
  entity: EntityNumber,
  asStart: readonly StoredRelationship[],
): readonly Link[] {
  const parents = asStart.map((stored) => linkTo(publication, 'parent', stored.end, stored));
  const directParent = currentParent(parents, childTypes.direct);
  const ultimateParent = currentParent(parents, childTypes.ultimate);
  const isAnyMissing = directParent === null || ultimateParent === null;
  const exceptions = isAnyMissing ? publication.exceptions(entity) : noExceptions;
  out.put(directParentPiece);
  putParent(directParent, exceptions.direct);
  out.put(ultimateParentPiece);
  putParent(ultimateParent, exceptions.ultimate);
  return parents.filter((link) => link !== directParent && link !== ultimateParent);
}

function putRelationships(publication: PublicationReader, entity: EntityNumber): void {
  const { asStart, asEnd } = publication.relationships(entity);
  const otherParents = putParents(publication, entity, asStart);
  const children = asEnd.map((stored) => linkTo(publication, 'child', stored.start, stored));
  const others = [...otherParents, ...children.filter(({ stored }) => !isCurrent(stored, ownedTypes))];
  out.put(directChildrenPiece);
  putChildren(children.filter(({ stored }) => isCurrent(stored, childTypes.direct)));
  out.put(ultimateChildrenPiece);
  putChildren(children.filter(({ stored }) => isCurrent(stored, childTypes.ultimate)));
  out.put(othersPiece);
  putList(sorted(others, byDirectionThenType), putOther);
  out.put(endPiece);
}

const ownedTypes = [...childTypes.direct, ...childTypes.ultimate];
const noExceptions = { direct: null, ultimate: null };
const objectPiece = piece('{');
const nameMembers = [shown('"lei":', 'lei'), shown(',"name":', 'name')];
const directParentPiece = piece(',"directParent":');
const ultimateParentPiece = piece(',"ultimateParent":');
const directChildrenPiece = piece(',"directChildren":');
const ultimateChildrenPiece = piece(',"ultimateChildren":');
const othersPiece = piece(',"others":');
const endPiece = piece('}');

function linkTo(
  publication: PublicationReader,
  direction: Link['direction'],
  other: EntityNumber,
  stored: StoredRelationship,
): Link {
  const from = ends.length;
  putShown(ends, publication.summary(other), nameMembers);
  return { direction, stored, from, to: ends.length };
}

/**
 * Of several current records, takes the one updated last, then the lowest LEI, so that every load gives the same
 * answer.
 */
function currentParent(parents: readonly Link[], types: readonly string[]): Link | null {
  let chosen: Link | null = null;
  for (const link of parents) {
    if (isCurrent(link.stored, types) && (chosen === null || isNewer(link, chosen))) chosen = link;
  }
  return chosen;
}

function isNewer(a: Link, b: Link): boolean {
  const [aDate, bDate] = [updateOf(a), updateOf(b)];
  return aDate === bDate ? endOf(a).lei < endOf(b).lei : aDate > bDate;
}

/** A text that sorts like the time; '' for a published value that is not a time. */
function updateOf({ stored: { lastUpdateDate } }: Link): string {
  // A fraction of a second is later than the full second, but 'Z' sorts after '.'.
  return /^\d{4}-\d\d-\d\dT/.test(lastUpdateDate) ? lastUpdateDate.replace('Z', '') : '';
}

/** The company at the other end. */
function endOf({ from, to }: Link): Related {
  return JSON.parse(`{${ends.toString(from, to)}}`);
}

/** The three states of a parent: a company, a reason why none is reported, or neither. */
function putParent(parent: Link | null, exception: string | null): void {
  if (parent !== null) putEnd(parent);
  else if (exception === null) out.put(nullPiece);
  else out.text(`{"exception":${exception}}`);
}

function putEnd(link: Link): void {
  out.put(objectPiece);
  putLink(link);
}

function putOther(link: Link): void {
  out.put(directionPieces[link.direction]);
  putLink(link);
}

const directionPieces = {
  parent: piece('{"direction":"parent",'),
  child: piece('{"direction":"child",'),
};
const relationshipPiece = piece(',"relationship":');

function putLink({ from, to, stored }: Link): void {
  out.appendPart(ends, from, to);
  out.put(relationshipPiece);
  stored.put(out);
  out.put(endPiece);
}

function putChildren(children: readonly Link[]): void {
  out.text(`{"total":${children.length},"items":`);
  putList(sorted(children, byName), putEnd);
  out.put(endPiece);
}

/** Sort key of a link. */
interface SortableLink extends Related {
  readonly link: Link;
}

/** Sorts links. It decodes names only if there are at least two links. */
function sorted(
  links: readonly Link[],
  order: (a: SortableLink, b: SortableLink) => number,
): readonly Link[] {
  if (links.length < 2) return links;
  return links
    .map((link) => ({ link, ...endOf(link) }))
    .sort(order)
    .map(({ link }) => link);
}

function byDirectionThenType(a: SortableLink, b: SortableLink): number {
  if (a.link.direction !== b.link.direction) return a.link.direction === 'parent' ? -1 : 1;
  return compare(a.link.stored.type, b.link.stored.type) || byName(a, b);
}
