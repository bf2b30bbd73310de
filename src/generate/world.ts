/**
 * Computes the entities of a seed. An entity is a number: its LEI, issuer, country and role follow from the number and
 * the seed. Each file is therefore written in one pass and in constant memory, and all files agree with each other.
 *
 * Proportions are those of GLEIF's golden copies of 2026 (about 3.45 million LEIs, 490,000 relationships).
 */
import { Permutation } from './arrangement.ts';
import { leiCode, leiOrderSpan } from './codes.ts';
import type { Category } from './entity-shares.ts';
import { Chooser, elementOf, mix, purposes, Random } from './random.ts';
import { type Role, Structure } from './structure.ts';
import { type Country, countryByCode } from './vocabulary/countries.ts';
import { type Issuer, type IssuerShare, issuerShares } from './vocabulary/issuers.ts';

export interface World {
  readonly seed: number;
  readonly entities: number;
  lei(entity: number): string;
  /** The LEI of an entity that appears on the next day: `newcomer` counts from 0. */
  newcomerLei(newcomer: number): string;
  /** The entity whose country and issuer a newcomer shares. */
  newcomerModel(newcomer: number): number;
  issuer(entity: number): Issuer;
  country(entity: number): Country;
  role(entity: number): Role;
  /** A permutation of the entities, a different one for each kind of mapping. */
  shuffled(purpose: number): Permutation;
}

/**
 * Creates the world of a seed.
 * @param entities how many LEIs, 1 to 20,000,000
 */
export function createWorld(seed: number, entities: number): World {
  const issuers = new IssuerRuns(entities);
  const structure = new Structure(seed, entities);
  const random = new Random();
  const lei = (entity: number, key: number, newcomer: boolean) => {
    const run = issuers.runOf(entity);
    const first = mix(seed, purposes.key, key * 2);
    const second = mix(seed, purposes.key, key * 2 + 1);
    // Less than one step, so that neighbours never get the same LEI.
    const position = issuers.position(run, entity, (second / 0x100000000) * 0.9);
    return leiCode(issuers.issuer(run).prefix, Math.floor(position * leiOrderSpan), first, second, newcomer);
  };
  const newcomerModel = (newcomer: number) => mix(seed, purposes.newcomer, newcomer) % entities;
  return {
    seed,
    entities,
    lei: (entity) => lei(entity, entity, false),
    newcomerLei: (newcomer) => lei(newcomerModel(newcomer), entities + newcomer, true),
    newcomerModel,
    issuer: (entity) => issuers.issuer(issuers.runOf(entity)),
    country: (entity) => issuers.country(issuers.runOf(entity), random.start(seed, purposes.entity, entity)),
    role: (entity) => structure.role(entity),
    shuffled: (purpose) => new Permutation(entities, random.start(seed, purposes.mapping, purpose)),
  };
}

/** Assigns entities to LEI issuers in consecutive runs, in the order of the issuers' prefixes. */
class IssuerRuns {
  private readonly starts: Uint32Array;
  private readonly shares: readonly IssuerShare[];
  private readonly choosers: readonly Chooser<string>[];

  constructor(entities: number) {
    this.shares = issuerShares();
    this.choosers = this.shares.map((share) => new Chooser(share.countries));
    this.starts = new Uint32Array(this.shares.length + 1);
    const total = this.shares.reduce((sum, { share }) => sum + share, 0);
    let sum = 0;
    this.shares.forEach(({ share }, run) => {
      sum += share;
      this.starts[run + 1] = Math.round((entities * sum) / total);
    });
  }

  runOf(entity: number): number {
    let run = 0;
    while ((this.starts[run + 1] ?? Number.POSITIVE_INFINITY) <= entity) run++;
    return run;
  }

  issuer(run: number): Issuer {
    return elementOf(this.shares, run).issuer;
  }

  country(run: number, random: Random): Country {
    const code = elementOf(this.choosers, run).choose(random);
    const country = countryByCode.get(code);
    if (country === undefined) throw new Error(`no country ${code}`);
    return country;
  }

  /** The position of an entity among those of its issuer: from 0 up to but not including 1. */
  position(run: number, entity: number, jitter: number): number {
    const start = this.starts[run] ?? 0;
    return (entity - start + jitter) / ((this.starts[run + 1] ?? entity + 1) - start);
  }
}

/** The facts and the random stream that all parts of one level 1 record are drawn from. */
export interface RecordDraft {
  readonly world: World;
  readonly entity: number;
  readonly lei: string;
  readonly country: Country;
  readonly issuer: Issuer;
  readonly role: Role;
  readonly category: Category;
  /** Registration status. */
  readonly status: string;
  /** The record's own stream. The parts must never change the order in which they draw from it. */
  readonly random: Random;
  /** When the data set is published, in seconds since 1970. Only renewals are later. */
  readonly now: number;
}
