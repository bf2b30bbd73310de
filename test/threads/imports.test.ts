/** Tests what threads and processes import as they start: each module there costs every one of them. */
import { describe, expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { readText } from '../support/source-tree.ts';

const transpiler = new Bun.Transpiler({ loader: 'ts' });

/** What an entry point imports before its first line runs, types aside: paths of our files, names of others. */
function importedAtStart(entry: string, imported = new Set<string>()): ReadonlySet<string> {
  for (const { kind, path } of transpiler.scanImports(readText(entry))) {
    const to = path.startsWith('.') ? join(dirname(entry), path) : path;
    if (kind !== 'import-statement' || imported.has(to)) continue;
    imported.add(to);
    if (to.endsWith('.ts')) importedAtStart(to, imported);
  }
  return imported;
}

/** They take 10 to 100 ms each, and are read at their first use. */
function isRead(module: string): boolean {
  const read = ['any-ascii', 'ipaddr.js', 'iso-3166/2.js', 'node:crypto', 'validator/lib/isEmail.js'];
  return module.endsWith('.txt') || module.startsWith('opencc-js/') || read.includes(module);
}

describe.each([
  'workers/query.ts',
  'workers/inspect.ts',
  'workers/loader.ts',
  'workers/search.ts',
  'src/cli.ts',
  'src/commands/status.ts',
])('%s', (entry) => {
  test('imports no large table, no cryptography and no library that it may not need', () => {
    const imported = [...importedAtStart(entry)];
    expect(imported.length).toBeGreaterThan(3);
    expect(imported.filter(isRead)).toEqual([]);
  });
});

test.each([
  'workers/query.ts',
  'workers/inspect.ts',
  'workers/loader.ts',
  'src/cli.ts',
  'src/commands/load.ts',
  'src/commands/accounts.ts',
])('%s imports no library of schemas and none of routes', (entry) => {
  const libraries = [...importedAtStart(entry)].filter((path) => /^(@sinclair\/typebox|elysia)/.test(path));
  expect(libraries).toEqual([]);
});

test.each(['workers/search.ts', 'workers/parse.ts', 'workers/pack.ts'])(
  '%s, which opens no environment, does not import lmdb at its start',
  (entry) => {
    expect([...importedAtStart(entry)]).not.toContain('lmdb');
  },
);

test('the command line imports no command before it knows which one runs', () => {
  const commands = [...importedAtStart('src/cli.ts')].filter((path) => path.startsWith('src/commands/'));
  expect(commands).toEqual(['src/commands/frame.ts']);
});
