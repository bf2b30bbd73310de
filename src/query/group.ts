/**
 * Answers the picture of a group on the page of a company: everybody above it, and one step below it the companies it
 * owns, funds and branches. Each company has the number of companies below it, so that the reader sees where to
 * continue.
 */
import { byKind } from '../lei/identifier-kinds.ts';
import { childKinds, childTypes, parentTypes } from '../lei/relationship-codes.ts';
import { type GroupQuestion, ownershipDepthMax } from '../protocol/ext-questions.ts';
import { JsonBytes } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { EntityNumber, PublicationReader } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { foundAlone, notFound, putListInSteps, putShown } from './answers.ts';
import { queryLimits } from './limits.ts';
import { recordOf } from './look-ups.ts';
import { nodeMembers, type RelationshipEnds, Walk } from './ownership.ts';
import { countOf, isCurrent } from './related.ts';

const typesAbove: readonly string[] = [
  ...Object.values(parentTypes),
  ...childTypes.fund,
  ...childTypes.branch,
];

export function* answerGroup(
  publication: PublicationReader,
  { lei, directions }: GroupQuestion,
): Steps<Answer> {
  const asked = recordOf(publication, lei);
  if (asked === null) return notFound;
  const walk = new Walk(publication, asked);
  if (directions.includes('up')) yield* walk.go(['up'], ownershipDepthMax, typesAbove);
  const above = [...walk.leis.keys()];
  const orphans = directions.includes('down') ? yield* goDown(publication, walk, asked) : 0;
  // Others write to the shared buffer between two steps.
  const out = new JsonBytes();
  out.begin();
  out.text(`{"lei":"${lei}","nodes":`);
  yield* putListInSteps(out, [...walk.leis.keys()], (entity) =>
    putNode(out, publication, entity, entity === asked ? orphans : 0),
  );
  out.text(',"edges":');
  walk.putEdges(out);
  out.text(',"missing":');
  const silent = directions.includes('up') ? above.filter((entity) => lacksParent(publication, entity)) : [];
  yield* putListInSteps(out, silent, (entity) => putMissing(out, publication, walk, entity));
  out.text(`,"truncated":${walk.truncated}}`);
  return foundAlone(out);
}

/**
 * Adds those one step below. Funds and branches have reserved room, however many companies it owns.
 * @returns how many name the company as their ultimate parent and have no direct one
 */
function* goDown(publication: PublicationReader, walk: Walk, entity: EntityNumber): Steps<number> {
  const { asEnd } = yield* publication.relationshipsInSteps(entity);
  // Copy them: the loop below reads those of others.
  const below = (types: readonly string[]) =>
    asEnd
      .filter((stored) => isCurrent(stored, types))
      .map(({ start, end, type }): RelationshipEnds => ({ start, end, type }));
  const { direct, ultimate, fund, branch } = byKind(childKinds, (kind) => below(childTypes[kind]));
  const orphans: RelationshipEnds[] = [];
  for (const each of ultimate.slice(0, queryLimits.ultimateChildrenLookedAtMax)) {
    yield;
    const { asStart } = publication.relationships(each.start);
    if (countOf(asStart, childTypes.direct) === 0) orphans.push(each);
  }
  for (const apart of [branch, fund]) yield* walk.add(apart.slice(0, queryLimits.groupRoomApart), 'down');
  for (const rest of [direct, orphans, branch, fund]) yield* walk.add(rest, 'down');
  return orphans.length;
}

/** @param more companies that it owns besides those that name it as their direct parent */
function putNode(out: JsonBytes, publication: PublicationReader, entity: EntityNumber, more: number): void {
  putShown(out, publication.summary(entity), nodeMembers);
  const { asEnd } = publication.relationships(entity);
  const owned = countOf(asEnd, childTypes.direct) + more;
  out.text(
    `,"below":{"owned":${owned},"fund":${countOf(asEnd, childTypes.fund)},"branch":${countOf(asEnd, childTypes.branch)}}}`,
  );
}

const parentsOfBothKinds = [childTypes.direct, childTypes.ultimate] as const;

function lacksParent(publication: PublicationReader, entity: EntityNumber): boolean {
  const { asStart } = publication.relationships(entity);
  return parentsOfBothKinds.some((types) => countOf(asStart, types) === 0);
}

/** Writes why no direct and no ultimate parent is reported; null if one is, or if no reason is given. */
function putMissing(out: JsonBytes, publication: PublicationReader, walk: Walk, entity: EntityNumber): void {
  const { asStart } = publication.relationships(entity);
  const [hasDirect, hasUltimate] = parentsOfBothKinds.map((types) => countOf(asStart, types) > 0);
  const { direct, ultimate } = publication.exceptions(entity);
  out.text(
    `{"lei":"${walk.leis.get(entity)}","direct":${hasDirect ? null : direct},"ultimate":${hasUltimate ? null : ultimate}}`,
  );
}
