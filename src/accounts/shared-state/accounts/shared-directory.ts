/**
 * The account directory of a fleet. The store is authoritative; this node reads its own copy, which follows the store.
 *
 * A change is computed on the copy, by the code of the local directory over recording tables, and committed if the
 * store is still at the version of the copy. Otherwise the copy is updated first and the change is computed again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ExpectedFailure } from '../../../errors.ts';
import type { Environment, Key } from '../../../lmdb.ts';
import type { AccountDirectory } from '../../../ports/account-directory.ts';
import type { AccountRows, AccountTables } from '../../state/account-tables.ts';
import type { Write } from '../../state/account-writers.ts';
import { openAccounts } from '../../state/local-accounts.ts';
import type { Connection } from '../connection.ts';
import { sharedLimits } from '../limits.ts';
import {
  type Commit,
  commit,
  follow,
  nameInstallation,
  noteUses,
  type Position,
  readRows,
  readSecrets,
  sharedTables,
  usesSince,
} from './account-store.ts';
import type { NodeCopy } from './copy.ts';
import { fillAgain } from './fill-again.ts';

/** The store has other accounts than those that this node has stored. */
class OtherInstallation extends ExpectedFailure<'other-installation'> {
  override readonly name = 'OtherInstallation';
  constructor() {
    super(
      'other-installation',
      'The shared state belongs to another installation. Known keys keep working; this node takes over the other accounts only at a restart.',
    );
  }
}

export class SharedDirectory {
  readonly accounts: AccountDirectory;
  readonly #store: Connection;
  readonly #copy: NodeCopy;
  readonly #recording: WriteRecorder;
  /** The current work; the next piece waits for it. */
  #last: Promise<unknown> = Promise.resolve();
  /**
   * Whether the copy has been the store's since this process started. Before that, it becomes a copy of any store it
   * finds.
   */
  #joined = false;
  /** Uses of keys that the store has not heard of, epoch seconds by key id. */
  readonly #uses = new Map<string, number>();

  constructor(environment: Environment, store: Connection, copy: NodeCopy) {
    this.#store = store;
    this.#copy = copy;
    this.#recording = recordingOver(copy.tables);
    const write: Write = (change) => this.#inTurn(() => this.#change(change));
    const directory = openAccounts(
      environment,
      copy.tables,
      write,
      copy.eraseDeleted,
      this.#recording.tables,
    );
    this.accounts = {
      ...directory,
      noteUses: (uses) => this.#noteUses(uses),
      // Skip this while the store is away: this node does it later, or another node does.
      forgetSignupsBefore: async (day) => {
        if (store.isThere) await directory.forgetSignupsBefore(day);
      },
    };
  }

  /** Updates the copy to the version of the store. */
  follow(): Promise<void> {
    return this.#inTurn(() => this.#catchUp());
  }

