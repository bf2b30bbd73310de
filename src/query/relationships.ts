/**
 * getCompanyRelationships: sorts every relationship record of a company by its meaning: parents, children, funds and so
 * on. It shows records as they are and follows none, so that a company that owns itself or a circle of owners is
 * harmless.
 */
import { byKind } from '../lei/identifier-kinds.ts';
import { childKinds, childTypes } from '../lei/relationship-codes.ts';
import { JsonBytes, nullPiece, piece } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type {
  EntityNumber,
  PublicationReader,
  RelationshipsOfOne,
  StoredRelationship,
} from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { found, foundAlone, notFound, out, putListInSteps, putShown } from './answers.ts';
import { queryLimits } from './limits.ts';
import { recordOf } from './look-ups.ts';
import {
  byName,
  compare,
  countOf,
  currentParent,
  factMembers,
  isCurrent,
  nameMembers,
  type RelatedCompany,
} from './related.ts';

/** A relationship seen from the company asked about. */
interface RelationshipLink {
  readonly direction: 'parent' | 'child';
  readonly stored: StoredRelationship;
  readonly end: LinkEnd;
}

/** The company at the other end of a link. Links of several types often lead to the same one. */
interface LinkEnd {
  /** Positions in {@link RelationshipTexts.ends} of its LEI and name. */
  readonly from: number;
  readonly to: number;
  /** Both decoded; null until they are compared. */
  company: RelatedCompany | null;
}

/** The answer that is being written, and JSON of the companies at the other ends in the order read: sorting comes later. */
interface RelationshipTexts {
  readonly out: JsonBytes;
  readonly ends: JsonBytes;
}

/** For answers of one step. */
const shared: RelationshipTexts = { out, ends: new JsonBytes() };

/** The relationships of a company, and the JSON that its answer is written to. */
interface About extends RelationshipsOfOne, RelationshipTexts {
  readonly publication: PublicationReader;
  readonly entity: EntityNumber;
  /** The members that are written about the companies at the other ends. */
  readonly members: typeof nameMembers;
}

export function answerRelationships(publication: PublicationReader, lei: string): Steps<Answer> {
  return answerAbout(publication, lei, nameMembers, putRelationships);
}

/** Answers with the parents alone, and with the number of children of each kind. */
export function answerParents(publication: PublicationReader, lei: string): Steps<Answer> {
  return answerAbout(publication, lei, factMembers, putOnlyParents);
}

/**
 * @param members of the companies at the other ends
 * @param put writes the members after LEI and name, and the closing brace
 */
function* answerAbout(
  publication: PublicationReader,
  lei: string,
  members: About['members'],
  put: (about: About) => Steps<void>,
): Steps<Answer> {
  const entity = recordOf(publication, lei);
  if (entity === null) return notFound;
  const relationships = yield* publication.relationshipsInSteps(entity);
  const { asStart, asEnd } = relationships;
  // Others write to the shared texts between two steps.
  const isLong = asStart.length + asEnd.length > queryLimits.itemsPerStep;
  const texts = isLong ? { out: new JsonBytes(), ends: new JsonBytes() } : shared;
  texts.out.begin();
  texts.ends.begin();
  texts.out.put(objectPiece);
  putShown(texts.out, publication.summary(entity), nameMembers);
  yield* put({ ...texts, ...relationships, publication, entity, members });
  if (!isLong) return found(texts.out);
  relationships.free();
  texts.ends.free();
  return foundAlone(texts.out);
}

function* putOnlyParents(about: About): Steps<void> {
  const { out, asEnd } = about;
  const others = yield* putParents(about);
  out.put(othersPiece);
  yield* putListInSteps(out, yield* sorted(about, others, byDirectionThenType), (link) =>
    putEnd(about, link),
  );
  out.text(`,"children":${JSON.stringify(byKind(childKinds, (kind) => countOf(asEnd, childTypes[kind])))}}`);
}

/** @returns the parents by other relationships, and former ones */
function* putParents(about: About): Steps<readonly RelationshipLink[]> {
  const { out, asStart, publication, entity } = about;
  const parents = yield* linksTo(about, 'parent', asStart);
  const current = (types: readonly string[]) => {
    const chosen = currentParent(publication, asStart, types);
    return parents.find(({ stored }) => stored === chosen) ?? null;
  };
  const [directParent, ultimateParent] = [current(childTypes.direct), current(childTypes.ultimate)];
  const isAnyMissing = directParent === null || ultimateParent === null;
  const exceptions = isAnyMissing ? publication.exceptions(entity) : noExceptions;
  out.put(directParentPiece);
  putParent(about, directParent, exceptions.direct);
  out.put(ultimateParentPiece);
  putParent(about, ultimateParent, exceptions.ultimate);
  return parents.filter((link) => link !== directParent && link !== ultimateParent);
}

