/** Names the relations between companies as GLEIF's API does: one row for each, which routes, links and answers use. */
import type { Company } from './company.ts';
import { branchType, fundTypes, parentTypes } from './relationship-codes.ts';

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

/** In the order of a record's relationships. */
export const relations = {
  'direct-parent': one(parentTypes.direct, 'direct-parent'),
  'ultimate-parent': one(parentTypes.ultimate, 'ultimate-parent'),
  'head-office': one(branchType, 'head-office'),
  'fund-manager': one(fundTypes.manager, 'fund-manager'),
  'umbrella-fund': one(fundTypes.umbrella, 'umbrella-fund'),
  'master-fund': one(fundTypes.master, 'master-fund'),
  'direct-children': many(parentTypes.direct, 'direct-child', 'directChildCount'),
  'ultimate-children': many(parentTypes.ultimate, 'ultimate-child', 'ultimateChildCount'),
  branches: many(branchType, 'branch', 'branchCount'),
  'managed-funds': many(fundTypes.manager, 'managed-fund', 'managedFundCount'),
  'sub-funds': many(fundTypes.umbrella, 'sub-fund', 'subFundCount'),
  'feeder-funds': many(fundTypes.master, 'feeder-fund', 'feederFundCount'),
} as const satisfies Readonly<Record<string, Relation>>;

export type RelationName = keyof typeof relations;
export const relationNames = namesOf(relations);

/** A company that a record names in a field of its own. */
interface Linked {
  readonly title: string;
  /** Its LEI in the record. */
  readonly leiIn: (company: Company) => string | null;
}

export const linked = {
  'managing-lou': {
    title: 'The LEI issuer that manages a record',
    leiIn: ({ registration }) => registration.managingLou,
  },
  'associated-entity': {
    title: 'The associated entity',
    leiIn: ({ entity }) => entity.associatedEntity?.lei ?? null,
  },
  'successor-entity': {
    title: 'The first successor',
    leiIn: ({ entity }) => entity.successorEntities[0]?.lei ?? null,
  },
} as const satisfies Readonly<Record<string, Linked>>;
export type LinkedName = keyof typeof linked;
export const linkedNames = namesOf(linked);

/** The parents for which a company may report an exception instead, with the side of the exception. */
export const exceptionSides = { 'direct-parent': 'direct', 'ultimate-parent': 'ultimate' } as const;
export type ParentName = keyof typeof exceptionSides;
export const parentNames = namesOf(exceptionSides);

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table).filter((name): name is Name => name in table);
}
