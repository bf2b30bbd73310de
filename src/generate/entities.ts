/** Level 1: the whole record of an entity, drawn from the entity's own stream of numbers. */
import type {
  Address,
  EventGroup,
  LegalEntityEvent,
  LegalEntityRecord,
  TypedAddress,
  TypedName,
} from '../lei/company.ts';
import { addressOf, filled, latinAddress } from './addresses.ts';
import { issuerTime, midnight, secondsPerDay } from './dates.ts';
import { companyCore, fundCore, type GeneratedName, governmentName, personName, withForm } from './names.ts';
import { Chooser, purposes, Random } from './random.ts';
import { type Country, countries, type LegalForm } from './vocabulary/countries.ts';
import type { Issuer } from './vocabulary/issuers.ts';
import type { Role, World } from './world.ts';

export type Category =
  | 'GENERAL'
  | 'BRANCH'
  | 'FUND'
  | 'SOLE_PROPRIETOR'
  | 'RESIDENT_GOVERNMENT_ENTITY'
  | 'INTERNATIONAL_ORGANIZATION';

const categories = new Chooser<Category>([
  ['GENERAL', 93.3],
  ['FUND', 2.6],
  ['SOLE_PROPRIETOR', 3.8],
  ['RESIDENT_GOVERNMENT_ENTITY', 0.22],
  ['BRANCH', 0.05],
  ['INTERNATIONAL_ORGANIZATION', 0.003],
]);
const statuses = new Chooser([
  ['ISSUED', 60.3],
  ['LAPSED', 33.1],
  ['RETIRED', 4.7],
  ['DUPLICATE', 0.55],
  ['ANNULLED', 0.5],
  ['MERGED', 0.6],
  ['PENDING_TRANSFER', 0.15],
  ['PENDING_ARCHIVAL', 0.1],
]);
/** For those whom other records name: they are alive. */
const liveStatuses = new Chooser([
  ['ISSUED', 72],
  ['LAPSED', 28],
]);
/** LEIs were given out in waves: the start of reporting duties, then steady growth. */
const registrationYears = new Chooser<number>([
  [2012, 2],
  [2013, 5],
  [2014, 7],
  [2015, 5],
  [2016, 5],
  [2017, 12],
  [2018, 9],
  [2019, 6],
  [2020, 6],
  [2021, 7],
  [2022, 7],
  [2023, 7],
  [2024, 8],
  [2025, 8],
  [2026, 6],
]);
const corroborations = new Chooser([
  ['FULLY_CORROBORATED', 90],
  ['PARTIALLY_CORROBORATED', 4],
  ['ENTITY_SUPPLIED_ONLY', 5.5],
  ['PENDING', 0.5],
]);
const conformities = new Chooser<string | null>([
  ['CONFORMING', 66],
  ['NON_CONFORMING', 30],
  ['NOT_APPLICABLE', 3],
  [null, 1],
]);
const eventTypes = new Chooser([
  ['CHANGE_LEGAL_NAME', 30],
  ['CHANGE_LEGAL_ADDRESS', 26],
  ['CHANGE_HQ_ADDRESS', 26],
  ['CHANGE_LEGAL_FORM', 8],
  ['CHANGE_OTHER_NAMES', 3],
  ['MERGERS_AND_ACQUISITIONS', 3],
  ['LIQUIDATION', 2],
  ['BANKRUPTCY', 0.7],
  ['DISSOLUTION', 1],
  ['DEMERGER', 0.3],
]);
const otherNameTypes = new Chooser([
  ['PREVIOUS_LEGAL_NAME', 60],
  ['TRADING_OR_OPERATING_NAME', 32],
  ['ALTERNATIVE_LANGUAGE_LEGAL_NAME', 8],
]);
const governmentLevels = ['CENTRAL_GOVERNMENT', 'STATE_GOVERNMENT', 'LOCAL_GOVERNMENT', 'SOCIAL_SECURITY'];
const noForm: LegalForm = {
  code: '9999',
  jurisdiction: null,
  before: '',
  after: '',
  latinAfter: '',
  other: null,
};

/** What the draft of a record is made with. */
interface Draft {
  readonly world: World;
  readonly entity: number;
  readonly lei: string;
  readonly country: Country;
  readonly issuer: Issuer;
  readonly role: Role;
  readonly category: Category;
  readonly status: string;
  readonly random: Random;
  /** When the data set is published, in seconds since 1970: nothing is later but renewals. */
  readonly now: number;
}

const shared = new Random();

/** The level 1 record of an entity; its times are as the issuer writes them, not yet UTC. */
export function entityRecord(world: World, entity: number, now: number): LegalEntityRecord {
  return draftRecord(world, entity, world.lei(entity), world.role(entity), now, world.seed);
}

/** The record of an entity that appears the day after; it takes after an existing one's country and issuer. */
export function newcomerRecord(world: World, newcomer: number, now: number): LegalEntityRecord {
  const lei = world.newcomerLei(newcomer);
  return draftRecord(
    world,
    world.newcomerModel(newcomer),
    lei,
    { kind: 'alone' },
    now,
    world.seed ^ 0x5bd1e995,
  );
}

