/** Generates level 1: the complete record of an entity, drawn from the entity's own stream of random numbers. */
import type { LegalEntityRecord } from '../lei/company.ts';
import { addressOf, filled } from './addresses.ts';
import { issuerTime } from './dates.ts';
import { creationDate, eventGroups, expiration, successors, type Times, timesOf } from './entity-history.ts';
import {
  type Category,
  categories,
  conformities,
  corroborations,
  governmentLevels,
  liveStatuses,
  statuses,
} from './entity-shares.ts';
import {
  coreName,
  formOf,
  headquarters,
  otherAddresses,
  otherNames,
  transliteratedAddresses,
  transliterations,
} from './entity-texts.ts';
import { withForm } from './names.ts';
import { purposes, Random } from './random.ts';
import type { Role } from './structure.ts';
import type { RecordDraft, World } from './world.ts';

const shared = new Random();

/** The level 1 record of an entity, with times as its issuer writes them. */
export function entityRecord(world: World, entity: number, now: number): LegalEntityRecord {
  const { seed } = world;
  return recordOf(world, { entity, lei: world.lei(entity), role: world.role(entity), seed, now });
}

/** The record of an entity of the next day; it has the country and issuer of an existing one. */
export function newcomerRecord(world: World, newcomer: number, now: number): LegalEntityRecord {
  return recordOf(world, {
    entity: world.newcomerModel(newcomer),
    lei: world.newcomerLei(newcomer),
    role: { kind: 'alone' },
    seed: world.seed ^ 0x5bd1e995,
    now,
  });
}

/** The facts of a record that its entity does not determine alone. */
interface RecordSeed extends Pick<RecordDraft, 'entity' | 'lei' | 'role' | 'now'> {
  readonly seed: number;
}

function recordOf(world: World, { entity, lei, role, seed, now }: RecordSeed): LegalEntityRecord {
  const country = world.country(entity);
  const issuer = world.issuer(entity);
  // The country came from the beginning of the entity's stream; the record uses another one.
  const random = shared.start(seed ^ 0x2545f491, purposes.entity, entity);
  const category = categoryOf(role, random);
  const status = (role.kind === 'alone' ? statuses : liveStatuses).choose(random);
  return record({ world, entity, lei, country, issuer, role, category, status, random, now });
}

function categoryOf(role: Role, random: Random): Category {
  if (role.kind === 'fund') return 'FUND';
  if (role.kind === 'branch') return 'BRANCH';
  return role.kind === 'alone' ? categories.choose(random) : 'GENERAL';
}

/** Parts draw from the stream in the order of the calls: that order decides the bytes of every file. */
function record(draft: RecordDraft): LegalEntityRecord {
  const { country, random } = draft;
  const form = formOf(draft);
  const core = coreName(draft);
  const capitals = random.chance(country.capitals);
  const name = withForm(core, form, capitals);
  const legalAddress = addressOf(country, random);
  const times = timesOf(draft);
  const authority = authorityOf(draft);
  const names = otherNames(draft, form, capitals);
  return {
    lei: draft.lei,
    entity: {
      legalName: { name: name.text, language: country.tag },
      otherNames: names,
      transliteratedOtherNames: transliterations(draft, name),
      legalAddress,
      headquartersAddress: headquarters(draft, legalAddress),
      otherAddresses: otherAddresses(draft, legalAddress),
      transliteratedOtherAddresses: transliteratedAddresses(draft, legalAddress),
      registeredAt: authority.validatedAt,
      registeredAs: authority.validatedAs,
      jurisdiction: form.jurisdiction ?? country.code,
      ...standing(draft, times),
      legalForm: { id: form.code, other: form.other },
    },
    registration: registration(draft, times),
    validation: validation(draft, authority),
  };
}

/** Draws the kind of the entity and its current state. */
function standing(draft: RecordDraft, times: Times) {
  const { category, random } = draft;
  return {
    category,
    subCategory: category === 'RESIDENT_GOVERNMENT_ENTITY' ? random.pick(governmentLevels) : null,
    associatedEntity: associatedEntity(draft),
    status: entityStatus(draft),
    creationDate: creationDate(draft, times),
    expiration: expiration(draft, times),
    successorEntities: successors(draft),
    eventGroups: eventGroups(draft, times),
  };
}

function registration(
  { status, issuer, random }: RecordDraft,
  times: Times,
): LegalEntityRecord['registration'] {
  return {
    status,
    initialRegistrationDate: issuerTime(times.registered, issuer),
    lastUpdateDate: issuerTime(times.updated, issuer, random.below(1000)),
    nextRenewalDate: issuerTime(times.renewal, issuer),
    managingLou: issuer.lei,
  };
}

function validation(
  { status, country, random }: RecordDraft,
  authority: ReturnType<typeof authorityOf>,
): LegalEntityRecord['validation'] {
  return {
    corroborationLevel: corroborations.choose(random),
    ...authority,
    otherValidationAuthorities: random.chance(0.04)
      ? [{ validatedAt: { id: country.register, other: null }, validatedAs: filled('########', random) }]
      : [],
    conformityFlag:
      status === 'ISSUED' || status === 'LAPSED' ? conformities.choose(random) : 'NOT_APPLICABLE',
  };
}

/** The business register of an entity, and its number there. */
function authorityOf({ country, random }: RecordDraft) {
  if (random.chance(0.04)) return { validatedAt: { id: 'RA999999', other: null }, validatedAs: null };
  if (random.chance(0.002)) {
    return {
      validatedAt: { id: 'RA888888', other: 'Register of the ministry of justice' },
      validatedAs: filled('####', random),
    };
  }
  return { validatedAt: { id: country.register, other: null }, validatedAs: filled(country.number, random) };
}

function associatedEntity({ category, random, world }: RecordDraft) {
  if (category !== 'FUND' || !random.chance(0.05)) return null;
  if (random.chance(0.3)) return { type: 'FUND_FAMILY', lei: null, name: 'Unregistered fund family' };
  return { type: 'FUND_FAMILY', lei: world.lei(random.below(world.entities)), name: null };
}

function entityStatus({ status, random }: RecordDraft): string {
  // GLEIF writes the string NULL for a record that should never have existed.
  if (status === 'DUPLICATE' || status === 'ANNULLED') return 'NULL';
  if (status === 'RETIRED' || status === 'MERGED') return 'INACTIVE';
  return random.chance(0.003) ? 'INACTIVE' : 'ACTIVE';
}
