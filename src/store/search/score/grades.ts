/**
 * Computes the grade of a company: how well known and alive it is, independent of the question. Grade 9 is best.
 *
 *     5–9  active and its registration kept: by the number of companies that name it as direct parent
 *     3–4  active, but its registration lapsed or is of unknown status: without and with children
 *     2    inactive, retired or merged
 *     1    annulled
 *     0    duplicate of another record: comes after every hit that is not one, however well it matches
 */
export const gradesMax = 10;
export const grades = { duplicate: 0, annulled: 1, inactive: 2, lapsed: 3, live: 5 } as const;

const keptStatuses = new Set(['ISSUED', 'PENDING_TRANSFER', 'PENDING_ARCHIVAL']);
const annulledStatuses = new Set(['ANNULLED', 'CANCELLED']);
const goneStatuses = new Set(['RETIRED', 'MERGED']);

/** The grade by the company's own record: its grade while no company names it as direct parent. */
export function gradeAlone(entityStatus: string | null, registrationStatus: string | null): number {
  const status = registrationStatus ?? '';
  if (status === 'DUPLICATE') return grades.duplicate;
  if (annulledStatuses.has(status)) return grades.annulled;
  if (entityStatus === 'INACTIVE' || goneStatuses.has(status)) return grades.inactive;
  return keptStatuses.has(status) ? grades.live : grades.lapsed;
}

/** The grade of a company with direct children. @param alone its grade without them */
export function gradeWith(alone: number, directChildren: number): number {
  if (directChildren === 0 || (alone !== grades.live && alone !== grades.lapsed)) return alone;
  if (alone === grades.lapsed) return grades.lapsed + 1;
  if (directChildren > 99) return grades.live + 4;
  if (directChildren > 24) return grades.live + 3;
  return grades.live + (directChildren > 4 ? 2 : 1);
}

/** The grade that the score of a hit ends with. A hit by its identifier, whose score is 1, has none: it counts as live. */
export function gradeInScore(score: number): number {
  return score >= 1 ? grades.live : Math.round(score * 10_000) % gradesMax;
}
