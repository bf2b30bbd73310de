/**
 * Shows whether the tests notice small mistakes: `bun run test:mutants [--sample N --seed S | --only PATH --write] [--far]`.
 *
 * mutants.json lists mutants of src, each with the test file that killed it. The command makes one after the other in a
 * copy of the project and runs the test file that killed it before, then the tests near the changed file, with `--far`
 * all others that import it; it prints which mutants live. `--only` takes those whose path begins so, `--write` keeps the
 * killers found, `--sample` draws a new list.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { importsOf, readText, root, sourceFiles } from '../support/source-tree.ts';
import { type Mutant, mutantsOf, mutated, sampleOf } from './mutate.ts';

/** Longer than any file of tests takes: a mutant that hangs is noticed too. */
const hangMs = 300_000;
const listPath = join(import.meta.dir, 'mutants.json');

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '49' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    far: { type: 'boolean', default: false },
  },
});

interface Listed extends Mutant {
  /** Null if no test noticed it. */
  readonly killedBy: string | null;
  /** Why no test can notice it. */
  readonly changesNothing?: string;
}

const save = (list: readonly Listed[]) => writeFileSync(listPath, `${JSON.stringify(list, null, 2)}\n`);

/** The tests that import a file, directly or not, each with its distance. */
function testsByFile(): (path: string) => ReadonlyMap<string, number> {
  const importers = Map.groupBy(sourceFiles('src', 'workers', 'test').flatMap(importsOf), ({ to }) => to);
  return (path) => {
    const distances = new Map([[path, 0]]);
    for (const [at, distance] of distances) {
      for (const { from } of importers.get(at) ?? []) {
        if (!distances.has(from)) distances.set(from, distance + 1);
      }
    }
    return new Map([...distances].filter(([from]) => from.endsWith('.test.ts')));
  };
}

/** The groups of test files to run, the likeliest killers first. */
function groupsFor({ path, killedBy }: Listed, tests: ReadonlyMap<string, number>): string[][] {
  const sorted = [...tests].sort(([, a], [, b]) => a - b).map(([test]) => test);
  // Those of the same folder, or of the closest one above it that has some.
  let folder = dirname(path).replace(/^src/, 'test');
  const isNear = (test: string) => test.startsWith(`${folder}/`);
  while (folder.includes('/') && !sorted.some(isNear)) folder = dirname(folder);
  const near = sorted.filter(isNear);
  const direct = near.filter((test) => tests.get(test) === 1);
  const groups = [
    killedBy === null ? [] : [killedBy],
    direct,
    near.filter((test) => !direct.includes(test)),
    values.far ? sorted.filter((test) => !near.includes(test)) : [],
  ];
  return groups.filter((group) => group.length > 0);
}

/** A copy of the project in which mutants are made. */
function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'lei-mutants-'));
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-z'], { cwd: root });
  for (const path of stdout.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** The first test file of a group that fails; null if none does. */
async function failing(copy: string, files: readonly string[]): Promise<string | null> {
  const options = ['--timeout', String(hangMs), '--bail', '--parallel=2'];
  const running = Bun.spawn([process.execPath, 'test', ...options, ...files], {
    cwd: copy,
    env: { ...process.env, TESTS_SHARED: join(copy, '.shared') },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: hangMs * files.length,
  });
  const text = await running.stderr.text();
  if ((await running.exited) === 0) return null;
  // The heading before the first failure.
  const before = text.slice(0, text.search(/^\(fail\)|^error:|^# Unhandled/m));
  return before.match(/^test\/\S+\.test\.ts(?=:$)/gm)?.at(-1) ?? files[0] ?? null;
}

async function killerOf(copy: string, mutant: Listed, groups: readonly string[][]): Promise<string | null> {
  const path = join(copy, mutant.path);
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(original, mutant));
  try {
    for (const group of groups) {
      const killer = await failing(copy, group);
      if (killer !== null) return killer;
    }
    return null;
  } finally {
    writeFileSync(path, original);
  }
}

async function run(): Promise<void> {
  const list: Listed[] = JSON.parse(readFileSync(listPath, 'utf8'));
  const reaching = testsByFile();
  const copy = copyOfProject();
  const killers: (string | null)[] = [];
  for (const [index, mutant] of list.entries()) {
    if (!mutant.path.startsWith(values.only)) continue;
    const what = `${mutant.path}: ${mutant.line.trim()}  →  ${mutant.mutant.trim()}`;
    if (!readText(mutant.path).includes(mutant.line)) {
      console.log(`gone    ${what}`);
      continue;
    }
    if (mutant.changesNothing !== undefined) {
      console.log(`same    ${what}\n        ${mutant.changesNothing}`);
      continue;
    }
    const killedBy = await killerOf(copy, mutant, groupsFor(mutant, reaching(mutant.path)));
    console.log(killedBy === null ? `LIVES   ${what}` : `killed  ${what}\n        by ${killedBy}`);
    killers.push(killedBy);
    list[index] = { ...mutant, killedBy };
    if (values.write) save(list);
  }
  rmSync(copy, { recursive: true, force: true });
  console.log(
    `${killers.filter((killer) => killer !== null).length} of ${killers.length} mutants are killed.`,
  );
}

if (values.sample === undefined) {
  await run();
} else {
  const all = sourceFiles('src')
    .filter(({ path }) => !/^src\/(generate\/vocabulary|site\/client)\//.test(path))
    .flatMap(mutantsOf);
  save(
    sampleOf(all, Number(values.sample), Number(values.seed)).map((mutant) => ({
      ...mutant,
      killedBy: null,
    })),
  );
}
