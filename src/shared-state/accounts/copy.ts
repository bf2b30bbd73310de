/**
 * A node's own copy of what the fleet shares: accounts and keys with their version, secrets, how many nodes there were.
 * It is stored in the node's state, so that a node works, and can start, while the store is away.
 */
import { bytesTable, type Environment, textTable } from '../../lmdb.ts';
import { type Secrets, secretNames } from '../../ports/secrets.ts';
import { noteChange, openTables, putUses, type Rows, type Tables } from '../../state/account-tables.ts';
import type { Write } from '../../state/account-writers.ts';
import { type Commit, type RowChange, type SharedTable, sharedTables } from './commit.ts';

/** Which state of which installation a copy holds. */
export interface Position {
  /** Null before the first time. */
  readonly installation: string | null;
  /** Names the last time that a node filled the store again, as far as the copy knows; empty before the first. */
  readonly fill: string;
  /** Counts the commits of the store. */
  readonly version: number;
}

export interface NodeCopy {
  readonly tables: Tables;
  position(): Position;
  /** Applies commits that follow a position. Those that it has are skipped. */
  apply(from: Position, commits: readonly Commit[]): Promise<void>;
  /** Makes the copy equal to all rows of a version. */
  replace(position: Position, rows: readonly RowChange[]): Promise<void>;
  /** Every row, for a store that has lost its own. */
  rows(): readonly RowChange[];
  /** Records last uses, epoch seconds by key id. */
  noteUses(uses: ReadonlyMap<string, number>): Promise<void>;
  /** The latest recorded second of a use. */
  usedUntil(): number;
  /** Null before the first time. */
  secrets(): Secrets | null;
  keepSecrets(secrets: Secrets): Promise<void>;
  /** The nodes that were seen last. */
  nodes(): number;
  keepNodes(nodes: number): Promise<void>;
}

export function openCopy(environment: Environment, write: Write): NodeCopy {
  const tables = openTables(environment);
  const facts = textTable(environment, 'sharedFacts', 'string');
  const secrets = bytesTable(environment, 'secrets', 'string');
  const position = (): Position => ({
    installation: facts.get('installation') ?? null,
    fill: facts.get('fill') ?? '',
    version: Number(facts.get('version') ?? 0),
  });
  const usedUntil = () => Number(facts.get('usedUntil') ?? 0);
  const moveTo = ({ installation, fill, version }: Position) => {
    facts.putSync('installation', installation ?? '');
    facts.putSync('fill', fill);
    facts.putSync('version', String(version));
  };
  return {
    tables,
    position,
    apply: (from, commits) =>
      write(() => {
        // A command beside the service may already have applied some.
        const { version } = position();
        for (const commit of commits.slice(Math.max(0, version - from.version))) carryOut(tables, commit);
        moveTo({ ...from, version: Math.max(version, from.version + commits.length) });
      }),
    replace: (to, rows) =>
      write(() => {
        carryOut(tables, difference(tables, rows));
        moveTo(to);
      }),
    rows: () => sharedTables.flatMap((table) => rowsOf(tables, table)),
    noteUses: (uses) =>
      write(() => {
        putUses(tables, uses);
        facts.putSync(
          'usedUntil',
          String([...uses.values()].reduce((one, other) => Math.max(one, other), usedUntil())),
        );
      }),
    usedUntil,
    secrets() {
      const [cursor, etag, client] = secretNames.map((name) => secrets.get(name));
      if (cursor === undefined || etag === undefined || client === undefined) return null;
      return {
        cursor: Uint8Array.from(cursor),
        etag: Uint8Array.from(etag),
        client: Uint8Array.from(client),
      };
    },
    keepSecrets: (given) =>
      write(() => {
        for (const [name, secret] of Object.entries(given)) secrets.putSync(name, Buffer.from(secret));
      }),
    nodes: () => Number(facts.get('nodes') ?? 1),
    keepNodes: (nodes) => write(() => void facts.putSync('nodes', String(nodes))),
  };
}

function carryOut(tables: Tables, { rows, changed, keysGone }: Commit): void {
  for (const { table, key, value } of rows) {
    if (value === null) tables[table].removeSync(key);
    else tables[table].putSync(key, value);
  }
  for (const id of keysGone) tables.keyUses.removeSync(id);
  for (const id of changed) noteChange(tables, id);
}

/** The writes that make the tables contain exactly these rows. */
function difference(tables: Tables, rows: readonly RowChange[]): Commit {
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

function rowsOf(tables: Tables, table: SharedTable): readonly RowChange[] {
  const rows: Rows = tables[table];
  return [...rows.getRange({})].map(({ key, value }) => ({ table, key: String(key), value }));
}

/** The account that a row is about. */
function accountOf({ table, key, value }: RowChange): readonly string[] {
  if (table === 'accounts') return [key];
  if (table !== 'keys' || value === null) return [];
  const { accountId } = Object(JSON.parse(value));
  return typeof accountId === 'string' ? [accountId] : [];
}
