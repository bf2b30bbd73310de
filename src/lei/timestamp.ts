/** A moment as the service writes it everywhere: UTC, ISO 8601, to the second: `2026-10-04T16:00:00Z`. */
export function timestamp(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
