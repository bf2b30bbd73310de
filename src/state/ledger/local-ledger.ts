/**
 * The ledger of one service: counts in memory that all its threads share, journalled at once and saved to the local
 * state each second by the thread that opened it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Demand, Ledger, Taking } from '../../ports/ledger.ts';
import type { LedgerShare } from '../../ports/state.ts';
import { type DayUsage, usageDays } from '../../ports/usage.ts';
import type { CountRow, CountRows } from './count-rows.ts';
import { Counting } from './counting.ts';
import { Journal, type JournalEntry } from './journal.ts';
import { ledgerLimits } from './limits.ts';
import { LedgerMemory, ledgerMemory, shardCount } from './memory.ts';
import { Records, type Units } from './records.ts';
import { pack, unpack } from './usage.ts';

/** A ledger that answers at once. */
export interface PromptLedger extends Ledger {
  take(demand: Demand): Taking;
}

export interface LocalLedger extends PromptLedger {
  readonly share: LedgerShare;
  /** A thread that had joined has ended: unlocks what it held. */
  free(thread: number): void;
  /** The units of an account on the last days, as in {@link UsageHistory}. */
  usage(accountId: string, today: number): readonly DayUsage[];
  /** Bytes of all records, for tests and benches. */
  bytes(): number;
}

/** Reads every count of the rows and the journal. No other process may write them while the ledger is used. */
export function createLocalLedger(rows: CountRows, journal: Journal | null): LocalLedger {
  const share = { memory: ledgerMemory(), journal: journal?.share ?? null, store: null };
  const records = new Records(new LedgerMemory(share.memory, mainThread));
  const counting = new Counting(records, journal);
  load(records, rows, journal?.unsaved() ?? []);
  const saving = new Saving(records, rows, journal);
  return {
    take: (demand) => counting.take(demand),
    giveBack: (demand) => counting.giveBack(demand),
    save: (now) => saving.save(now),
    async forgetBefore(day) {
      saving.forgetBefore(day);
      await rows.forgetBefore(day);
    },
    share,
    free: (thread) => free(records, thread),
    usage: (accountId, today) => usage(records, rows, accountId, today),
    size: () => records.memory.callers,
    bytes: () => records.memory.bytesTaken,
  };
}

/** The number of the thread that opens a ledger. */
export const mainThread = 0;

/**
 * Counts in the ledger of another thread, which saves it.
 * @param thread a number, above 0, that no other thread has or had
 */
export function joinLocalLedger(
  { memory, journal }: Pick<LedgerShare, 'memory' | 'journal'>,
  thread: number,
): PromptLedger {
  const records = new Records(new LedgerMemory(memory, thread));
  const counting = new Counting(records, journal && new Journal(journal.path, journal.words));
  return {
    take: (demand) => counting.take(demand),
    giveBack: (demand) => counting.giveBack(demand),
    save: async () => {},
    size: () => records.memory.callers,
    forgetBefore: async () => {},
  };
}

function load(records: Records, rows: CountRows, unsaved: Iterable<JournalEntry>): void {
  for (const { caller, day, value } of rows.all()) {
    const usage = unpack(value);
    if (usage === null) continue;
    records.open(caller);
    records.load(day, usage);
    records.close();
  }
  for (const { caller, day, used, window, at, units } of unsaved) {
    records.open(caller);
    records.turnTo(day);
    records.units = used;
    if (units > 0) records.restoreTo(window, at, units);
    records.lastAsked = Math.max(records.lastAsked, at);
    records.markUnsaved();
    records.close();
  }
}

/** The days on disk, overlaid with the two in memory, which are saved to disk. */
function usage(records: Records, rows: CountRows, caller: string, today: number): readonly DayUsage[] {
  const days = new Map<number, Units | null>();
  for (let day = today - usageDays + 1; day <= today; day++) days.set(day, rows.unitsOn(day, caller));
  if (records.openKnown(caller)) {
    if (days.has(records.dayBefore)) days.set(records.dayBefore, records.unitsBefore);
    if (days.has(records.day)) days.set(records.day, records.units);
    records.close();
  }
  return [...days].flatMap(([day, units]) =>
    units === null || units.lookup + units.search === 0 ? [] : { day, ...units },
  );
}

/** Repairs and unlocks what an ended thread had locked. */
function free(records: Records, thread: number): void {
  for (let number = 0; number < shardCount; number++) {
    if (!records.memory.isHeldBy(records.memory.shardAt(number), thread)) continue;
    records.repair(number);
    records.close();
  }
}

/** Writes changes to the rows, and deletes what is over. */
class Saving {
  readonly #records: Records;
  readonly #rows: CountRows;
  readonly #journal: Journal | null;
  #nextTidied = 0;

  constructor(records: Records, rows: CountRows, journal: Journal | null) {
    this.#records = records;
    this.#rows = rows;
    this.#journal = journal;
  }

  /** Rejects if the disk refuses; the next save includes everything. */
  async save(now: number): Promise<void> {
    this.#journal?.saveBegins();
    for (let next = 0; next < shardCount; ) next = await this.#savePart(next, now);
    this.#journal?.saved();
    for (let count = 0; count < ledgerLimits.shardsTidiedPerSave; count++) {
      this.#tidy(this.#nextTidied, now, 0);
      this.#nextTidied = (this.#nextTidied + 1) % shardCount;
    }
  }

  forgetBefore(day: number): void {
    for (let number = 0; number < shardCount; number++) this.#tidy(number, 0, day);
  }

  #tidy(number: number, now: number, forgetBefore: number): void {
    if (!this.#records.openShard(number)) return;
    this.#records.tidy(number, now, forgetBefore);
    this.#records.close();
  }

  /** Saves some shards, from this one on. @returns the shard after them */
  async #savePart(first: number, now: number): Promise<number> {
    const rows: CountRow[] = [];
    try {
      let next = first;
      while (next < shardCount && rows.length < ledgerLimits.rowsPerSave) {
        await this.#open(next++);
        this.#collect(now, rows);
      }
      if (rows.length > 0) await this.#rows.save(rows);
      return next;
    } catch (error) {
      for (const { caller } of rows) this.#saveAgain(caller);
      throw error;
    }
  }

  /** Locks a shard. A thread that waits for a core may hold it longer than expected. */
  async #open(number: number): Promise<void> {
    for (let tries = 0; !this.#records.openShard(number); tries++) {
      if (tries === ledgerLimits.lockTriesMax) throw new Error(`Part ${number} of the counts is locked.`);
      await pause(ledgerLimits.lockPauseMs);
    }
  }

  #collect(now: number, rows: CountRow[]): void {
    const records = this.#records;
    records.eachUnsaved((endedUnsaved) => {
      const { caller } = records;
      // Use the latest time: an older one looks like a clock that was set back, which ends admissions too soon.
      const latest = Math.max(now, records.lastAsked);
      if (endedUnsaved) {
        const value = pack({ units: records.unitsBefore, lookup: [], search: [] });
        rows.push({ caller, day: records.dayBefore, value });
      }
      records.windowUsed('lookup', latest);
      records.windowUsed('search', latest);
      const [lookup, search] = (['lookup', 'search'] as const).map((window) => [
        ...records.windows.seconds(records.window(window)),
      ]);
      rows.push({
        caller,
        day: records.day,
        value: pack({ units: records.units, lookup: lookup ?? [], search: search ?? [] }),
      });
    });
    records.close();
  }

  #saveAgain(caller: string): void {
    this.#records.open(caller);
    this.#records.markAllUnsaved();
    this.#records.close();
  }
}
