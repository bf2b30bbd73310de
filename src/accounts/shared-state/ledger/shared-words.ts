/**
 * Words of memory that all threads of a node share about the store: how many nodes there are, which threads do not
 * reach it, and counts.
 */
import type { StoreFacts } from '../../../ports/fleet.ts';

/** 64-bit words, so that no count wraps. */
const word = {
  nodes: 0,
  calls: 1,
  failedCalls: 2,
  callMicroseconds: 3,
  operations: 4,
  refusedFromMemory: 5,
  admittedAlone: 6,
  refusedAlone: 7,
  mainAway: 8,
  away: 9,
} as const;
/** Threads have ascending numbers; one that replaces another finds its word free. */
const awayWords = 1_024;
type CountedWord = Exclude<keyof typeof word, 'nodes' | 'mainAway' | 'away'>;

export class SharedWords {
  readonly memory: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  constructor(memory = new SharedArrayBuffer((word.away + awayWords) * 8)) {
    this.memory = memory;
    this.#words = new BigInt64Array(memory);
  }

  /** The nodes that were seen last, this one included; at least 1. */
  get nodes(): number {
    return Math.max(1, Number(Atomics.load(this.#words, word.nodes)));
  }

  set nodes(count: number) {
    Atomics.store(this.#words, word.nodes, BigInt(count));
  }

  count(what: CountedWord, more: number): void {
    Atomics.add(this.#words, word[what], BigInt(more));
  }

  /** What all threads have counted. */
  facts(): Omit<StoreFacts, 'lost' | 'namesake'> {
    const counted = (what: CountedWord) => Number(Atomics.load(this.#words, word[what]));
    return {
      nodes: this.nodes,
      calls: counted('calls'),
      failedCalls: counted('failedCalls'),
      callSeconds: counted('callMicroseconds') / 1e6,
      requests: counted('operations'),
      refusedFromMemory: counted('refusedFromMemory'),
      admittedAlone: counted('admittedAlone'),
      refusedAlone: counted('refusedAlone'),
    };
  }

  /** Whether the node's main connection has lost the store. It alone asks then, and the others wait for it. */
  get mainAway(): boolean {
    return Atomics.load(this.#words, word.mainAway) !== 0n;
  }

  set mainAway(away: boolean) {
    Atomics.store(this.#words, word.mainAway, away ? 1n : 0n);
  }

  /** Whether a thread reaches the store. */
  setAway(thread: number, away: boolean): void {
    Atomics.store(this.#words, word.away + (thread % awayWords), away ? 1n : 0n);
  }

  /** Whether any thread does not reach it. */
  get isAway(): boolean {
    return this.#words.subarray(word.away).some((each) => each !== 0n);
  }
}
