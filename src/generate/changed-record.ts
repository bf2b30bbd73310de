/** Generates level 1 of the next day: an entity that was renewed, lapsed, renamed, moved or retired. */
import type { LegalEntityRecord } from '../lei/company.ts';
import { addressOf } from './addresses.ts';
import { issuerTime, midnight, secondsPerDay } from './dates.ts';
import { entityRecord } from './entities.ts';
import { companyCore } from './names.ts';
import { Chooser, purposes, Random } from './random.ts';
import type { World } from './world.ts';

type RecordChange = 'renewed' | 'lapsed' | 'renamed' | 'moved' | 'retired';
const changeKinds = new Chooser<RecordChange>([
  ['renewed', 62],
  ['lapsed', 18],
  ['renamed', 7],
  ['moved', 9],
  ['retired', 4],
]);

const shared = new Random();

/** A day of changes: its own seed, and its beginning and end in seconds since 1970. */
export interface DeltaDay {
  readonly seed: number;
  readonly now: number;
  readonly next: number;
}

/** The record after the change. */
export function changedRecord(
  world: World,
  entity: number,
  { seed, now, next }: DeltaDay,
): LegalEntityRecord {
  const before = entityRecord(world, entity, now);
  const issuer = world.issuer(entity);
  const random = shared.start(seed ^ 0x7f4a7c15, purposes.change, entity);
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

/** The entity with a new legal name, the old one among its other names, and an event. */
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
