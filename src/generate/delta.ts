/**
 * The day after: what changed, appeared and ended. A delta holds whole records. Deleted relationships and
 * exceptions come as their last state with a time of deletion, which XML and JSON can say and CSV can't.
 */
import type { LegalEntityRecord } from '../lei/company.ts';
import { type ExceptionRecord, exceptionCategories, type RelationshipRecord } from '../lei/relationship.ts';
import { addressOf } from './addresses.ts';
import { issuerTime, midnight, secondsPerDay, utcTime } from './dates.ts';
import { entityRecord, newcomerRecord } from './entities.ts';
import { exceptionsOf } from './exceptions.ts';
import type { Entry } from './files/golden-copy.ts';
import { companyCore } from './names.ts';
import { Chooser, mix, purposes, Random } from './random.ts';
import { relationshipRecord, relationshipsFrom, retired } from './relationships.ts';
import type { World } from './world.ts';

/** Shares of all entities that a day touches; the real last-day file holds 9,000 to 18,000 of 3.45 million. */
const shares = { changed: 0.0035, newcomers: 0.0003 };

type ChangeKind = 'renewed' | 'lapsed' | 'renamed' | 'moved' | 'retired';
const changeKinds = new Chooser<ChangeKind>([
  ['renewed', 62],
  ['lapsed', 18],
  ['renamed', 7],
  ['moved', 9],
  ['retired', 4],
]);

export interface Delta {
  level1(): Generator<Entry<LegalEntityRecord>>;
  relationships(): Generator<Entry<RelationshipRecord>>;
  exceptions(): Generator<Entry<ExceptionRecord>>;
}

/**
 * The delta from the full set of a world, published at `now`, to the next day.
 * @param now when the full set was published, seconds since 1970
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

/** Relationships change more often than their start's record: a small share beyond the changed entities. */
function touched(world: World, entity: number): boolean {
  return (
    mix(world.seed ^ 0x68e31da4, purposes.change, entity) / 0x100000000 < Math.max(0.004, 30 / world.entities)
  );
}

const shared = new Random();

function changedRecord(world: World, entity: number, now: number, next: number): LegalEntityRecord {
  const before = entityRecord(world, entity, now);
  const issuer = world.issuer(entity);
  const random = shared.start(world.seed ^ 0x7f4a7c15, purposes.change, entity);
  const updated = next - random.below(secondsPerDay);
  const lastUpdateDate = issuerTime(updated, issuer, random.below(1000));
  const kind = changeKinds.choose(random);
  const registration = { ...before.registration, lastUpdateDate };
  const renewed = issuerTime(midnight(updated + 365 * secondsPerDay), issuer);
  switch (kind) {
    case 'renewed':
      return {
        ...before,
        registration: { ...registration, status: 'ISSUED', nextRenewalDate: renewed },
        entity: { ...before.entity, status: 'ACTIVE' },
      };
    case 'lapsed':
      return { ...before, registration: { ...registration, status: 'LAPSED' } };
    case 'renamed':
      return { ...before, registration, entity: renamedEntity(world, entity, before, updated, random) };
    case 'moved': {
      const legalAddress = addressOf(world.country(entity), random);
      return { ...before, registration, entity: { ...before.entity, legalAddress } };
    }
    case 'retired': {
      const expiration = { date: issuerTime(midnight(updated), issuer), reason: 'DISSOLVED' };
      return {
        ...before,
        registration: { ...registration, status: 'RETIRED' },
        entity: { ...before.entity, status: 'INACTIVE', expiration },
      };
    }
  }
}

/** A new legal name; the old one goes among the other names, and an event says when. */
function renamedEntity(
  world: World,
  entity: number,
  { entity: before }: LegalEntityRecord,
  at: number,
  random: Random,
): LegalEntityRecord['entity'] {
  const issuer = world.issuer(entity);
  const previous = { ...before.legalName, type: 'PREVIOUS_LEGAL_NAME' };
  const event = {
    type: 'CHANGE_LEGAL_NAME',
    status: 'COMPLETED',
    sequence: null,
    effectiveDate: issuerTime(midnight(at - 9 * secondsPerDay), issuer),
    recordedDate: issuerTime(at, issuer),
    validationDocuments: 'SUPPORTING_DOCUMENTS',
    validationReference: null,
    affectedFields: [],
  };
  return {
    ...before,
    legalName: { ...before.legalName, name: companyCore(world.country(entity), random).text },
    otherNames: [previous, ...before.otherNames].slice(0, 5),
    eventGroups: [{ groupType: 'STANDALONE', groupId: null, events: [event] }],
  };
}

/** One third ends as an inactive record, one third is deleted, the rest is confirmed anew. */
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

/** Every third newcomer is a daughter of an entity that was there before. */
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

/** Half of the changed entities' exceptions get another reason, one in four is deleted. */
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