function* putRelationships(about: About): Steps<void> {
  const { out, asEnd } = about;
  const otherParents = yield* putParents(about);
  const children = yield* linksTo(about, 'child', asEnd);
  const others = [...otherParents, ...children.filter(({ stored }) => !isCurrent(stored, ownedTypes))];
  const ofTypes = (types: readonly string[]) => children.filter(({ stored }) => isCurrent(stored, types));
  out.put(directChildrenPiece);
  yield* putChildren(about, ofTypes(childTypes.direct));
  out.put(ultimateChildrenPiece);
  yield* putChildren(about, ofTypes(childTypes.ultimate));
  out.put(othersPiece);
  yield* putListInSteps(out, yield* sorted(about, others, byDirectionThenType), (link) =>
    putOther(about, link),
  );
  out.put(endPiece);
}

const ownedTypes = [...childTypes.direct, ...childTypes.ultimate];
const noExceptions = { direct: null, ultimate: null };
const objectPiece = piece('{');
const directParentPiece = piece(',"directParent":');
const ultimateParentPiece = piece(',"ultimateParent":');
const directChildrenPiece = piece(',"directChildren":');
const ultimateChildrenPiece = piece(',"ultimateChildren":');
const othersPiece = piece(',"others":');
const endPiece = piece('}');

function* linksTo(
  { publication, ends, members }: About,
  direction: RelationshipLink['direction'],
  relationships: readonly StoredRelationship[],
): Steps<readonly RelationshipLink[]> {
  const links: RelationshipLink[] = [];
  const known = new Map<EntityNumber, LinkEnd>();
  const endOf = (entity: EntityNumber) => {
    const from = ends.length;
    putShown(ends, publication.summary(entity), members);
    const end = { from, to: ends.length, company: null };
    known.set(entity, end);
    return end;
  };
  for (const stored of relationships) {
    if (links.length > 0 && links.length % queryLimits.itemsPerStep === 0) yield;
    const entity = direction === 'parent' ? stored.end : stored.start;
    links.push({ direction, stored, end: known.get(entity) ?? endOf(entity) });
  }
  return links;
}

/** The company at the other end. */
function companyOf(texts: RelationshipTexts, { end }: RelationshipLink): RelatedCompany {
  end.company ??= companyIn(texts, end);
  return end.company;
}

function companyIn({ ends }: RelationshipTexts, { from, to }: LinkEnd): RelatedCompany {
  return JSON.parse(`{${ends.toString(from, to)}}`);
}

/** The three states of a parent: a company, a reason why none is reported, or neither. */
function putParent(
  texts: RelationshipTexts,
  parent: RelationshipLink | null,
  exception: string | null,
): void {
  if (parent !== null) putEnd(texts, parent);
  else if (exception === null) texts.out.put(nullPiece);
  else texts.out.text(`{"exception":${exception}}`);
}

function putEnd(texts: RelationshipTexts, link: RelationshipLink): void {
  texts.out.put(objectPiece);
  putLink(texts, link);
}

function putOther(texts: RelationshipTexts, link: RelationshipLink): void {
  texts.out.put(directionPieces[link.direction]);
  putLink(texts, link);
}

const directionPieces = {
  parent: piece('{"direction":"parent",'),
  child: piece('{"direction":"child",'),
};
const relationshipPiece = piece(',"relationship":');

function putLink({ out, ends }: RelationshipTexts, { end, stored }: RelationshipLink): void {
  out.appendPart(ends, end.from, end.to);
  out.put(relationshipPiece);
  stored.put(out);
  out.put(endPiece);
}

function* putChildren(about: About, children: readonly RelationshipLink[]): Steps<void> {
  const { out } = about;
  out.text(`{"total":${children.length},"items":`);
  yield* putListInSteps(out, yield* sorted(about, children, byCompany), (link) => putEnd(about, link));
  out.put(endPiece);
}

/** Sorts links. It decodes names only if there are at least two links. */
function* sorted(
  texts: RelationshipTexts,
  links: readonly RelationshipLink[],
  order: LinkOrder,
): Steps<readonly RelationshipLink[]> {
  if (links.length < 2) return links;
  for (const [index, link] of links.entries()) {
    if (index > 0 && index % queryLimits.itemsPerStep === 0) yield;
    companyOf(texts, link);
  }
  return links.toSorted(order(texts));
}

/** Compares links by the companies at their ends. */
type LinkOrder = (texts: RelationshipTexts) => (a: RelationshipLink, b: RelationshipLink) => number;

const byCompany: LinkOrder = (texts) => (a, b) => byName(companyOf(texts, a), companyOf(texts, b));

const byDirectionThenType: LinkOrder = (texts) => (a, b) => {
  if (a.direction !== b.direction) return a.direction === 'parent' ? -1 : 1;
  return compare(a.stored.type, b.stored.type) || byCompany(texts)(a, b);
};
