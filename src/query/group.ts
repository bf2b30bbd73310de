/**
 * The picture of a group on the page of a company: everybody above it, and one step below it the companies it owns,
 * funds and branches. Each company says how many are below it, so the reader sees where to go on.
 */
import { childTypes, parentTypes } from '../lei/relationship.ts';
import { type GroupQuestion, ownershipDepthMax } from '../protocol/ext-questions.ts';
import { JsonBytes } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { EntityNumber, PublicationReader, StoredRelationship } from '../store/publication-reader.ts';
import { found, notFound } from './answers.ts';
import { putList, putShown } from './json-parts.ts';
import { queryLimits } from './limits.ts';
import { isCurrent, nodeMembers, Walk } from './ownership.ts';
import { countOf } from './relationships.ts';

const typesBelow: readonly string[] = [...childTypes.direct, ...childTypes.fund, ...childTypes.branch];
const typesAbove: readonly string[] = [...typesBelow, parentTypes.ultimate];

/** An answer leaves the thread before the next one is made. */
const out = new JsonBytes();

export function answerGroup(publication: PublicationReader, { lei, directions }: GroupQuestion): Answer {
  const entry = publication.find(lei);
  if (entry === null || !entry.hasRecord) return notFound;
  const walk = new Walk(publication, entry.entity);
  if (directions.includes('up')) walk.go(['up'], ownershipDepthMax, typesAbove);
  const above = [...walk.leis.keys()];
  const orphans = directions.includes('down') ? goDown(publication, walk, entry.entity) : 0;
  out.begin();
  out.text(`{"lei":"${lei}","nodes":`);
  putList(out, [...walk.leis.keys()], (entity) =>
    putNode(publication, entity, entity === entry.entity ? orphans : 0),
  );
  out.text(',"edges":');
  walk.putEdges(out);
  out.text(',"missing":');
  const silent = directions.includes('up') ? above.filter((entity) => lacksParent(publication, entity)) : [];
  putList(out, silent, (entity) => putMissing(publication, walk, entity));
  out.text(`,"truncated":${walk.truncated}}`);
  return found(out);
}

/** @returns how many name the company as their ultimate parent and nobody as their direct one */
function goDown(publication: PublicationReader, walk: Walk, entity: EntityNumber): number {
  walk.go(['down'], 1, typesBelow);
  const { asEnd } = publication.relationships(entity);
  const orphans = asEnd
    .filter((stored) => isCurrent(stored, childTypes.ultimate))
    .slice(0, queryLimits.ultimateChildrenLookedAtMax)
    .filter(({ start }) => countOf(publication.relationships(start).asStart, childTypes.direct) === 0);
  walk.add(orphans, 'down');
  return orphans.length;
}

/** @param more companies that it owns besides those that name it as their direct parent */
function putNode(publication: PublicationReader, entity: EntityNumber, more: number): void {
  putShown(out, publication.summary(entity), nodeMembers);
  const { asEnd } = publication.relationships(entity);
  const owned = countOf(asEnd, childTypes.direct) + more;
  out.text(
    `,"below":{"owned":${owned},"fund":${countOf(asEnd, childTypes.fund)},"branch":${countOf(asEnd, childTypes.branch)}}}`,
  );
}

function lacksParent(publication: PublicationReader, entity: EntityNumber): boolean {
  const { asStart } = publication.relationships(entity);
  return Object.values(parentTypes).some((type) => !asStart.some((stored) => isOf(stored, type)));
}

function isOf(stored: StoredRelationship, type: string): boolean {
  return isCurrent(stored, [type]);
}

/** Why no parent of each sort is reported; null where one is, or where nothing is said. */
function putMissing(publication: PublicationReader, walk: Walk, entity: EntityNumber): void {
  const { asStart } = publication.relationships(entity);
  const { direct, ultimate } = publication.exceptions(entity);
  const without = (type: string) => !asStart.some((stored) => isOf(stored, type));
  const directText = without(parentTypes.direct) ? direct : null;
  const ultimateText = without(parentTypes.ultimate) ? ultimate : null;
  out.text(`{"lei":"${walk.leis.get(entity)}","direct":${directText},"ultimate":${ultimateText}}`);
}
