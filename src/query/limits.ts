/** Bounds of a query thread. */
export const queryLimits = {
  /** Look-ups that a thread answers before the next slow question: some milliseconds of work. */
  quickQuestionsPerRoundMax: 256,
  /** A thread tells the front of answers after this many, so that the first don't wait for the last. */
  answersBeforeTelling: 8,
  /** A thread practises once nobody has asked it anything for this long (practice.ts). */
  practiceSilenceMs: 5,
  /** One company is practised for this many in the publication, up to the second figure: enough to compile the code. */
  companiesPerPractised: 25_000,
  practisedCompaniesMax: 100,
} as const;
