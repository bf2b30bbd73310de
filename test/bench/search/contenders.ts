/**
 * The search engines that are compared: our index, SQLite's FTS5 with two tokenizers, and FlexSearch's index in memory.
 */
import { Database } from 'bun:sqlite';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Index } from 'flexsearch';
import { type Environment, openForBuilding, openReadOnly, syncAndClose } from '../../../src/lmdb.ts';
import { environmentFile, searchFile } from '../../../src/publication/layout.ts';
import { openSearchReader } from '../../../src/store/search/open-search.ts';
import type { SearchReader } from '../../../src/store/search/search-reader.ts';
import { createIndexing, type LinkedCompany } from '../../support/index-companies.ts';

const answersMax = 20;

export interface Contender {
  readonly name: string;
  add(document: LinkedCompany): void;
  /** Called once, after the last company. Returns bytes on disk; NaN if it is in memory. */
  finish(): Promise<number>;
  /** Entity numbers, best first, without repetition, at most {@link answersMax}. */
  answer(q: string): number[];
  close(): Promise<void>;
}

export interface Opening {
  readonly ms: number;
  /** The memory added by opening, and after a hundred questions of all kinds. */
  readonly privateBytes: number;
  readonly privateBytesInUse: number;
}

export interface OurIndex extends Contender {
  opening(): Opening;
  reader(): SearchReader;
}

/** Memory of this process that is not backed by a file. */
export function privateBytes(): number {
  const rollup = readFileSync(`/proc/${process.pid}/smaps_rollup`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
  return kilobytes('Anonymous') * 1024;
}

/** Opens the index in a process of its own, as a query thread does, and asks a little. */
function probeOpening(path: string): Opening {
  const probe = Bun.spawnSync([process.execPath, join(import.meta.dir, 'open-probe.ts'), path]);
  if (!probe.success) throw new Error(probe.stderr.toString());
  return JSON.parse(probe.stdout.toString());
}

export function ourIndex(folder: string): OurIndex {
  const path = join(folder, 'ours');
  const building = openForBuilding(path);
  const indexing = createIndexing();
  let environment: Environment | null = null;
  let reader: SearchReader | null = null;
  let opening: Opening = { ms: 0, privateBytes: 0, privateBytesInUse: 0 };
  const current = () => {
    if (reader === null) throw new Error('The index is not built yet.');
    return reader;
  };
  return {
    name: 'this service',
    opening: () => opening,
    reader: current,
    add: indexing.add,
    finish: async () => {
      indexing.finish(building);
      await syncAndClose(building);
      opening = probeOpening(path);
      environment = openReadOnly(path);
      reader = openSearchReader(environment, String);
      return [environmentFile, searchFile].reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
    },
    answer: (q) => {
      const outcome = current().search({ q, country: null, status: null, after: null, limit: answersMax });
      return outcome.outcome === 'hits' ? outcome.hits.map(({ entity }) => entity) : [];
    },
    close: async () => {
      await environment?.close();
    },
  };
}

/** FTS5, best by bm25: all words, or any word if that finds nothing. */
export function sqliteIndex(
  folder: string,
  tokenizer: 'unicode61 remove_diacritics 2' | 'trigram',
): Contender {
  const path = join(folder, `${tokenizer.split(' ')[0]}.sqlite`);
  const database = new Database(path);
  database.run('PRAGMA journal_mode = OFF');
  database.run('PRAGMA synchronous = OFF');
  database.run(`CREATE VIRTUAL TABLE names USING fts5(name, entity UNINDEXED, tokenize = '${tokenizer}')`);
  const insert = database.prepare('INSERT INTO names (name, entity) VALUES (?, ?)');
  database.run('BEGIN');
  const select = database.prepare<{ entity: number }, [string]>(
    `SELECT entity FROM names WHERE names MATCH ? ORDER BY rank LIMIT ${answersMax}`,
  );
  return {
    name: `SQLite FTS5 ${tokenizer.split(' ')[0]}`,
    add: ({ names, entity }) => {
      for (const { name } of names) insert.run(name, entity);
    },
    finish: async () => {
      database.run('COMMIT');
      database.run("INSERT INTO names (names) VALUES ('optimize')");
      return statSync(path).size;
    },
    answer: (q) => {
      const words = q.match(/[\p{L}\p{N}\p{M}]+/gu)?.map((word) => `"${word}"`) ?? [];
      if (words.length === 0) return [];
      const all = select.all(words.join(' '));
      const rows = all.length > 0 ? all : select.all(words.join(' OR '));
      return [...new Set(rows.map(({ entity }) => entity))];
    },
    close: async () => database.close(),
  };
}

/** FlexSearch with its defaults: words and their beginnings, partial matches allowed. */
export function flexsearchInMemory(): Contender {
  const index = new Index({ tokenize: 'forward' });
  const entities: number[] = [];
  return {
    name: 'FlexSearch in memory',
    add: ({ names, entity }) => {
      for (const { name } of names) index.add(entities.push(entity) - 1, name);
    },
    // Its memory cannot be told apart from what earlier contenders left in this process.
    finish: async () => Number.NaN,
    answer: (q) => {
      const found = index.search(q, { limit: answersMax, suggest: true });
      return [...new Set(found.map((id) => entities[Number(id)] ?? 0))];
    },
    close: async () => undefined,
  };
}
