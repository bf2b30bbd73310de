/**
 * Relates entities to each other: groups of companies, fund families and branches over a permutation of the entities.
 */
import { Permutation, PowerLawRuns } from './arrangement.ts';
import { purposes, Random } from './random.ts';

/** The number of LEIs in the real golden copy, from which other sizes are scaled. */
export const realEntities = 3_450_000;

/** The relations of an entity to others, given by their numbers. */
export type Role =
  | { readonly kind: 'alone' }
  /** The head of a group; `cycle` is a member that owns it in turn, `self` whether it names itself as parent. */
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

const shares = {
  /** Members of groups of companies, heads included, and number of groups. */
  groupMembers: 0.0487,
  groups: 0.011,
  /** Members of fund families, managers included, and number of families. */
  fundMembers: 0.0448,
  families: 0.0014,
  branches: 0.00057,
};
const giantChildren = 20_000;

export class Structure {
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

  /** The direct parent of a member: mostly the head, otherwise an earlier member. */
  private parentRank(entity: number, run: number, rank: number): number {
    // The greatest group is flat: one company has all its children. Every fortieth group is one long chain.
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
    // Funds come in tens: an umbrella and its possible sub-funds.
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
