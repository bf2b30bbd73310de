/**
 * How well known and alive a company is, apart from any question. Grade 9 is best.
 *
 *     5–9  active and its registration kept: by the number of companies that name it as direct parent
 *     3–4  active, but its registration lapsed or is of unknown status: without and with children
 *     2    inactive, retired or merged
 *     1    annulled
 *     0    duplicate of another record: after every hit that is none, however well it answers
 */
export const gradesMax = 10;
export const grades = { duplicate: 0, annulled: 1, inactive: 2, lapsed: 3, live: 5 } as const;

const keptStatuses = new Set(['ISSUED', 'PENDING_TRANSFER', 'PENDING_ARCHIVAL']);
const annulledStatuses = new Set(['ANNULLED', 'CANCELLED']);
const goneStatuses = new Set(['RETIRED', 'MERGED']);

export interface RankedFields {
  readonly entityStatus: string | null;
  readonly registrationStatus: string | null;
  readonly directChildren: number;
}

export function gradeOf(company: RankedFields): number {
  const status = company.registrationStatus ?? '';
  if (status === 'DUPLICATE') return grades.duplicate;
  if (annulledStatuses.has(status)) return grades.annulled;
  if (company.entityStatus === 'INACTIVE' || goneStatuses.has(status)) return grades.inactive;
  const family = company.directChildren;
  if (!keptStatuses.has(status)) return grades.lapsed + (family > 0 ? 1 : 0);
  if (family > 99) return grades.live + 4;
  if (family > 24) return grades.live + 3;
  if (family > 4) return grades.live + 2;
  return grades.live + (family > 0 ? 1 : 0);
}
