/** Defines the findings of `lei doctor`: a sentence and how bad it is. */

/** `note`: worth knowing, nothing fails because of it. `wrong`: something fails, or will. */
type Grade = 'ok' | 'note' | 'wrong';

export interface Finding {
  /** Name of the check, such as `settings`; several findings may have the same name. */
  readonly name: string;
  readonly grade: Grade;
  /** The finding as a sentence; unless it is `ok`, it also says how to repair it. */
  readonly message: string;
}

/** Makes the findings of one name. */
export function findings(name: string) {
  const of =
    (grade: Grade) =>
    (message: string): Finding => ({ name, grade, message });
  return { ok: of('ok'), note: of('note'), wrong: of('wrong') };
}

/** The worst grade of all. */
export function worstOf(found: readonly Finding[]): Grade {
  const has = (grade: Grade) => found.some((each) => each.grade === grade);
  if (has('wrong')) return 'wrong';
  return has('note') ? 'note' : 'ok';
}

/** In readable form: `1.2 GB`, `350 MB`. */
export function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