function draftRecord(
  world: World,
  entity: number,
  lei: string,
  role: Role,
  now: number,
  seed: number,
): LegalEntityRecord {
  const country = world.country(entity);
  const issuer = world.issuer(entity);
  // The world took the country from the beginning of the stream; the record goes on in one of its own.
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

interface Times {
  readonly registered: number;
  readonly updated: number;
  readonly renewal: number;
}

function record(draft: Draft): LegalEntityRecord {
  const { country, random, category, status, issuer } = draft;
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
      registeredAt: authority.at,
      registeredAs: authority.as,
      jurisdiction: form.jurisdiction ?? country.code,
      category,
      subCategory: category === 'RESIDENT_GOVERNMENT_ENTITY' ? random.pick(governmentLevels) : null,
      associatedEntity: associatedEntity(draft),
      status: entityStatus(draft),
      creationDate: creationDate(draft, times),
      expiration: expiration(draft, times),
      successorEntities: successors(draft),
      eventGroups: eventGroups(draft, times),
      legalForm: { id: form.code, other: form.other },
    },
    registration: {
      status,
      initialRegistrationDate: issuerTime(times.registered, issuer),
      lastUpdateDate: issuerTime(times.updated, issuer, random.below(1000)),
      nextRenewalDate: issuerTime(times.renewal, issuer),
      managingLou: issuer.lei,
    },
    validation: {
      corroborationLevel: corroborations.choose(random),
      validatedAt: authority.at,
      validatedAs: authority.as,
      otherValidationAuthorities: random.chance(0.04)
        ? [{ validatedAt: { id: country.register, other: null }, validatedAs: filled('########', random) }]
        : [],
      conformityFlag:
        status === 'ISSUED' || status === 'LAPSED' ? conformities.choose(random) : 'NOT_APPLICABLE',
    },
  };
}

function formOf({ category, country, random }: Draft): LegalForm {
  if (category === 'SOLE_PROPRIETOR' || category === 'RESIDENT_GOVERNMENT_ENTITY') {
    return random.chance(0.5) ? noForm : { ...noForm, code: '8888', other: 'Public or personal undertaking' };
  }
  if (category === 'INTERNATIONAL_ORGANIZATION') return noForm;
  return country.forms.choose(random);
}

function coreName({ category, country, random }: Draft): GeneratedName {
  if (category === 'FUND') return fundCore(country, random);
  if (category === 'SOLE_PROPRIETOR') return personName(country, random);
  if (category === 'RESIDENT_GOVERNMENT_ENTITY') return governmentName(country, random);
  const core = companyCore(country, random);
  if (category !== 'BRANCH') return core;
  return { text: `${core.text} Branch`, latin: `${core.latin} Branch` };
}

function otherNames(draft: Draft, form: LegalForm, capitals: boolean): TypedName[] {
  const { random, country } = draft;
  const names: TypedName[] = [];
  if (!random.chance(0.07)) return names;
  // Mostly one; the published file can hold five.
  const count = 1 + random.zipf(5);
  for (let index = 0; index < count; index++) {
    const type = otherNameTypes.choose(random);
    const core = companyCore(country, random);
    const name = type === 'TRADING_OR_OPERATING_NAME' ? core : withForm(core, form, capitals);
    const alternative = type === 'ALTERNATIVE_LANGUAGE_LEGAL_NAME';
    names.push({
      name: alternative ? name.latin : name.text,
      language: alternative ? 'en' : country.tag,
      type,
    });
  }
  return names;
}

function transliterations({ country, random }: Draft, name: GeneratedName): TypedName[] {
  if (country.language.latin) {
    if (name.latin === name.text || !random.chance(0.03)) return [];
    return [{ name: name.latin, language: 'en', type: 'PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME' }];
  }
  const type = random.chance(0.6)
    ? 'AUTO_ASCII_TRANSLITERATED_LEGAL_NAME'
    : 'PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME';
  return random.chance(0.9) ? [{ name: name.latin, language: 'en', type }] : [];
}

function headquarters({ country, random }: Draft, legal: Address): Address {
  if (random.chance(0.7)) return legal;
  return addressOf(random.chance(0.12) ? random.pick(countries) : country, random);
}

function otherAddresses({ country, random }: Draft, legal: Address): TypedAddress[] {
  if (!random.chance(country.language.latin ? 0.004 : 0.1)) return [];
  return [{ type: 'ALTERNATIVE_LANGUAGE_LEGAL_ADDRESS', ...latinAddress(country, legal, random) }];
}

function transliteratedAddresses({ country, random }: Draft, legal: Address): TypedAddress[] {
  if (country.language.latin || !random.chance(0.75)) return [];
  return [{ type: 'AUTO_ASCII_TRANSLITERATED_LEGAL_ADDRESS', ...latinAddress(country, legal, random) }];
}

