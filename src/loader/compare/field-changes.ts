/** Finds which fields of two records differ, as a ChangeItem lists them. */

export interface FieldChange {
  /** Path as in the payload; a changed list appears as a whole. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Differences in the payload's member order. @param field path of the two values; '' for whole records */
export function fieldChanges(from: unknown, to: unknown, field = ''): FieldChange[] {
  const changes: FieldChange[] = [];
  collect(field, from, to, (change) => changes.push(change));
  return changes;
}

function collect(field: string, from: unknown, to: unknown, report: (change: FieldChange) => void): void {
  // Skip equal members: two records differ in few.
  if (Bun.deepEquals(from, to)) return;
  const before = membersOf(from);
  const after = membersOf(to);
  if (before === null || after === null) {
    if (JSON.stringify(from) !== JSON.stringify(to)) report({ field, from, to });
    return;
  }
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const path = field === '' ? name : `${field}.${name}`;
    collect(path, before.get(name) ?? null, after.get(name) ?? null, report);
  }
}

/** Members of an object; null for a list or a plain value, which are compared whole. */
function membersOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value));
}
