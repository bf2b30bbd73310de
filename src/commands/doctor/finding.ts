/** Defines the findings of `lei doctor`, each a sentence with its severity, and the limits that lead to one. */
import { fetchLimits } from '../../loader/command/fetch/transport.ts';
import { spaceBytesMin } from '../../loader/process/disk.ts';

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

export const doctorLimits = {
  /** The memory of a service with one query thread, including the room for bytes in flight. */
  serviceBytes: 416 * 2 ** 20,
  /** The most memory of each further query thread (decision 045). */
  threadBytes: 100 * 2 ** 20,
  /** A service does not fit into less than this. */
  memoryBytesMin: 192 * 2 ** 20,
  /** Disk space of a first load of all of GLEIF's data: downloads and publication. */
  firstLoadBytes: 5.5e9,
  /** The next publication may be this many times as large as the largest one here. */
  growth: 1.1,
  /** A load needs this much in addition, by its own check. */
  loadBytesMin: spaceBytesMin,
  /** Free space that `lei update` leaves after its downloads. */
  freeBytesMin: fetchLimits.freeBytesMin,
  /** A certificate that ends within so many days is reported. */
  certificateDays: 14,
  /** Milliseconds that the clock may be behind the newest file. */
  clockBehindMs: 60_000,
  /** Milliseconds that a source may be published in the future. */
  sourceAheadMs: 24 * 3_600_000,
  /** The longest wait for the service's answer to a ping. */
  pingTimeoutMs: 5_000,
  /** The longest run of a command that reads the accounts. */
  stateTimeoutMs: 30_000,
} as const;
