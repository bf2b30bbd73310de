/** Limits of the pages about a company. */
export const pageLimits = {
  /** Children of each kind on the company's own page. */
  childrenFirst: 20,
  /** Children on a page of children. */
  childrenOfPage: 100,
  /** Items of the history on the company's own page. */
  changesFirst: 8,
  /** Items on a page of the history. */
  changesOfPage: 50,
} as const;
