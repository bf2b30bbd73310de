/** Generates level 2: the relationships of an entity, each with its complete record. */
import type { Relationship, RelationshipRecord } from '../lei/relationship.ts';
import { issuerTime, midnight, secondsPerDay } from './dates.ts';
import { Chooser, purposes, Random } from './random.ts';
import type { Issuer } from './vocabulary/issuers.ts';
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

const validationSources = new Chooser([
  ['ENTITY_SUPPLIED_ONLY', 46],
  ['FULLY_CORROBORATED', 50],
  ['PARTIALLY_CORROBORATED', 4],
]);
const validationDocuments = new Chooser([
  ['ACCOUNTS_FILING', 46],
  ['OTHER_OFFICIAL_DOCUMENTS', 31],
  ['SUPPORTING_DOCUMENTS', 21],
  ['REGULATORY_FILING', 1.5],
  ['CONTRACTS', 0.5],
]);
const standards = new Chooser<string | null>([
  ['IFRS', 50],
  ['OTHER_ACCOUNTING_STANDARD', 35],
  ['US_GAAP', 7],
  ['GOVERNMENT_ACCOUNTING_STANDARD', 1],
  [null, 7],
]);
const amounts = new Chooser([
  ['100.00', 70],
  ['1.00', 4],
  ['99.99', 2],
  ['99.00', 2],
  ['51.00', 2],
  ['75.00', 3],
  ['60.00', 2],
]);
const references = [
  'URL not publicly available, validated from document provided by client',
  'Registro Mercantil, depósito nº 45009167, de fecha 10/02/2025, ejercicio 2024',
  'www.sec.gov/Archives/edgar/data/9389/000155837024001349/0001558370-24-001349-index.html',
  'Annual report 2024, page 87, "List of subsidiaries"',
];

/** The facts that a relationship record is drawn from; `now` in seconds since 1970. */
interface RelationshipDraft {
  readonly random: Random;
  readonly issuer: Issuer;
  readonly now: number;
}

/** An active relationship, with times as its issuer writes them. */
export function relationshipRecord(
  start: string,
  end: string,
  type: string,
  draft: RelationshipDraft,
): RelationshipRecord {
  const { random } = draft;
  const consolidation = type.endsWith('CONSOLIDATED_BY');
  const times = timesOf(draft);
  const sources = validationSources.choose(random);
  return {
    start,
    end,
    relationship: {
      type,
      status: 'ACTIVE',
      periods: periodsOf(draft, times.registered, consolidation),
      qualifiers:
        consolidation && random.chance(0.6)
          ? [{ dimension: 'ACCOUNTING_STANDARD', category: standards.choose(random) }]
          : [],
      quantifiers: consolidation && random.chance(0.26) ? [quantifier(random)] : [],
      validation: {
        sources,
        documents: validationDocuments.choose(random),
        reference: random.chance(0.21) ? random.pick(references) : null,
      },
      registration: registration(draft, times),
    },
  };
}

/** Times in seconds since 1970. */
function timesOf({ random, now }: RelationshipDraft) {
  const registered = now - secondsPerDay * (30 + random.below(4000));
  const lapsed = random.chance(0.28);
  const updated = registered + Math.floor((now - registered) * random.unit());
  const renewal = lapsed
    ? now - secondsPerDay * (1 + random.below(900))
    : now + secondsPerDay * random.below(365);
  return { registered, lapsed, updated, renewal };
}

function registration({ random, issuer }: RelationshipDraft, times: ReturnType<typeof timesOf>) {
  return {
    status: times.lapsed ? 'LAPSED' : 'PUBLISHED',
    initialRegistrationDate: issuerTime(times.registered, issuer, random.below(1000)),
    lastUpdateDate: issuerTime(times.updated, issuer, random.below(1000)),
    nextRenewalDate: issuerTime(midnight(times.renewal), issuer),
    managingLou: issuer.lei,
  };
}

function quantifier(random: Random) {
  return {
    method: 'ACCOUNTING_CONSOLIDATION',
    amount: amounts.choose(random),
    units: random.chance(0.5) ? 'PERCENTAGE' : null,
  };
}

/** The periods, in no fixed order, as in the real file. */
function periodsOf({ random, issuer, now }: RelationshipDraft, registered: number, consolidation: boolean) {
  const since = registered - secondsPerDay * random.below(3000);
  const own = {
    type: 'RELATIONSHIP_PERIOD',
    startDate: issuerTime(midnight(since), issuer),
    endDate: null,
  };
  if (!consolidation) return [own];
  const year = new Date(now * 1000).getUTCFullYear() - 1 - random.below(2);
  const periods: Relationship['periods'] = [
    {
      type: 'ACCOUNTING_PERIOD',
      startDate: issuerTime(Date.UTC(year, 0, 1) / 1000, issuer),
      endDate: issuerTime(Date.UTC(year, 11, 31) / 1000, issuer),
    },
    own,
  ];
  if (random.chance(0.35)) periods.reverse();
  if (random.chance(0.25)) {
    const filed = issuerTime(Date.UTC(year + 1, 2, 1 + random.below(28)) / 1000, issuer);
    periods.push({ type: 'DOCUMENT_FILING_PERIOD', startDate: filed, endDate: null });
  }
  return periods;
}

/** The record as its issuer publishes it after the relationship has ended. @param at in seconds since 1970 */
export function retired(
  record: RelationshipRecord,
  { issuer }: Pick<RelationshipDraft, 'issuer'>,
  at: number,
): RelationshipRecord {
  const { relationship } = record;
  const end = issuerTime(midnight(at), issuer);
  return {
    ...record,
    relationship: {
      ...relationship,
      status: 'INACTIVE',
      periods: relationship.periods.map((period) =>
        period.type === 'RELATIONSHIP_PERIOD' ? { ...period, endDate: end } : period,
      ),
      registration: {
        ...relationship.registration,
        status: 'RETIRED',
        lastUpdateDate: issuerTime(at, issuer),
      },
    },
  };
}
