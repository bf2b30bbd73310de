/** Lists GLEIF's delta windows from short to long. */

export const deltaWindows = [
  { name: 'IntraDay', inFile: 'intra-day', hours: 8 },
  { name: 'LastDay', inFile: 'last-day', hours: 24 },
  { name: 'LastWeek', inFile: 'last-week', hours: 7 * 24 },
  { name: 'LastMonth', inFile: 'last-month', hours: 31 * 24 },
] as const;

/** By its names in GLEIF's answers and in the names of files. */
export type DeltaWindow = (typeof deltaWindows)[number];
