/**
 * Who exists and how they hang together. Nothing here is a table of entities: an entity is its number, and its
 * LEI, issuer, country and place in a group of companies are computed from the number and the seed, so that
 * files are written in one pass each, in constant memory, and agree with each other.
 *
 * Proportions are those of GLEIF's golden copies of 2026 (about 3.45 million LEIs, 490,000 relationships).
 */
import { Permutation, PowerLawRuns } from './arrangement.ts';
import { leiCode, leiOrderSpan } from './codes.ts';
import { Chooser, elementOf, mix, purposes, Random } from './random.ts';
import { type Country, countryByCode } from './vocabulary/countries.ts';
import { type Issuer, type IssuerShare, issuerShares } from './vocabulary/issuers.ts';

/** How many LEIs the real golden copy holds; other sizes are scaled from it. */
export const realEntities = 3_450_000;

/** What an entity is to others. Numbers are entity numbers. */
export type Role =
  | { readonly kind: 'alone' }
  /** On top of a group; `cycle` is a member said to own it in turn, `self` that it names itself as parent. */
  | { readonly kind: 'head'; readonly cycle: number | null; readonly self: boolean }
  | { readonly kind: 'subsidiary'; readonly parent: number; readonly ultimate: number }
  | { readonly kind: 'manager' }
  | {
      readonly kind: 'fund';
      readonly manager: number;
      readonly umbrella: number | null;
      readonly master: number | null;
    }
  | { readonly kind: 'branch'; readonly head: number };

export interface World {
  readonly seed: number;
  readonly entities: number;
  lei(entity: number): string;
  /** The LEI of an entity that appears on the following day: `newcomer` counts from 0. */
  newcomerLei(newcomer: number): string;
  /** The entity whose country and issuer a newcomer shares. */
  newcomerModel(newcomer: number): number;
  issuer(entity: number): Issuer;
  country(entity: number): Country;
  role(entity: number): Role;
  /** A permutation of the entities of its own for each kind of mapping. */
  shuffled(purpose: number): Permutation;
}

const shares = {
  /** Members of groups of companies, heads included, and the groups. */
  groupMembers: 0.0487,
  groups: 0.011,
  /** Members of fund families, managers included, and the families. */
  fundMembers: 0.0448,
  families: 0.0014,
  branches: 0.00057,
};
const giantChildren = 20_000;

/** Runs of entities with one issuer each, and what a number says about its place in them. */
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

  /** Where the entity stands among those of its issuer: 0 up to 1. */
  position(run: number, entity: number, jitter: number): number {
    const start = this.starts[run] ?? 0;
    return (entity - start + jitter) / ((this.starts[run + 1] ?? entity + 1) - start);
  }
}

/** Groups, fund families and branches, laid over a permutation of the entities. */
class Structure {
  private readonly order: Permutation;
  private readonly groups: PowerLawRuns;
  private readonly families: PowerLawRuns;
  private readonly branches: number;
  private readonly seed: number;
  private readonly random = new Random();

  constructor(seed: number, entities: number) {
    const scale = entities / realEntities;
    const giant = Math.ceil(giantChildren * scale) + 1;
    const share = (part: number) => Math.max(3, Math.round(entities * part));
    this.seed = seed;
    this.order = new Permutation(entities, this.random.start(seed, purposes.relationship, entities));
    this.groups = new PowerLawRuns(share(shares.groupMembers), share(shares.groups) - 2, [giant], 0.8);
    this.families = new PowerLawRuns(
      share(shares.fundMembers),
      share(shares.families) - 2,
      [giant, giant],
      0.8,
    );
    this.branches = Math.max(1, Math.round(entities * shares.branches));
  }

  role(entity: number): Role {
    const position = this.order.at(entity);
    const firstFund = this.groups.total;
    const firstBranch = firstFund + this.families.total;
    if (position < firstFund) return this.groupRole(entity, position);
    if (position < firstBranch) return this.fundRole(entity, position);
    if (position < firstBranch + this.branches) return this.branchRole(position - firstBranch);
    return { kind: 'alone' };
  }

  private member(start: number, rank: number): number {
    return this.order.from(start + rank);
  }

  private groupRole(entity: number, position: number): Role {
    const run = this.groups.runOf(position);
    const start = this.groups.start(run);
    const rank = position - start;
    if (rank === 0) {
      const cyclic = run % 500 === 3 && this.groups.length(run) > 1;
      return { kind: 'head', cycle: cyclic ? this.member(start, 1) : null, self: run % 23 === 5 };
    }
    const parent = this.member(start, this.parentRank(entity, run, rank));
    return { kind: 'subsidiary', parent, ultimate: this.member(start, 0) };
  }

  /** Who owns a member directly: mostly the head, else one of the members before it. */
  private parentRank(entity: number, run: number, rank: number): number {
    // The greatest group is flat, so that one company has all its children; every fortieth is one long chain.
    if (run === 0 || rank === 1) return 0;
    if (run % 40 === 7) return rank % 24 === 0 ? 0 : rank - 1;
    const random = this.random.start(this.seed, purposes.relationship, entity);
    return random.chance(0.7) ? 0 : random.below(rank);
  }

  private fundRole(entity: number, position: number): Role {
    const run = this.families.runOf(position - this.groups.total);
    const start = this.groups.total + this.families.start(run);
    const rank = position - start;
    if (rank === 0) return { kind: 'manager' };
    const random = this.random.start(this.seed, purposes.relationship, entity);
    // Funds come in tens: an umbrella and what may be its sub-funds.
    const place = (rank - 1) % 10;
    return {
      kind: 'fund',
      manager: this.member(start, 0),
      umbrella: place > 0 && random.chance(0.54) ? this.member(start, rank - place) : null,
      master: rank > 1 && random.chance(0.0095) ? this.member(start, rank - 1) : null,
    };
  }

  private branchRole(branch: number): Role {
    return { kind: 'branch', head: this.member(0, (branch * 7919) % this.groups.total) };
  }
}

/**
 * The world of a seed.
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
    // Less than one step, so that neighbours never meet.
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