function authorityOf({ country, random }: Draft) {
  if (random.chance(0.04)) return { at: { id: 'RA999999', other: null }, as: null };
  if (random.chance(0.002)) {
    return {
      at: { id: 'RA888888', other: 'Register of the ministry of justice' },
      as: filled('####', random),
    };
  }
  return { at: { id: country.register, other: null }, as: filled(country.number, random) };
}

function associatedEntity({ category, random, world }: Draft) {
  if (category !== 'FUND' || !random.chance(0.05)) return null;
  if (random.chance(0.3)) return { type: 'FUND_FAMILY', lei: null, name: 'Unregistered fund family' };
  return { type: 'FUND_FAMILY', lei: world.lei(random.below(world.entities)), name: null };
}

function entityStatus({ status, random }: Draft): string {
  // The string NULL is what the publisher writes where a record should never have been.
  if (status === 'DUPLICATE' || status === 'ANNULLED') return 'NULL';
  if (status === 'RETIRED' || status === 'MERGED') return 'INACTIVE';
  return random.chance(0.003) ? 'INACTIVE' : 'ACTIVE';
}

function timesOf({ random, status, now }: Draft): Times {
  const year = registrationYears.choose(random);
  const start = Date.UTC(year, year === 2012 ? 5 : 0, 1) / 1000;
  const end = Math.min(now, Date.UTC(year + 1, 0, 1) / 1000);
  const registered = Math.floor(start + (end - start) * random.unit());
  const age = now - registered;
  const annual = 365 * secondsPerDay;
  if (status === 'ISSUED' || status === 'PENDING_TRANSFER') {
    const updated = Math.max(registered, now - Math.floor(annual * random.unit() ** 1.5));
    return { registered, updated, renewal: midnight(now + Math.floor(annual * random.unit())) };
  }
  const updated = registered + Math.floor(age * random.unit());
  return { registered, updated, renewal: midnight(Math.min(now - secondsPerDay, updated + annual)) };
}

/** Companies are mostly a few years older than their LEI; some are centuries old. */
function creationDate({ random, issuer }: Draft, times: Times): string | null {
  if (random.chance(0.02)) return null;
  const years = random.chance(0.002) ? 100 + random.below(300) : random.zipf(60);
  return issuerTime(midnight(times.registered - years * 365 * secondsPerDay), issuer);
}

function expiration({ status, random, issuer }: Draft, times: Times) {
  if (status !== 'RETIRED' && status !== 'MERGED') return { date: null, reason: null };
  const reason = status === 'MERGED' ? 'CORPORATE_ACTION' : random.chance(0.8) ? 'DISSOLVED' : 'OTHER';
  return { date: issuerTime(midnight(times.updated - secondsPerDay), issuer), reason };
}

function successors({ status, random, world, country }: Draft) {
  const merged =
    status === 'MERGED' || status === 'DUPLICATE' || (status === 'RETIRED' && random.chance(0.15));
  if (!merged) return [];
  if (random.chance(0.1)) return [{ lei: null, name: companyCore(country, random).text }];
  return [{ lei: world.lei(random.below(world.entities)), name: null }];
}

function eventGroups(draft: Draft, times: Times): EventGroup[] {
  const { random } = draft;
  if (!random.chance(0.09)) return [];
  const groups: EventGroup[] = [];
  const count = 1 + random.zipf(4);
  if (count === 2 && random.chance(0.1)) {
    const events = ['CHANGE_LEGAL_FORM', 'CHANGE_LEGAL_NAME'].map((type, index) =>
      eventOf(draft, times, type, index + 1),
    );
    return [{ groupType: 'CHANGE_LEGAL_FORM_AND_NAME', groupId: `G${draft.entity}`, events }];
  }
  for (let index = 0; index < count; index++) {
    const event = eventOf(draft, times, eventTypes.choose(random), null);
    groups.push({ groupType: 'STANDALONE', groupId: null, events: [event] });
  }
  return groups;
}

function eventOf(draft: Draft, times: Times, type: string, sequence: number | null): LegalEntityEvent {
  const { random, issuer } = draft;
  const recorded = times.registered + Math.floor((times.updated - times.registered) * random.unit());
  return {
    type,
    status: random.chance(0.96) ? 'COMPLETED' : 'IN_PROGRESS',
    sequence,
    effectiveDate: issuerTime(midnight(recorded - 20 * secondsPerDay), issuer),
    recordedDate: issuerTime(recorded, issuer, random.below(1000)),
    validationDocuments: random.chance(0.9) ? 'SUPPORTING_DOCUMENTS' : 'OTHER_OFFICIAL_DOCUMENTS',
    validationReference: random.chance(0.02) ? 'https://register.example/filings?entity=1&year=2025' : null,
    affectedFields: random.chance(0.04)
      ? [
          {
            xpath: '/lei:LEIData/lei:LEIRecords/lei:LEIRecord/lei:Entity/lei:LegalAddress/lei:PostalCode',
            value: filled('#####', random),
          },
        ]
      : [],
  };
}
