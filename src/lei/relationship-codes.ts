/** Codes of level 2 that the program knows by name. Threads need them without the schemas. */

/** The types by which a company names its parents. */
export const parentTypes = {
  direct: 'IS_DIRECTLY_CONSOLIDATED_BY',
  ultimate: 'IS_ULTIMATELY_CONSOLIDATED_BY',
} as const;
/** The types by which children of each kind name a company. */
export const childTypes = {
  direct: [parentTypes.direct],
  ultimate: [parentTypes.ultimate],
  fund: ['IS_FUND-MANAGED_BY', 'IS_SUBFUND_OF', 'IS_FEEDER_TO'],
  branch: ['IS_INTERNATIONAL_BRANCH_OF'],
} as const;
export const childKinds = ['direct', 'ultimate', 'fund', 'branch'] as const;
export type ChildKind = (typeof childKinds)[number];
/** RelationshipStatus, not the registration's, says whether a relationship is current. */
export const currentStatus = 'ACTIVE';

/** The parent that a reporting exception is about. */
export const exceptionCategories = {
  direct: 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT',
  ultimate: 'ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT',
} as const;
