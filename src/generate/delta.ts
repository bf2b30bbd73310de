/**
 * Generates the delta of the next day: changed, new and deleted records, each of them complete. A deleted relationship
 * or exception is its last state with a time of deletion, which XML and JSON can express and CSV can't.
 */
import type { LegalEntityRecord } from '../lei/company.ts';
import type { ExceptionRecord, RelationshipRecord } from '../lei/relationship.ts';
import { exceptionCategories } from '../lei/relationship-codes.ts';
import { Permutation } from './arrangement.ts';
import { changedRecord, type DeltaDay } from './changed-record.ts';
import { issuerTime, midnight, secondsPerDay, utcTime } from './dates.ts';
import { newcomerRecord } from './entities.ts';
import { exceptionsOf } from './exceptions.ts';
import type { Entry } from './files/golden-copy.ts';
import { mix, purposes, Random } from './random.ts';
import { relationshipRecord, relationshipsFrom, retired } from './relationships.ts';
import type { World } from './world.ts';

/** Shares of all entities that change on one day: 9,000 to 18,000 of 3.45 million in the real last-day file. */
const shares = { changed: 0.0035, newcomers: 0.0003, related: 0.004 };

/** Which day after the full set, and how much of it changes. */
export interface DayOfChanges {
  /** 1 is the day after the full set. */
  readonly day: number;
  /** Level 1 records in the delta; null for as many as on a usual day. */
  readonly changes: number | null;
}

/** The random decisions of one day. */
interface Draws {
  /** A seed of the day's own. */
  readonly seed: number;
  readonly newcomers: number;
  /** Number of the day's first newcomer. */
  readonly newcomersFrom: number;
  changed(entity: number): boolean;
  /** Whether relationships of an entity change without its own record: some do. */
  related(entity: number): boolean;
}

function drawsOf(world: World, { day, changes }: DayOfChanges): Draws {
  const seed = world.seed ^ Math.imul(day - 1, 0x9e3779b1);
  const usual = (shares.changed + shares.newcomers) * world.entities;
  const scale = changes === null ? 1 : changes / usual;
  const newcomers = Math.max(
    Math.round(world.entities * shares.newcomers * scale),
    (changes ?? 0) - world.entities,
  );
  const least = (count: number) => (changes === null ? count / world.entities : 0);
  const draw = (own: number, entity: number) => mix(own, purposes.change, entity) / 0x100000000;
  const relatedShare = Math.max(shares.related * scale, least(30));
  const counts = {
    newcomers: changes === null ? Math.max(3, newcomers) : newcomers,
    related: (entity: number) => draw(seed ^ 0x68e31da4, entity) < relatedShare,
  };
  const newcomersFrom = (day - 1) * counts.newcomers;
  if (changes === null) {
    const share = Math.max(shares.changed, least(8));
    return { seed, ...counts, newcomersFrom, changed: (entity) => draw(seed, entity) < share };
  }
  const chosen = chosenEntities(world, seed, changes - newcomers);
  return { seed, ...counts, newcomersFrom, changed: (entity) => chosen[entity] === 1 };
}

/** Marks exactly this many entities, spread over all of them. */
function chosenEntities(world: World, seed: number, count: number): Uint8Array {
  const order = new Permutation(world.entities, shared.start(seed, purposes.change, 0));
  const chosen = new Uint8Array(world.entities);
  for (let place = 0; place < count; place++) chosen[order.at(place)] = 1;
  return chosen;
}

/**
 * Creates the delta from one day of a world to the next.
 * @param published when the full set was published, in seconds since 1970
 */
export function createDelta(world: World, published: number, day: DayOfChanges) {
  const now = published + (day.day - 1) * secondsPerDay;
  const next = now + secondsPerDay;
  const { seed, newcomers, newcomersFrom, changed, related } = drawsOf(world, day);
  const newcomersTo = newcomersFrom + newcomers;
  return {
    *level1(): Generator<Entry<LegalEntityRecord>> {
      for (let entity = 0; entity < world.entities; entity++) {
        if (changed(entity)) yield kept(changedRecord(world, entity, { seed, now, next }));
      }
      for (let newcomer = newcomersFrom; newcomer < newcomersTo; newcomer++) {
        yield kept(newcomerRecord(world, newcomer, next));
      }
    },
    *relationships(): Generator<Entry<RelationshipRecord>> {
      for (let entity = 0; entity < world.entities; entity++) {
        if (changed(entity) || related(entity)) {
          yield* changedRelationships(world, entity, { seed, now, next });
        }
      }
      for (let newcomer = newcomersFrom; newcomer < newcomersTo; newcomer += 3) {
        yield kept(newcomerParent(world, newcomer, next));
      }
    },
    *exceptions(): Generator<Entry<ExceptionRecord>> {
      for (let entity = 0; entity < world.entities; entity++) {
        if (changed(entity)) yield* changedExceptions(world, entity, { seed, now, next });
      }
      for (let newcomer = newcomersFrom; newcomer < newcomersTo; newcomer++) {
        yield* newcomerExceptions(world, newcomer);
      }
    },
  };
}

function kept<T>(record: T): Entry<T> {
  return { record, deletedAt: null };
}

const shared = new Random();

/** Retires one third of an entity's relationships, deletes one third, and confirms the others. */
function* changedRelationships(
  world: World,
  entity: number,
  { seed, now, next }: DeltaDay,
): Generator<Entry<RelationshipRecord>> {
  const issuer = world.issuer(entity);
  for (const [index, record] of relationshipsFrom(world, entity, now).entries()) {
    const draw = mix(seed ^ index, purposes.change, entity) % 3;
    const at = next - (mix(seed, purposes.change, entity) % secondsPerDay);
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
function* changedExceptions(
  world: World,
  entity: number,
  { seed, next }: DeltaDay,
): Generator<Entry<ExceptionRecord>> {
  for (const [index, record] of exceptionsOf(world, entity).entries()) {
    const draw = mix(seed ^ (index + 17), purposes.change, entity);
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
