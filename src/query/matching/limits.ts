/** Limits and thresholds of a match. */
export const matchLimits = {
  /** Candidates that an answer shows. */
  candidatesMax: 10,
  /** Hits of a search that are compared. */
  hitsMax: 20,
  /** Readings of a name that are searched for. */
  readingsSearchedMax: 3,
  /** Words that are searched for one by one if all together find nothing similar. */
  tellingWordsMax: 2,
  /** Terms of a name that are compared. Names of Thai funds differ behind their fortieth. */
  termsMax: 80,
  /** Names of one company that are compared. */
  namesMax: 50,
  /** A candidate below this score has too little in common with the question. */
  shownScoreMin: 0.005,
  /** A candidate with at least this score may be the wanted one. */
  possibleScoreMin: 0.1,
  /** No further candidate can outdo one with this score. */
  sureScoreMin: 0.95,
  /** The best candidate is a match with at least this score (test/bench/match). */
  matchScoreMin: 0.82,
  /** A city that is at least this similar is the same. */
  sameCityMin: 0.7,
  /** A name in Latin letters that is less similar than this to one in another script is another name. */
  transliteratedLikenessMin: 0.6,
  /** The weight of words from which on a name tells its company without its form and its city. */
  tellingNameMin: 2,
  /** A mistyped word of at least so many letters tells its company in the country without its form. */
  mistypedInCountryMin: 6,
  /** The same without the country. */
  mistypedAloneMin: 10,
  /** A name that is less similar than this contradicts the LEI next to it, which then decides nothing. */
  contradictingLikeness: 0.4,
} as const;
