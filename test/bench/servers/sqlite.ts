/**
 * SQLite with FTS5 behind `Bun.serve`. Arguments: the database file; with `build` and the folder of generated files, it
 * builds the database first.
 */
import { Database } from 'bun:sqlite';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runToEnd } from '../harness/processes.ts';
import { type BesideStore, type CompanyRow, type RelationRow, serveBeside } from './beside-answers.ts';
import { besideFiles, besideIndexes, besideTables, writeBesideFiles } from './store-beside.ts';

/** Builds the database with Debian's sqlite3, removes the text files, and renames it when it is complete. */
export async function buildSqlite(source: string, path: string): Promise<void> {
  const folder = join(dirname(path), 'sqlite-files');
  mkdirSync(folder, { recursive: true });
  const part = `${path}.part`;
  rmSync(part, { force: true });
  await writeBesideFiles(source, folder, (text) => text);
  const files = besideFiles(folder);
  // The ascii mode has no quotes: fields stay as they are.
  const script = `
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-400000;
${besideTables}
.mode ascii
.separator "\\t" "\\n"
.import ${files.companies} companies
.import ${files.relationships} relationships
.import ${files.isins} isins
${besideIndexes}
CREATE VIRTUAL TABLE names USING fts5(name, content='', tokenize='unicode61 remove_diacritics 2');
INSERT INTO names(rowid, name) SELECT rowid, name FROM companies;
ANALYZE;
`;
  await runToEnd(['sqlite3', part], {}, script);
  renameSync(part, path);
  rmSync(folder, { recursive: true, force: true });
}

/** All words as FTS5 phrases, the last as a prefix. */
function match(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ');
}

function sqliteStore(path: string): BesideStore {
  const database = new Database(path, { readonly: true });
  database.run('PRAGMA mmap_size=30000000000');
  const company = database.query<{ json: string }, [string]>('SELECT json FROM companies WHERE lei = ?');
  const parents = database.query<RelationRow, [string]>(
    'SELECT r.end_lei AS lei, c.name, r.type, r.json FROM relationships r LEFT JOIN companies c ON c.lei = r.end_lei WHERE r.start_lei = ?',
  );
  const children = database.query<RelationRow, [string]>(
    'SELECT r.start_lei AS lei, c.name, r.type, r.json FROM relationships r LEFT JOIN companies c ON c.lei = r.start_lei WHERE r.end_lei = ? ORDER BY c.name, r.start_lei',
  );
  const isin = database.query<CompanyRow, [string]>(
    'SELECT i.lei, c.name, c.country, c.status FROM isins i LEFT JOIN companies c ON c.lei = i.lei WHERE i.isin = ?',
  );
  const search = database.query<CompanyRow, [string]>(
    'SELECT c.lei, c.name, c.country, c.status FROM (SELECT rowid FROM names WHERE names MATCH ? ORDER BY bm25(names) LIMIT 20) n JOIN companies c ON c.rowid = n.rowid',
  );
  const total = database.query<{ total: number }, [string]>(
    'SELECT count(*) AS total FROM names WHERE names MATCH ?',
  );
  return {
    company: (lei) => company.get(lei)?.json ?? null,
    relationships: (lei) => ({ parents: parents.all(lei), children: children.all(lei) }),
    isin: (value) => isin.all(value),
    search: (text) => ({ total: total.get(match(text))?.total ?? 0, items: search.all(match(text)) }),
  };
}

if (import.meta.main) {
  serveBeside(sqliteStore(process.argv[2] ?? ''));
}
