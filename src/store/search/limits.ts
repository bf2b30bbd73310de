/** Every bound on the work of one question and on the content of one index. */
export const searchLimits = {
  /** Milliseconds that one search may take in its thread: fifty times the worst that was found among 3.45 million companies. */
  searchMsMax: 1_000,
  /** Words of a question that are read. */
  wordsReadMax: 64,
  /** Words of a question that take part, the rarest ones. More words change no result that a person would notice. */
  queryWordsMax: 12,
  /** Hits, best stored rank first, that are ordered by score; those after them stay in order of stored rank. */
  orderedDocumentsMax: 65_536,
  /** As many of those hits are scored name by name; the others by their cards. */
  scoredDocumentsMax: 512,
  /** With fewer hits than this, words are also read as mistyped, joined, split or unfinished. */
  enoughHits: 10,
  /** Companies that are suggested for a text as it is typed. */
  suggestionsMax: 10,
  /** How usual a legal form is in a country: answers that are kept. */
  sharesRememberedMax: 10_000,
  /** Spellings that a mistyped word may mean, nearest and most frequent first. */
  spellingsMax: 24,
  /** Words of a question, the first ones, that are tried as mistyped twice: each costs some hundred reads. */
  twiceMistypedWordsMax: 2,
  /** Spellings that such a word may mean, those with the same first letter first. */
  farSpellingsMax: 512,
  /** Terms that an unfinished word may become, the most frequent ones. */
  completionsMax: 512,
  /** Completions stored for a beginning, the most frequent ones. */
  storedCompletionsMax: 128,
  /** UTF-16 units of the longest beginning for which completions are stored. */
  storedPrefixUnitsMax: 8,
  /** Places where a word is tried as two. */
  splitsMax: 6,
  /** Words at the end of a question that may be a legal form, mistyped or not finished. */
  formWordsMax: 8,
  /** Legal forms that such words may mean. */
  meantFormsMax: 16,
  /** Companies pinned to the top because the question is their whole name or identifier. */
  pinnedDocumentsMax: 1_000,
  /** A word with more documents is too common to look for companies by it alone. */
  driverDocumentsMax: 4_096,
  /** Share of a question's weight that a company must match where words may be missing; see decision 072. */
  relaxedWeightMin: 0.4,
  /** Numbers of documents have three bytes, and up to a fifth of them are left free. */
  documentsMax: 13_000_000,
  /** Ids of terms are stored in three bytes. */
  termsMax: 2 ** 24 - 1,
  /** Terms beside those that an index was built with: readers hold their texts in memory, some five megabytes. */
  newTermsMax: 50_000,
  /** Names of one company, and terms of one name, that are scored. */
  namesPerDocumentMax: 250,
  termsPerNameMax: 100,
} as const;
