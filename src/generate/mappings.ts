/** Generates the pairs of the mapping files: the identifiers of other kinds that entities have. */
import { firstNotBefore } from '../bytes/binary-search.ts';
import { type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import { filled } from './addresses.ts';
import { PowerLawRuns } from './arrangement.ts';
import { base36, gemCode, isinCode, letters, qccCode } from './codes.ts';
import { elementOf, mix, purposes, Random } from './random.ts';
import { realEntities } from './structure.ts';
import type { World } from './world.ts';

/** A row of a mapping file: LEI and the other identifier. */
type MappingPair = readonly [lei: string, identifier: string];

/** Entities from the first to the last (exclusive). */
export interface EntityRange {
  readonly from: number;
  readonly to: number;
}

type RangedPairs = (range: EntityRange) => Generator<MappingPair>;

/** The pairs of a file. Small files have no ranges: they are made at once, of all entities. */
interface MappingPairs {
  readonly ranged: boolean;
  readonly pairs: RangedPairs;
}

/** Figures of the published files. */
const real = { isinIssuers: 90_000, mostIsins: 600_000, bicEntities: 20_000, mostBics: 3_581 };
const pairsOf = (kind: MappingKind) => mappingTable[kind].usualCount;

function scaled(world: World, count: number, least = 1): number {
  return Math.max(least, Math.round((count * world.entities) / realEntities));
}

interface IdentifierHolder {
  readonly entity: number;
  readonly first: number;
  readonly count: number;
}

/** @returns a function that yields the entities of a range that have a run of identifiers, in the order of entities */
function holdersOf(
  world: World,
  purpose: number,
  runs: PowerLawRuns,
): (range: EntityRange) => Generator<IdentifierHolder> {
  const order = world.shuffled(purpose);
  const ranks = Float64Array.from({ length: runs.runs }, (_, run) => order.from(run) * 2 ** 24 + run);
  // Sorts by entity, because the published files are sorted by LEI; the low bits contain the run.
  ranks.sort();
  return function* ({ from, to }) {
    const first = firstNotBefore(0, ranks.length, (place) => (ranks[place] ?? 0) < from * 2 ** 24);
    for (let place = first; place < ranks.length; place++) {
      const packed = ranks[place] ?? 0;
      const run = packed % 2 ** 24;
      const entity = Math.floor(packed / 2 ** 24);
      if (entity >= to) return;
      yield { entity, first: runs.start(run), count: runs.length(run) };
    }
  };
}

function holders(world: World, purpose: number, runs: PowerLawRuns): Generator<IdentifierHolder> {
  return holdersOf(world, purpose, runs)({ from: 0, to: world.entities });
}

const isinPrefixes = ['XS', 'DE', 'US', 'CH', 'FR'];

/** LEI-ISIN: a handful of issuers of structured products have most ISINs. */
function isinPairs(world: World): RangedPairs {
  const giants = [scaled(world, real.mostIsins, 2)];
  const runs = new PowerLawRuns(
    scaled(world, pairsOf('isin'), 4),
    scaled(world, real.isinIssuers, 2),
    giants,
    0.95,
  );
  // Created with the first pairs, because only the thread that writes this file needs it.
  let holdersIn: ReturnType<typeof holdersOf> | null = null;
  return function* (range) {
    holdersIn ??= holdersOf(world, 1, runs);
    for (const holder of holdersIn(range)) yield* isinsOf(world, holder);
  };
}

function* isinsOf(world: World, { entity, first, count }: IdentifierHolder): Generator<MappingPair> {
  const lei = world.lei(entity);
  const home = world.country(entity).code;
  for (let index = 0; index < count; index++) {
    const number = first + index;
    const foreign = number % 5 === 0 ? elementOf(isinPrefixes, (number / 5) % isinPrefixes.length) : home;
    yield [lei, isinCode(foreign, nationalNumber(number))];
    // A guarantor has the same ISIN as the issuer.
    if (number % 2003 === 7)
      yield [world.lei((entity + 1) % world.entities), isinCode(foreign, nationalNumber(number))];
  }
}

/** The nine characters after the country. Neighbours look alike, as in the real file: issuers count in steps. */
function nationalNumber(number: number): string {
  return base36(number * 7 + 777_777, 9);
}

/** LEI-BIC: banks with a BIC for every branch, and a few BICs shared by several LEIs. */
function* bicPairs(world: World): Generator<MappingPair> {
  const runs = new PowerLawRuns(
    scaled(world, pairsOf('bic'), 6),
    scaled(world, real.bicEntities, 3),
    [scaled(world, real.mostBics, 2)],
    1,
  );
  let holder = 0;
  let shared = '';
  let sharedBy = -1;
  for (const { entity, first, count } of holders(world, 2, runs)) {
    const lei = world.lei(entity);
    const country = world.country(entity).code;
    const bank = letters(mix(world.seed, purposes.mapping, first) % 26 ** 4, 4);
    const place = base36(first % 1296, 2);
    for (let index = 0; index < count; index++) {
      // The head office ends in XXX, every branch in three characters of its own.
      yield [lei, `${bank}${country}${place}${index === 0 ? 'XXX' : base36(index % 46_655, 3)}`];
    }
    // One BIC of a head office in three hundred also belongs to the next two banks.
    const turn = holder++ % 300;
    if (turn === 0) {
      shared = `${bank}${country}${place}XXX`;
      sharedBy = entity;
    } else if (turn < 3 && entity !== sharedBy) yield [lei, shared];
  }
}

/** An operating market and the entity that runs it. */
export interface Market {
  readonly mic: string;
  readonly entity: number;
}

/** Operating MICs with an LEI, in the order of entities. */
export function markets(world: World): readonly Market[] {
  const runs = new PowerLawRuns(
    scaled(world, pairsOf('mic'), 3),
    scaled(world, pairsOf('mic') * 0.7, 2),
    [],
    1,
  );
  return [...holders(world, 3, runs)].flatMap(({ entity, first, count }) =>
    Array.from({ length: count }, (_, index) => ({ mic: micCode(first + index), entity })),
  );
}

/** The MIC of an operating market: X and three letters. */
function micCode(number: number): string {
  return `X${letters((number * 7_919 + 4_321) % 26 ** 3, 3)}`;
}

function* micPairs(world: World): Generator<MappingPair> {
  for (const { mic, entity } of markets(world)) yield [world.lei(entity), mic];
}

function* gemPairs(world: World): Generator<MappingPair> {
  const runs = new PowerLawRuns(scaled(world, pairsOf('gem'), 3), scaled(world, pairsOf('gem'), 3), [], 1);
  for (const { entity, first } of holders(world, 4, runs)) {
    yield [world.lei(entity), gemCode(1_000 + first * 37)];
  }
}

/** LEI-QCC: about every second entity has a code. */
function* qccPairs(world: World, { from, to }: EntityRange): Generator<MappingPair> {
  const share = pairsOf('qcc') / realEntities;
  for (let entity = from; entity < to; entity++) {
    const draw = mix(world.seed ^ 0x51ed270b, purposes.mapping, entity);
    if (draw / 0x100000000 >= share) continue;
    // 7 characters represent 35 bits: the number of the entity makes them unique, the draw makes them look random.
    yield [world.lei(entity), qccCode(world.country(entity).code, entity * 1024 + (draw % 1024))];
  }
}

function* ocidPairs(world: World, { from, to }: EntityRange): Generator<MappingPair> {
  const share = pairsOf('ocid') / realEntities;
  const random = new Random();
  for (let entity = from; entity < to; entity++) {
    random.start(world.seed ^ 0x3c6ef372, purposes.mapping, entity);
    if (!random.chance(share)) continue;
    const country = world.country(entity).code.toLowerCase();
    yield [world.lei(entity), `${country}/${filled('########', random)}`];
  }
}

/** The pairs of each mapping file, sorted by LEI. */
export const mappingPairs: Readonly<Record<MappingKind, (world: World) => MappingPairs>> = {
  bic: (world) => ({ ranged: false, pairs: () => bicPairs(world) }),
  isin: (world) => ({ ranged: true, pairs: isinPairs(world) }),
  mic: (world) => ({ ranged: false, pairs: () => micPairs(world) }),
  gem: (world) => ({ ranged: false, pairs: () => gemPairs(world) }),
  qcc: (world) => ({ ranged: true, pairs: (range) => qccPairs(world, range) }),
  ocid: (world) => ({ ranged: true, pairs: (range) => ocidPairs(world, range) }),
};
