/** Limits of a query thread. */
import { keptPublicationsMax } from '../settings/rules.ts';

export const queryLimits = {
  /** Publications that a thread has open: those that the service keeps, and one being swapped in. */
  heldPublicationsMax: keptPublicationsMax + 1,
  /** Look-ups that a thread answers before the next slow question: a few milliseconds of work. */
  quickQuestionsPerRoundMax: 256,
  /** A thread notifies the front of answers after this many, so that the first don't wait for the last. */
  answersBeforeTelling: 8,
  /**
   * After so many bytes of long answers a thread collects all garbage, which takes it 15 milliseconds: after every seventh
   * list of 10,000 children.
   */
  longAnswerBytesPerCollection: 64 * 1024 * 1024,
  /** A thread practises once nobody has asked it anything for this long (practice.ts). */
  practiceSilenceMs: 5,
  /** One company in this many is used for practice, up to the second figure: enough to compile the code. */
  companiesPerPractised: 25_000,
  practisedCompaniesMax: 100,
  /** Changes of a company that are read in one step if all are wanted. */
  changesPerReading: 100,
  /** Companies of a long list that are read, sorted or written in one step: about half a millisecond of work. */
  itemsPerStep: 200,
  /** Hits of a list's text that are looked at in one step: some 100 microseconds of work. */
  hitsPerStep: 10_000,
  /** A question's steps continue for this long before those of another one. */
  turnMs: 2,
  /** Turns by cost before one of the question that has waited longest (desk.ts). */
  turnsByCostInRowMax: 8,
  /** Companies that are suggested if only a search finds any. */
  suggestionsMax: 10,
  /** Companies that one answer to getOwnership shows. */
  ownershipNodesMax: 1_000,
  /** Branches and funds of a company that the picture shows before its children take the rest. */
  groupRoomApart: 200,
  /** Companies with a given ultimate parent that the picture checks for a direct one. */
  ultimateChildrenLookedAtMax: 2_000,
} as const;
