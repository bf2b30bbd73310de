/**
 * The delta of the next day: changed, new and deleted records, each of them whole. A deleted relationship or exception is
 * its last state with a time of deletion, which XML and JSON can express and CSV can't.
 */
import type { LegalEntityRecord } from '../lei/company.ts';
import { type ExceptionRecord, exceptionCategories, type RelationshipRecord } from '../lei/relationship.ts';
import { changedRecord } from './changed-record.ts';
import { issuerTime, midnight, secondsPerDay, utcTime } from './dates.ts';
import { newcomerRecord } from './entities.ts';
import { exceptionsOf } from './exceptions.ts';
import type { Entry } from './files/golden-copy.ts';
import { mix, purposes, Random } from './random.ts';
import { relationshipRecord, retired } from './relationship-record.ts';
import { relationshipsFrom } from './relationships.ts';
import type { World } from './world.ts';

/** Shares of all entities that change on one day: 9,000 to 18,000 of 3.45 million in the real last-day file. */
const shares = { changed: 0.0035, newcomers: 0.0003 };

export interface Delta {
  level1(): Generator<Entry<LegalEntityRecord>>;
  relationships(): Generator<Entry<RelationshipRecord>>;
  exceptions(): Generator<Entry<ExceptionRecord>>;
}

/**
 * Creates the delta from the full set of a world to the next day.
 * @param now when the full set was published, in seconds since 1970
 */
export function createDelta(world: World, now: number): Delta {
  const next = now + secondsPerDay;
  const newcomers = Math.max(3, Math.round(world.entities * shares.newcomers));
  const changed = (entity: number) =>
    mix(world.seed, purposes.change, entity) / 0x100000000 < Math.max(shares.changed, 8 / world.entities);
  return {
    *level1() {
      for (let entity = 0; entity < world.entities; entity++) {
        if (changed(entity)) yield kept(changedRecord(world, entity, now, next));
      }
      for (let newcomer = 0; newcomer < newcomers; newcomer++) {
        yield kept(newcomerRecord(world, newcomer, next));
      }
    },
    *relationships() {
      for (let entity = 0; entity < world.entities; entity++) {
        if (changed(entity) || touched(world, entity)) yield* changedRelationships(world, entity, now, next);
      }
      for (let newcomer = 0; newcomer < newcomers; newcomer += 3) {
        yield kept(newcomerParent(world, newcomer, next));
      }
    },
    *exceptions() {
      for (let entity = 0; entity < world.entities; entity++) {
        if (changed(entity)) yield* changedExceptions(world, entity, next);
      }
      for (let newcomer = 0; newcomer < newcomers; newcomer++) {
        yield* newcomerExceptions(world, newcomer);
      }
    },
  };
}

function kept<T>(record: T): Entry<T> {
  return { record, deletedAt: null };
}

/** Whether relationships of an entity change without its own record: some do. */
function touched(world: World, entity: number): boolean {
  return (
    mix(world.seed ^ 0x68e31da4, purposes.change, entity) / 0x100000000 < Math.max(0.004, 30 / world.entities)
  );
}

const shared = new Random();

/** Retires one third of an entity's relationships, deletes one third, and confirms the others. */
function* changedRelationships(
  world: World,
  entity: number,
  now: number,
  next: number,
): Generator<Entry<RelationshipRecord>> {
  const issuer = world.issuer(entity);
  for (const [index, record] of relationshipsFrom(world, entity, now).entries()) {
    const draw = mix(world.seed ^ index, purposes.change, entity) % 3;
    const at = next - (mix(world.seed, purposes.change, entity) % secondsPerDay);
    if (draw === 0) yield kept(retired(record, { issuer }, at));
    else if (draw === 1) yield { record, deletedAt: utcTime(at) };
    else
      yield kept(
        confirmed(record, issuerTime(at, issuer), issuerTime(midnight(at + 365 * secondsPerDay), issuer)),
      );
  }
}

function confirmed(record: RelationshipRecord, updated: string, renewal: string): RelationshipRecord {
  const { relationship } = record;
  const registration = {
    ...relationship.registration,
    status: 'PUBLISHED',
    lastUpdateDate: updated,
    nextRenewalDate: renewal,
  };
  return { ...record, relationship: { ...relationship, registration } };
}

/** The parent of every third newcomer is an entity of the full set. */
function newcomerParent(world: World, newcomer: number, next: number): RelationshipRecord {
  const model = world.newcomerModel(newcomer);
  const random = shared.start(world.seed, purposes.newcomer, newcomer);
  return relationshipRecord(
    world.newcomerLei(newcomer),
    world.lei(random.below(world.entities)),
    'IS_DIRECTLY_CONSOLIDATED_BY',
    { random, issuer: world.issuer(model), now: next },
  );
}

/** Gives half of an entity's exceptions another reason, and deletes one in four. */
function* changedExceptions(world: World, entity: number, next: number): Generator<Entry<ExceptionRecord>> {
  for (const [index, record] of exceptionsOf(world, entity).entries()) {
    const draw = mix(world.seed ^ (index + 17), purposes.change, entity);
    if (draw % 4 === 0) yield { record, deletedAt: utcTime(next - (draw % secondsPerDay)) };
    else if (draw % 4 < 3)
      yield kept({ ...record, exception: { ...record.exception, reasons: ['NON_PUBLIC'] } });
  }
}

function* newcomerExceptions(world: World, newcomer: number): Generator<Entry<ExceptionRecord>> {
  const lei = world.newcomerLei(newcomer);
  const categories =
    newcomer % 3 === 0
      ? [exceptionCategories.ultimate]
      : [exceptionCategories.direct, exceptionCategories.ultimate];
  for (const category of categories) {
    yield kept({ lei, exception: { category, reasons: ['NATURAL_PERSONS'], references: [] } });
  }
}
