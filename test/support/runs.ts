/** @returns how often a dear property is tried: few times, and many in `npm run test:long` */
export function runs(few: number): number {
  return few * Number(process.env['LONG_RUNS'] ?? 1);
}
