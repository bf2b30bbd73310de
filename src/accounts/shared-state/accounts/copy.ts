/**
 * A node's own copy of what the fleet shares: accounts and keys with their version, secrets, how many nodes there were.
 * It is stored in the node's state, so that a node works, and can start, while the store is away.
 */
import { bytesTable, type Environment, type TextTable, textTable } from '../../../lmdb.ts';
import { type Secrets, secretNames } from '../../../ports/state.ts';
import { type OpenTables, openTables, putUses } from '../../state/account-tables.ts';
import type { Write } from '../../state/account-writers.ts';
import { dataFile } from '../../state/data-file.ts';
import { eraseDeleted } from '../../state/deleted-accounts.ts';
import {
  type Commit,
  type Position,
  type RowChange,
  type SharedTable,
  sharedTables,
} from './account-store.ts';

export type NodeCopy = ReturnType<typeof openCopy>;

/** @param path the folder of the environment */
export function openCopy(environment: Environment, path: string, write: Write) {
  const tables = openTables(environment);
  const facts = textTable(environment, 'sharedFacts', 'string');
  const secrets = bytesTable(environment, 'secrets', 'string');
  const { position, moveTo } = positionIn(facts);
  const usedUntil = () => Number(facts.get('usedUntil') ?? 0);
  return {
    tables,
    position,
    /** Applies commits that follow a position. Those that it has are skipped. */
    apply: (from: Position, commits: readonly Commit[]) =>
      write(() => {
        // A command beside the service may already have applied some.
        const { version } = position();
        for (const commit of commits.slice(Math.max(0, version - from.version))) carryOut(tables, commit);
        moveTo({ ...from, version: Math.max(version, from.version + commits.length) });
      }),
    /** Makes the copy equal to all rows of a version. */
    replace: (to: Position, rows: readonly RowChange[]) =>
      write(() => {
        carryOut(tables, difference(tables, rows));
        moveTo(to);
      }),
    /** Erases what deleted accounts have left in the file. */
    eraseDeleted: () => eraseDeleted(dataFile(path), tables.accounts, write),
    /** Every row, for a store that has lost its own. */
    rows: (): readonly RowChange[] => sharedTables.flatMap((table) => rowsOf(tables, table)),
    /** Records last uses, epoch seconds by key id. */
    noteUses: (uses: ReadonlyMap<string, number>) =>
      write(() => {
        putUses(tables, uses);
        facts.putSync(
          'usedUntil',
          String([...uses.values()].reduce((one, other) => Math.max(one, other), usedUntil())),
        );
      }),
    /** The latest recorded second of a use. */
    usedUntil,
    /** Null before the first time. */
    secrets(): Secrets | null {
      const [cursor, etag, client] = secretNames.map((name) => secrets.get(name));
      if (cursor === undefined || etag === undefined || client === undefined) return null;
      return {
        cursor: Uint8Array.from(cursor),
        etag: Uint8Array.from(etag),
        client: Uint8Array.from(client),
      };
    },
    keepSecrets: (given: Secrets) =>
      write(() => {
        for (const [name, secret] of Object.entries(given)) secrets.putSync(name, Buffer.from(secret));
      }),
    /** The nodes that were seen last. */
    nodes: () => Number(facts.get('nodes') ?? 1),
    keepNodes: (nodes: number) => write(() => void facts.putSync('nodes', String(nodes))),
  };
}

function positionIn(facts: TextTable) {
  return {
    position: (): Position => ({
      installation: facts.get('installation') ?? null,
      fill: facts.get('fill') ?? '',
      version: Number(facts.get('version') ?? 0),
    }),
    moveTo({ installation, fill, version }: Position): void {
      facts.putSync('installation', installation ?? '');
      facts.putSync('fill', fill);
      facts.putSync('version', String(version));
    },
  };
}

function carryOut(tables: OpenTables, { rows, changed, keysGone }: Commit): void {
  for (const { table, key, value } of rows) {
    if (value === null) tables[table].removeSync(key);
    else tables[table].putSync(key, value);
  }
  for (const id of keysGone) tables.keyUses.removeSync(id);
  for (const id of changed) tables.noteChange(id);
}

/** The writes that make the tables contain exactly these rows. */
function difference(tables: OpenTables, rows: readonly RowChange[]): Commit {
  const wanted = new Map(sharedTables.map((table) => [table, new Map<string, RowChange>()]));
  for (const row of rows) wanted.get(row.table)?.set(row.key, row);
  const gone = sharedTables.flatMap((table) =>
    rowsOf(tables, table).filter(({ key }) => wanted.get(table)?.has(key) !== true),
  );
  const other = rows.filter(({ table, key, value }) => tables[table].get(key) !== value);
  const touched = [...gone, ...other];
  return {
    rows: [...gone.map((row) => ({ ...row, value: null })), ...other],
    changed: [...new Set(touched.flatMap(accountOf))],
    keysGone: gone.filter(({ table }) => table === 'keys').map(({ key }) => key),
  };
}

function rowsOf(tables: OpenTables, table: SharedTable): readonly RowChange[] {
  return [...tables[table].getRange({})].map(({ key, value }) => ({ table, key: String(key), value }));
}

/** What a row is about: an account, or the whole service. */
function accountOf({ table, key, value }: RowChange): readonly string[] {
  if (table === 'accounts' || table === 'serviceLimits') return [key];
  if (table !== 'keys' || value === null) return [];
  const { accountId } = Object(JSON.parse(value));
  return typeof accountId === 'string' ? [accountId] : [];
}
