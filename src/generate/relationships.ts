/** Generates the level 2 relationships of one entity: parents, manager, umbrella, master fund or head office. */
import type { RelationshipRecord } from '../lei/relationship.ts';
import { secondsPerDay } from './dates.ts';
import { purposes, Random } from './random.ts';
import { type RelationshipDraft, relationshipRecord, retired } from './relationship-record.ts';
import type { World } from './world.ts';

const shared = new Random();

/** The records whose start node is the entity, in the order of the file. @param now seconds since 1970 */
export function relationshipsFrom(world: World, entity: number, now: number): RelationshipRecord[] {
  const role = world.role(entity);
  if (role.kind === 'alone' || role.kind === 'manager') return [];
  const random = shared.start(world.seed ^ 0x1b873593, purposes.relationship, entity);
  const draft = { random, issuer: world.issuer(entity), now };
  const start = world.lei(entity);
  const records: RelationshipRecord[] = [];
  const add = (end: number | null, type: string) => {
    if (end !== null) records.push(relationshipRecord(start, world.lei(end), type, draft));
  };
  if (role.kind === 'head') {
    if (role.self) add(entity, 'IS_ULTIMATELY_CONSOLIDATED_BY');
    add(role.cycle, 'IS_DIRECTLY_CONSOLIDATED_BY');
  } else if (role.kind === 'subsidiary') {
    const kept = consolidationKept(world, entity);
    if (kept.direct) add(role.parent, 'IS_DIRECTLY_CONSOLIDATED_BY');
    if (kept.ultimate) add(role.ultimate, 'IS_ULTIMATELY_CONSOLIDATED_BY');
    if (kept.former) records.push(formerParent(world, entity, draft));
  } else if (role.kind === 'fund') {
    add(role.manager, 'IS_FUND-MANAGED_BY');
    add(role.umbrella, 'IS_SUBFUND_OF');
    add(role.master, 'IS_FEEDER_TO');
  } else {
    add(role.head, 'IS_INTERNATIONAL_BRANCH_OF');
  }
  return records;
}

const choice = new Random();

/** Decides which parents of a subsidiary are reported. Exceptions give reasons for the others. */
export function consolidationKept(world: World, entity: number) {
  const random = choice.start(world.seed ^ 0x27d4eb2f, purposes.relationship, entity);
  return { direct: !random.chance(0.05), ultimate: !random.chance(0.02), former: random.chance(0.02) };
}

/** A former parent: the file keeps it as an inactive, retired record with an end date. */
function formerParent(world: World, entity: number, draft: RelationshipDraft): RelationshipRecord {
  const end = world.lei((entity + 1 + draft.random.below(world.entities - 1)) % world.entities);
  const record = relationshipRecord(world.lei(entity), end, 'IS_DIRECTLY_CONSOLIDATED_BY', draft);
  return retired(record, draft, draft.now - draft.random.below(900) * secondsPerDay);
}
