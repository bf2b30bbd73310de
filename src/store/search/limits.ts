/** Every bound on the work of one question and on the content of one index. */
export const searchLimits = {
  /**
   * Milliseconds that one search may take in its thread: fifty times the worst measured one among 3.45 million
   * companies.
   */
  searchMsMax: 1_000,
  /** Words of a question that are read. */
  wordsReadMax: 64,
  /** Words of a question that are used, the rarest ones. More words change no result noticeably. */
  queryWordsMax: 12,
  /** Hits, best stored rank first, that are ordered by score; the others stay in order of stored rank. */
  orderedDocumentsMax: 65_536,
  /**
   * How many of those hits are scored name by name; the others are scored by their cards. If more companies have all words,
   * none is looked at for a whole name.
   */
  scoredDocumentsMax: 512,
  /** The same at least, beside companies with the question as a whole name, if the question has a legal form. */
  scoredWithFormMin: 64,
  /** With fewer hits than this, words are also read as mistyped, joined, split or unfinished. */
  enoughHits: 10,
  /** With fewer hits than this, the last word may also be a part of any legal form of those with the other words. */
  fewHits: 5,
  /** Companies that are suggested for a text while it is typed. */
  suggestionsMax: 10,
  /** How many of them may have the text as their whole name before others, whose names begin with it. */
  suggestionsNamedMax: 5,
  /** Companies, best rank first, among which those are sought whose names begin with the text: at least, if there are. */
  suggestionsLookedAtMin: 256,
  /** The same: at most. */
  suggestionsLookedAtMax: 4_096,
  /** How many of their names are read for that. */
  suggestionNamesMax: 256,
  /** Cached answers about how usual a legal form is in a country. */
  sharesRememberedMax: 10_000,
  /** Spellings that a mistyped word may mean, nearest and most frequent first. */
  spellingsMax: 24,
  /** Words of a question, from the first, that are tried with two typing errors: each costs several hundred reads. */
  twiceMistypedWordsMax: 2,
  /** Spellings that such a word may mean, those with the same first letter first. */
  farSpellingsMax: 512,
  /** If at most so many companies have all other words of the question, such spellings are sought among their words. */
  farSpellingsAmongMax: 32,
  /** A word that is the whole question beside a form may have two errors if at most so many companies have it; else one. */
  rareWordDocumentsMax: 32,
  /** Terms that an unfinished word may become, the most frequent ones. */
  completionsMax: 512,
  /** Completions stored for a beginning, the most frequent ones. */
  storedCompletionsMax: 128,
  /** UTF-16 units of the longest beginning for which completions are stored. */
  storedPrefixUnitsMax: 8,
  /** Positions at which a word is tried as two. */
  splitsMax: 6,
  /** Pairs of words that words of a question may be together. */
  pairsMax: 256,
  /** Words at the end of a question that may be a mistyped or unfinished legal form. */
  formWordsMax: 8,
  /** Share of the companies. A word that more of them have in their names says nothing about legal forms with this word. */
  commonWordShare: 1 / 250,
  /** Share of the companies. A legal form that at most so many have may be a word of a name, too. */
  rareFormShare: 1 / 1_000,
  /** Legal forms that the last words of a question may mean. */
  meantFormsMax: 16,
  /** Companies pinned to the top because the question is their whole name or identifier. */
  pinnedDocumentsMax: 1_000,
  /** Words of the longest question of which a part is looked up as a whole name. */
  partsOfQuestionWordsMax: 24,
  /** A word with more documents is too common to look for companies by it alone. */
  driverDocumentsMax: 4_096,
  /** Share of a question's weight that the best of few companies must have in one name; else words may be missing. */
  meantShareMin: 0.8,
  /** The same if one word may be missing; else more may. */
  lessShareMin: 0.6,
  /** Among more companies than this the best is not looked for. */
  fittingDocumentsMax: 64,
  /** Share of a question's weight that a company must match if words may be missing; see decision 072. */
  relaxedWeightMin: 0.4,
  /** Numbers of documents have three bytes, and up to a fifth of them are left free. */
  documentsMax: 13_000_000,
  /** Ids of terms are stored in three bytes. */
  termsMax: 2 ** 24 - 1,
  /** Terms in addition to those of the build: readers keep their texts in memory, about five megabytes. */
  newTermsMax: 50_000,
  /** Names of one company, and terms of one name, that are scored. */
  namesPerDocumentMax: 250,
  termsPerNameMax: 100,
} as const;

/** Defines the certainty that a word of the question means a term: 1 for the typed term. */
export const certainty = {
  typed: 1,
  /** Two words typed as one, or one as two. */
  joined: 0.97,
  /** The same of words of a legal form, which mean hardly anything else. */
  formRespaced: 0.995,
  /** Initials in another order. */
  initialsMoved: 0.9,
  /** A word of a legal form for the whole of it. */
  partOfForm: 0.9,
  /** A word that forms of several words have for one of them. */
  wordOfForm: 0.75,
  /** The same word: "mueller" for Müller, "intl" for International; see lei/names/other-writings.ts. */
  otherwiseWritten: 0.97,
  /** The beginning of the word was typed. */
  begun: 0.92,
  /** The certainty for each number of typing errors. */
  mistyped: [1, 0.86, 0.74],
  /** Factor for an error in the first letter, which is rarer than elsewhere. */
  firstLetter: 0.94,
  /** Factor for a letter that the meant word lacks: it is one of many, unlike letters that were left out or exchanged. */
  strangeLetter: 0.96,
} as const;

/** How a word of a question differs from the word that it may mean. */
export interface TypingErrors {
  readonly distance: number;
  /** Whether both begin with the same letter. */
  readonly sameStart: boolean;
  /** Whether the meant word has all letters of the question's. */
  readonly hasLetters: boolean;
}

/** The certainty that a word means another one. */
export function certaintyMistyped({ distance, sameStart, hasLetters }: TypingErrors): number {
  const start = sameStart ? 1 : certainty.firstLetter;
  return (certainty.mistyped[distance] ?? 0) * start * (hasLetters ? 1 : certainty.strangeLetter);
}

/** Share of the doubt about a mistyped word that is left if a company then has all of the question for its name. */
export const doubtInNearName = 0.75;
