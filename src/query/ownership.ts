/** getOwnership: the companies above and below one, breadth first, as nodes and edges. */
import { parentTypes } from '../lei/relationship-codes.ts';
import type { OwnershipQuestion } from '../protocol/ext-questions.ts';
import type { JsonBytes } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { EntityNumber, PublicationReader, StoredRelationship } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { found, notFound, out, putList, putShown, shown } from './answers.ts';
import { queryLimits } from './limits.ts';
import { recordOf } from './look-ups.ts';
import { isCurrent } from './related.ts';

type AskedDirection = OwnershipQuestion['directions'][number];

interface WalkStep {
  readonly entity: EntityNumber;
  readonly direction: AskedDirection;
  /** Steps from the company asked about. */
  readonly level: number;
}

/** The ends and the type of a relationship. */
export type RelationshipEnds = Pick<StoredRelationship, 'start' | 'end' | 'type'>;

interface OwnershipEdge {
  readonly parent: EntityNumber;
  readonly child: EntityNumber;
  readonly type: string;
}

/** The types of relationships that lead to owners and to what they own. */
const followed: readonly string[] = Object.values(parentTypes);

/** A step is one company from which relationships are followed. */
export function* answerOwnership(publication: PublicationReader, question: OwnershipQuestion): Steps<Answer> {
  const { lei, directions, depth } = question;
  const entity = recordOf(publication, lei);
  if (entity === null) return notFound;
  const walk = new Walk(publication, entity);
  yield* walk.go(directions, depth, followed);
  out.begin();
  out.text(`{"lei":"${lei}","direction":${JSON.stringify(directions)},"depth":${depth},"nodes":`);
  putList(out, [...walk.leis.keys()], (node) => {
    putShown(out, publication.summary(node), nodeMembers);
    out.text('}');
  });
  out.text(',"edges":');
  walk.putEdges(out);
  out.text(',"exceptions":');
  putList(out, exceptionsOf(publication, walk), (json) => out.text(json));
  out.text(`,"truncated":${walk.truncated}}`);
  return found(out);
}

/** JSON of the reporting exceptions of the nodes, each with its LEI. */
function exceptionsOf(publication: PublicationReader, { leis }: Walk): readonly string[] {
  return [...leis].flatMap(([entity, lei]) => {
    const { direct, ultimate } = publication.exceptions(entity);
    return [direct, ultimate].flatMap((json) => (json === null ? [] : [`{"lei":"${lei}",${json.slice(1)}`]));
  });
}

/** The members of a node, without its closing brace. */
export const nodeMembers = [
  shown('{"lei":', 'lei'),
  shown(',"name":', 'name'),
  shown(',"country":', 'country'),
  shown(',"status":', 'entityStatus'),
];

/**
 * Follows relationships from one company up or down. A company is one node, however many paths lead to it, and each
 * direction is followed from it once.
 */
export class Walk {
  /** The nodes with their LEIs, in the order in which they were reached. */
  readonly leis = new Map<EntityNumber, string>();
  readonly #edges = new Map<string, OwnershipEdge>();
  /** Whether there are more companies than nodes: because of their number, or beyond the depth. */
  truncated = false;
  readonly #publication: PublicationReader;
  readonly #start: EntityNumber;

  constructor(publication: PublicationReader, start: EntityNumber) {
    this.#publication = publication;
    this.#start = start;
    this.#reach(start);
  }

  /** @param types of the relationships that are followed */
  *go(directions: readonly AskedDirection[], depth: number, types: readonly string[]): Steps<void> {
    const steps: WalkStep[] = directions.map((direction) => ({ entity: this.#start, direction, level: 0 }));
    const taken = new Set(steps.map(keyOf));
    // The list grows during the loop: breadth first.
    for (const { entity, direction, level } of steps) {
      yield;
      if (level === depth) {
        this.truncated ||= yield* this.#leadsOn(entity, direction, types);
        if (this.truncated) break;
        continue;
      }
      for (const other of yield* this.#follow(entity, direction, types)) {
        const step = { entity: other, direction, level: level + 1 };
        if (taken.has(keyOf(step))) continue;
        taken.add(keyOf(step));
        steps.push(step);
      }
    }
  }

  /** Adds the edges of a company in one direction. @returns the companies at their other ends that are nodes, by LEI */
  *#follow(
    entity: EntityNumber,
    direction: AskedDirection,
    types: readonly string[],
  ): Steps<readonly EntityNumber[]> {
    return yield* this.add(yield* this.#current(entity, direction, types), direction);
  }

  /** Whether a company leads to one that is no node. */
  *#leadsOn(entity: EntityNumber, direction: AskedDirection, types: readonly string[]): Steps<boolean> {
    const current = yield* this.#current(entity, direction, types);
    return current.some((stored) => !this.leis.has(otherEnd(stored, direction)));
  }

  *#current(
    entity: EntityNumber,
    direction: AskedDirection,
    types: readonly string[],
  ): Steps<readonly RelationshipEnds[]> {
    const { asStart, asEnd } = yield* this.#publication.relationshipsInSteps(entity);
    return (direction === 'up' ? asStart : asEnd).filter((stored) => isCurrent(stored, types));
  }

  /** Adds relationships with the companies that they lead to. @returns the LEIs of those that are nodes */
  *add(
    relationships: readonly RelationshipEnds[],
    direction: AskedDirection,
  ): Steps<readonly EntityNumber[]> {
    const current = relationships.map(edgeOf);
    const others = relationships.map((each) => otherEnd(each, direction));
    const reached = (yield* this.#byLei(others)).filter((other) => this.#reach(other));
    for (const edge of current) {
      if (!this.leis.has(edge.parent) || !this.leis.has(edge.child)) continue;
      this.#edges.set(`${edge.parent} ${edge.child} ${edge.type}`, edge);
    }
    return reached;
  }

  /** Writes the relationships between the nodes as a list. */
  putEdges(to: JsonBytes): void {
    putList(to, [...this.#edges.values()], ({ parent, child, type }) =>
      to.text(
        `{"parent":"${this.leis.get(parent)}","child":"${this.leis.get(child)}","type":${JSON.stringify(type)}}`,
      ),
    );
  }

  /** @returns whether the company is a node */
  #reach(entity: EntityNumber): boolean {
    if (this.leis.has(entity)) return true;
    if (this.leis.size === queryLimits.ownershipNodesMax) {
      this.truncated = true;
      return false;
    }
    this.leis.set(entity, this.#publication.summary(entity).lei);
    return true;
  }

  *#byLei(entities: readonly EntityNumber[]): Steps<readonly EntityNumber[]> {
    const known: { readonly entity: EntityNumber; readonly lei: string }[] = [];
    for (const entity of new Set(entities)) {
      if (known.length > 0 && known.length % queryLimits.itemsPerStep === 0) yield;
      known.push({ entity, lei: this.leis.get(entity) ?? this.#publication.summary(entity).lei });
    }
    return known.sort((a, b) => (a.lei < b.lei ? -1 : 1)).map(({ entity }) => entity);
  }
}

function keyOf({ entity, direction }: WalkStep): string {
  return `${direction}${entity}`;
}

/** The parent or the child of a relationship. */
function otherEnd({ start, end }: RelationshipEnds, direction: AskedDirection): EntityNumber {
  return direction === 'up' ? end : start;
}

function edgeOf({ start, end, type }: RelationshipEnds): OwnershipEdge {
  return { parent: end, child: start, type };
}
