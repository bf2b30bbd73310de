/** Every bound on the work of one question, and on what one index may hold. */
export const searchLimits = {
  /** Words of a question that take part; of more, the rarest. Later ones add nothing a person would notice. */
  slotsMax: 12,
  /** Words of a question that are looked at at all. */
  wordsMax: 64,
  /** Candidates, best stored rank first, whose order is by score; what follows is in order of stored rank. */
  orderedDocumentsMax: 65_536,
  /** Of those, the ones scored name by name; the others are scored from their cards. */
  scoredDocumentsMax: 512,
  /** Below this many hits the words are also read as mistyped, joined, split or unfinished. */
  enoughHits: 10,
  /** Spellings taken as what a mistyped word may have meant, nearest and most frequent first. */
  spellingsMax: 24,
  /** Terms that an unfinished word may become before only the most frequent ones are taken. */
  completionsMax: 512,
  /** Most frequent completions stored for a beginning with more terms than that. */
  storedCompletionsMax: 128,
  /** Letters of the longest beginning for which completions are stored. */
  storedPrefixUnitsMax: 8,
  /** Places where a word is tried as two. */
  splitsMax: 6,
  /** Words at the end of a question that may be a legal form, mistyped or not finished. */
  formWordsMax: 8,
  /** Legal forms taken as what such words may have been meant for. */
  meantFormsMax: 16,
  /** Companies pinned to the top because the question is their whole name or identifier. */
  pinnedDocumentsMax: 1_000,
  /** Postings of one word above which it is too common to look for companies by it alone. */
  driverDocumentsMax: 4_096,
  /** Share of a question's weight that a company must match when words may be missing; see decision 072. */
  relaxedWeightMin: 0.4,
  /** Ids of documents and terms are stored in three bytes. */
  documentsMax: 2 ** 24 - 1,
  termsMax: 2 ** 24 - 1,
  /** Names of one company, and terms of one name, that are scored. */
  namesPerDocumentMax: 250,
  termsPerNameMax: 100,
} as const;
