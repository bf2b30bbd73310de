/** Bounds and thresholds of a match. */
export const matchLimits = {
  /** Candidates that an answer shows. */
  candidatesMax: 10,
  /** Hits of a search that are compared. */
  hitsMax: 20,
  /** Words that are each searched for alone where all together find nothing alike. */
  tellingWordsMax: 2,
  /** Terms of a name that are compared; a longer name is told apart by its first ones. */
  termsMax: 40,
  /** Names of one company that are compared. */
  namesMax: 50,
  /** A candidate below this score has too little in common with what is asked for. */
  shownScoreMin: 0.005,
  /** From this score on a candidate may be the one that is meant. */
  possibleScoreMin: 0.1,
  /** From this score on, and so far ahead of the next candidate, the best candidate is a match (test/bench/match). */
  matchScoreMin: 0.62,
  leadMin: 0.06,
  /** A name that is less alike than this contradicts the LEI next to it, which then has the score below. */
  contradictingLikeness: 0.4,
  contradictedScore: 0.5,
} as const;
