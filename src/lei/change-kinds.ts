/**
 * The kinds of changes from one publication to the next. Publications hold a kind by its place in this list. Snapshots
 * tell of earlier times and are none.
 */
export const changeKinds = [
  'change',
  'relationship-change',
  'relationship-removed',
  'created',
  'removed',
] as const;
export type ChangeKind = (typeof changeKinds)[number];
