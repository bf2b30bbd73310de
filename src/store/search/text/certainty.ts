/** Defines the certainty that a word of the question means a term: 1 for the typed term. */
export const certainty = {
  typed: 1,
  /** Two words typed as one, or one as two. */
  joined: 0.97,
  /** Initials in another order. */
  initialsMoved: 0.9,
  /** A word of a legal form for the whole of it. */
  partOfForm: 0.9,
  /** The same word: "mueller" for Müller, "intl" for International; see lei/names/other-writings.ts. */
  otherwiseWritten: 0.97,
  /** The beginning of the word was typed. */
  begun: 0.92,
  /** By number of typing errors. */
  mistyped: [1, 0.86, 0.74],
  /** Factor for an error in the first letter, which is rarer than elsewhere. */
  firstLetter: 0.94,
} as const;
