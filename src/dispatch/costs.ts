/**
 * Estimates what slow questions cost a query thread: how much those of each client have cost lately, and how much the
 * next one of a kind will. Turns depend on both (fair-queue.ts). Costs are in milliseconds of a query thread.
 */
import type { Question } from '../protocol/questions.ts';
import { threadLimits } from './limits.ts';

interface ClientCost {
  ms: number;
  /** When it was that much, milliseconds on the pool's clock. */
  at: number;
}

const { costHalvesMs, costsRememberedMax, costLearnedShare } = threadLimits;

/** The cost of each client's questions. It halves at an interval, so that nobody pays for ever. */
export class ClientCosts {
  readonly #now: () => number;
  /** The client whose cost changed last is the last. */
  readonly #costs = new Map<string, ClientCost>();

  constructor(now: () => number) {
    this.#now = now;
  }

  of(clientId: string): number {
    const cost = this.#costs.get(clientId);
    return cost === undefined ? 0 : cost.ms * 0.5 ** ((this.#now() - cost.at) / costHalvesMs);
  }

  /** @param ms less than 0 if a question cost less than was expected */
  add(clientId: string, ms: number): void {
    const cost = { ms: Math.max(0, this.of(clientId) + ms), at: this.#now() };
    this.#costs.delete(clientId);
    this.#costs.set(clientId, cost);
    if (this.#costs.size <= costsRememberedMax) return;
    const [longestAgo] = this.#costs.keys();
    if (longestAgo !== undefined) this.#costs.delete(longestAgo);
  }
}

/**
 * The expected cost of a question before any of its kind was answered: a few dear ones at a start must not count as
 * cheap. All others cost about a millisecond.
 */
const firstPrices: Partial<Readonly<Record<Question['kind'], number>>> = {
  match: 20,
  reconcile: 20,
  ownership: 10,
  group: 10,
};

/** The cost of a question of each kind, learnt from those that were answered. */
export class Prices {
  /** For one part of a question (see {@link partsOf}). */
  readonly #prices = new Map<Question['kind'], number>();

  of(question: Question): number {
    return partsOf(question) * this.#ofPart(question.kind);
  }

  /** @param isWhole false if the answer was given up: its cost would have been higher */
  learn(question: Question, ms: number, isWhole: boolean): void {
    const before = this.#ofPart(question.kind);
    if (!isWhole && ms / partsOf(question) < before) return;
    this.#prices.set(question.kind, before + (ms / partsOf(question) - before) * costLearnedShare);
  }

  #ofPart(kind: Question['kind']): number {
    return this.#prices.get(kind) ?? firstPrices[kind] ?? 1;
  }
}

/** Queries that cross together. All other questions are one part. */
function partsOf(question: Question): number {
  return question.kind === 'reconcile' ? question.queries.length : 1;
}
