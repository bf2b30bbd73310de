/** Names the relations between companies as GLEIF's API does: one row for each, which routes, links and answers use. */

interface Relation {
  /** RelationshipType of the record. */
  readonly type: string;
  /** Whether a company has one at most: its parent, head office or fund. */
  readonly isOne: boolean;
  /** Name of the record or records of the relationship. */
  readonly records: string;
  /** Name of the number of companies, for filters; null where there is one at most. */
  readonly count: string | null;
}

const one = (type: string, name: string): Relation => ({
  type,
  isOne: true,
  records: `${name}-relationship`,
  count: null,
});
const many = (type: string, name: string, count: string): Relation => ({
  type,
  isOne: false,
  records: `${name}-relationships`,
  count,
});

const types = {
  direct: 'IS_DIRECTLY_CONSOLIDATED_BY',
  ultimate: 'IS_ULTIMATELY_CONSOLIDATED_BY',
  branch: 'IS_INTERNATIONAL_BRANCH_OF',
  managed: 'IS_FUND-MANAGED_BY',
  subFund: 'IS_SUBFUND_OF',
  feeder: 'IS_FEEDER_TO',
} as const;

/** In the order of a record's relationships. */
export const relations = {
  'direct-parent': one(types.direct, 'direct-parent'),
  'ultimate-parent': one(types.ultimate, 'ultimate-parent'),
  'head-office': one(types.branch, 'head-office'),
  'fund-manager': one(types.managed, 'fund-manager'),
  'umbrella-fund': one(types.subFund, 'umbrella-fund'),
  'master-fund': one(types.feeder, 'master-fund'),
  'direct-children': many(types.direct, 'direct-child', 'directChildCount'),
  'ultimate-children': many(types.ultimate, 'ultimate-child', 'ultimateChildCount'),
  branches: many(types.branch, 'branch', 'branchCount'),
  'managed-funds': many(types.managed, 'managed-fund', 'managedFundCount'),
  'sub-funds': many(types.subFund, 'sub-fund', 'subFundCount'),
  'feeder-funds': many(types.feeder, 'feeder-fund', 'feederFundCount'),
} as const satisfies Readonly<Record<string, Relation>>;

export type RelationName = keyof typeof relations;
export const relationNames = Object.keys(relations).filter((name): name is RelationName => name in relations);

/** The companies that a record names in a field of its own: the LEI issuer, the associated entity, the first successor. */
export const linkedNames = ['managing-lou', 'associated-entity', 'successor-entity'] as const;
export type LinkedName = (typeof linkedNames)[number];

/** The parents for which a company may report an exception instead, with the side of the exception. */
export const exceptionSides = { 'direct-parent': 'direct', 'ultimate-parent': 'ultimate' } as const;
export type ParentName = keyof typeof exceptionSides;
export const parentNames = ['direct-parent', 'ultimate-parent'] as const satisfies readonly ParentName[];
