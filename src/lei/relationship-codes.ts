/** Codes of level 2 that the program knows by name. Threads need them without the schemas. */

/** The types by which a company names its parents. */
export const parentTypes = {
  direct: 'IS_DIRECTLY_CONSOLIDATED_BY',
  ultimate: 'IS_ULTIMATELY_CONSOLIDATED_BY',
} as const;
/** The types by which funds name the companies above them: their manager, umbrella fund and master fund. */
export const fundTypes = {
  manager: 'IS_FUND-MANAGED_BY',
  umbrella: 'IS_SUBFUND_OF',
  master: 'IS_FEEDER_TO',
} as const;
/** The type by which a branch names its head office. */
export const branchType = 'IS_INTERNATIONAL_BRANCH_OF';
/** The types by which children of each kind name a company. */
export const childTypes = {
  direct: [parentTypes.direct],
  ultimate: [parentTypes.ultimate],
  fund: [fundTypes.manager, fundTypes.umbrella, fundTypes.master],
  branch: [branchType],
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
