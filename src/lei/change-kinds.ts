/**
 * The kinds of changes from one publication to the next. Publications store a kind by its index in this list. Snapshots
 * show earlier times and are not changes.
 */
export const changeKinds = [
  'change',
  'relationship-change',
  'relationship-removed',
  'created',
  'removed',
] as const;
export type ChangeKind = (typeof changeKinds)[number];
