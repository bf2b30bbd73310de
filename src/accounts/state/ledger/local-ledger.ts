/**
 * The ledger of one service: counts in memory that all its threads share, journalled at once and saved to the local
 * state each second by the thread that opened it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { LedgerShare } from '../../../ports/state.ts';
import { type DayUsage, usageDays } from '../../../ports/state.ts';
import { ledgerLimits } from '../limits.ts';
import type { CountRow, CountRows } from './count-rows.ts';
import { CountingLedger } from './counting.ts';
import { Journal } from './journal.ts';
import { LedgerMemory, ledgerMemory, shardCount } from './memory.ts';
import { ShardRecords, type Units } from './records.ts';

/** The number of the thread that opens a ledger. */
export const mainThread = 0;

/**
 * Counts in the ledger of another thread, which saves it.
 * @param thread a number, above 0, that no other thread has or had
 */
export function joinLocalLedger(
  { memory, journal }: Pick<LedgerShare, 'memory' | 'journal'>,
  thread: number,
): CountingLedger {
  const records = new ShardRecords(new LedgerMemory(memory, thread));
  return new CountingLedger(records, journal && new Journal(journal.path, journal.words));
}

type UnitsByDay = Map<number, Units | null>;

function storedUnits(rows: CountRows, caller: string, today: number): UnitsByDay {
  const days: UnitsByDay = new Map();
  for (let day = today - usageDays + 1; day <= today; day++) days.set(day, rows.unitsOn(day, caller));
  return days;
}

function usedDays(days: UnitsByDay): readonly DayUsage[] {
  return [...days].flatMap(([day, units]) =>
    units === null || units.lookup + units.search === 0 ? [] : { day, ...units },
  );
}

/** The usage as it was last saved, a second ago at most while a service runs: for processes that have no ledger. */
export function storedUsage(rows: CountRows, caller: string, today: number): readonly DayUsage[] {
  return usedDays(storedUnits(rows, caller, today));
}

export class LocalLedger extends CountingLedger {
  readonly share: LedgerShare;
  readonly #rows: CountRows;
  #nextTidied = 0;

  /** Reads every count of the rows and the journal. No other process may write them while the ledger is used. */
  constructor(rows: CountRows, journal: Journal | null) {
    const memory = ledgerMemory();
    super(new ShardRecords(new LedgerMemory(memory, mainThread)), journal);
    this.share = { memory, journal: journal?.share ?? null, store: null };
    this.#rows = rows;
    this.#load();
  }

  #load(): void {
    const { records, journal } = this;
    for (const { caller, day, usage } of this.#rows.all()) {
      records.open(caller);
      records.load(day, usage);
      records.close();
    }
    for (const { caller, day, used, window, at, units } of journal?.unsaved() ?? []) {
      records.open(caller);
      records.turnTo(day);
      records.units = used;
      if (units > 0) records.windows.restore(records.window(window), at, units);
      records.lastAsked = Math.max(records.lastAsked, at);
      records.markUnsaved();
      records.close();
    }
  }

  /** The units of an account on the last days, as in {@link UsageHistory}: the two in memory may not be saved yet. */
  usage(caller: string, today: number): readonly DayUsage[] {
    const { records } = this;
    const days = storedUnits(this.#rows, caller, today);
    if (records.openKnown(caller)) {
      if (days.has(records.dayBefore)) days.set(records.dayBefore, records.unitsBefore);
      if (days.has(records.day)) days.set(records.day, records.units);
      records.close();
    }
    return usedDays(days);
  }

  /** A thread that had joined has ended: repairs and unlocks what it had locked. */
  free(thread: number): void {
    const { records } = this;
    for (let number = 0; number < shardCount; number++) {
      if (!records.memory.isHeldBy(records.memory.shardAt(number), thread)) continue;
      records.repair(number);
      records.close();
    }
  }

  /** Bytes of all records, for tests and benches. */
  bytes(): number {
    return this.records.memory.bytesTaken;
  }

  /** Rejects if the disk refuses; the next save includes everything. */
  override async save(now: number): Promise<void> {
    this.journal?.saveBegins();
    for (let next = 0; next < shardCount; ) next = await this.#savePart(next, now);
    this.journal?.saved();
    for (let count = 0; count < ledgerLimits.shardsTidiedPerSave; count++) {
      this.#tidy(this.#nextTidied, now, 0);
      this.#nextTidied = (this.#nextTidied + 1) % shardCount;
    }
  }

  override async forgetBefore(day: number): Promise<void> {
    for (let number = 0; number < shardCount; number++) this.#tidy(number, 0, day);
    await this.#rows.forgetBefore(day);
  }

  #tidy(number: number, now: number, forgetBefore: number): void {
    if (!this.records.openShard(number)) return;
    this.records.tidy(number, now, forgetBefore);
    this.records.close();
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
    for (let tries = 0; !this.records.openShard(number); tries++) {
      if (tries === ledgerLimits.lockTriesMax) {
        throw new Error(
          `The counts were not saved: shard ${number} stayed locked. The next save tries again.`,
        );
      }
      await pause(ledgerLimits.lockPauseMs);
    }
  }

  #collect(now: number, rows: CountRow[]): void {
    const { records } = this;
    records.eachUnsaved((endedUnsaved) => {
      const { caller } = records;
      // Use the latest time: an older one looks like a clock that was set back, which ends admissions too soon.
      const latest = Math.max(now, records.lastAsked);
      if (endedUnsaved) {
        const usage = { units: records.unitsBefore, lookup: [], search: [] };
        rows.push({ caller, day: records.dayBefore, usage });
      }
      const lookup = records.secondsOf('lookup', latest);
      const search = records.secondsOf('search', latest);
      rows.push({ caller, day: records.day, usage: { units: records.units, lookup, search } });
    });
    records.close();
  }

  #saveAgain(caller: string): void {
    this.records.open(caller);
    this.records.markAllUnsaved();
    this.records.close();
  }
}
