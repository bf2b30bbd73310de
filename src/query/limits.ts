/** Bounds of a query thread. */
import { keptPublicationsMax } from '../config.ts';

export const queryLimits = {
  /** Publications that a thread has open: those that the service keeps, and one being swapped in. */
  heldPublicationsMax: keptPublicationsMax + 1,
  /** Look-ups that a thread answers before the next slow question: some milliseconds of work. */
  quickQuestionsPerRoundMax: 256,
  /** A thread tells the front of answers after this many, so that the first don't wait for the last. */
  answersBeforeTelling: 8,
  /** A thread practises once nobody has asked it anything for this long (practice.ts). */
  practiceSilenceMs: 5,
  /** One company in this many is practised, up to the second figure: enough to compile the code. */
  companiesPerPractised: 25_000,
  practisedCompaniesMax: 100,
  /** Changes of a company that are read at once where all are wanted. */
  changesPerReading: 1_000,
  /** Companies that are suggested where only a search finds any. */
  suggestionsMax: 10,
  /** Companies that one answer to getOwnership shows. */
  ownershipNodesMax: 1_000,
  /** Branches of a company, and its funds, that the picture shows before the companies that it owns take the rest. */
  groupRoomApart: 200,
  /** Companies that name one as their ultimate parent, of which the picture asks whether they name a direct one. */
  ultimateChildrenLookedAtMax: 2_000,
} as const;