  /** Copies the last uses of keys, on all nodes, into the copy. */
  async followUses(): Promise<void> {
    // Look a few seconds back, because these may not have ended on all nodes.
    const uses = await usesSince(this.#store, this.#copy.usedUntil() - 2);
    if (uses.size > 0) await this.#copy.noteUses(uses);
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    const mine = before.then(work);
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #change<Result>(change: () => Result): Promise<Result> {
    for (let tries = 0; tries < sharedLimits.changeTriesMax; tries++) {
      await this.#catchUp();
      const position = this.#copy.position();
      const result = change();
      const notes = this.#recording.takeOut();
      const touched = notes.rows.length + notes.changed.length + notes.keysGone.length > 0;
      const outcome = touched ? await commit(this.#store, position, notes) : 'committed';
      if (outcome === 'other-installation') throw new OtherInstallation();
      if (outcome === 'committed') {
        if (touched) await this.#copy.apply(position, [notes]);
        return result;
      }
      await pause(Math.random() * sharedLimits.changePauseMsMax);
    }
    throw new ExpectedFailure(
      'shared-state-busy',
      'Other nodes changed accounts at the same time. Try again.',
    );
  }

  async #catchUp(): Promise<void> {
    const at = this.#copy.position();
    const news = await follow(this.#store, at);
    const { installation, commits } = news;
    if (installation === null) return this.#begin(at);
    const known = at.installation === installation;
    if (!known && this.#joined && at.installation !== null) throw new OtherInstallation();
    // The changes that only this copy has were confirmed before the loss.
    if (known && news.isOlder) return this.#fillAgain(at);
    if (!known || commits === null) await this.#readAll(news);
    else if (commits.length > 0) await this.#copy.apply(at, commits);
    this.#joined = true;
  }

  /** Commits made while the rows were read follow with the next call. */
  async #readAll({ installation, fill, version }: Position): Promise<void> {
    await this.#copy.replace({ installation, fill, version }, await readRows(this.#store));
  }

  /** The store is new, or has lost everything: then it receives this node's copy. */
  async #begin(at: Position): Promise<void> {
    if (at.installation !== null) return this.#fillAgain(at);
    await nameInstallation(this.#store);
    await this.#catchUp();
  }

  async #fillAgain(at: Position): Promise<void> {
    await readSecrets(this.#store, this.#copy.secrets());
    if (!(await fillAgain(this.#store, at, this.#copy.rows()))) throw beingFilled;
    await this.#catchUp();
  }

  async #noteUses(uses: ReadonlyMap<string, number>): Promise<void> {
    const known = [...uses].filter(([id]) => this.#copy.tables.keys.get(id) !== undefined);
    for (const [id, second] of known) this.#uses.set(id, Math.max(second, this.#uses.get(id) ?? 0));
    await this.#copy.noteUses(uses);
    if (!this.#store.isThere) return;
    const sent = new Map(this.#uses);
    await noteUses(this.#store, sent);
    for (const [id, second] of sent) if (this.#uses.get(id) === second) this.#uses.delete(id);
  }
}

const beingFilled = new ExpectedFailure(
  'shared-state-away',
  'The shared state has lost its accounts, and another node is filling it again.',
);

/** Records the writes of a change instead of executing them; the commit to the store has them. */
interface WriteRecorder {
  /** The tables that changes read and write. */
  readonly tables: AccountTables;
  /** Returns what was written since the last call, and forgets it. */
  takeOut(): Commit;
}

/** @param held the current rows of the tables */
function recordingOver(held: AccountTables): WriteRecorder {
  const rows = {
    accounts: new NotedRows(held.accounts),
    idByEmail: new NotedRows(held.idByEmail),
    keys: new NotedRows(held.keys),
    keyUses: new NotedRows(held.keyUses),
    signups: new NotedRows(held.signups),
    serviceLimits: new NotedRows(held.serviceLimits),
  };
  const changed = new Set<string>();
  return {
    tables: { ...rows, noteChange: (accountId) => void changed.add(accountId) },
    takeOut() {
      const written = {
        rows: sharedTables.flatMap((table) =>
          rows[table].takeOut().map(([key, value]) => ({ table, key, value })),
        ),
        changed: [...changed],
        keysGone: rows.keyUses.takeOut().map(([key]) => key),
      };
      changed.clear();
      return written;
    },
  };
}

/** The rows of a table, overlaid with the written ones. */
class NotedRows implements AccountRows {
  readonly #held: AccountRows;
  readonly #noted = new Map<string, string | null>();

  constructor(held: AccountRows) {
    this.#held = held;
  }

  get(key: Key): string | undefined {
    const noted = this.#noted.get(String(key));
    return noted === undefined ? this.#held.get(key) : (noted ?? undefined);
  }

  putSync(key: Key, value: string): void {
    this.#noted.set(String(key), value);
  }

  removeSync(key: Key): void {
    this.#noted.set(String(key), null);
  }

  /** Changes read ranges before they write. */
  getKeys(range?: { end?: Key }): Iterable<Key> {
    return this.#held.getKeys(range);
  }

  takeOut(): readonly (readonly [key: string, value: string | null])[] {
    const noted = [...this.#noted];
    this.#noted.clear();
    return noted;
  }
}
