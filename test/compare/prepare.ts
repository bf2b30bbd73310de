/** Makes the data folders of a comparison with one checkout; each checkout serves copies. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { lei, ownRoot } from './checkout.ts';
import type { Keys } from './requests.ts';

export interface Prepared {
  readonly name: string;
  readonly dataDir: string;
  readonly keys: Keys;
}

/** Files of invented companies: the full set of a day, and the delta of the next. */
export interface TwoDays {
  readonly first: readonly string[];
  readonly next: readonly string[];
}

export async function generateTwoDays(root: string, folder: string): Promise<TwoDays> {
  const [first, next] = [join(folder, 'first-day'), join(folder, 'next-day')];
  const size = ['--entities', '1500', '--seed', '7'];
  await lei(root, folder, 'generate', ...size, '--out', first);
  await lei(root, folder, 'generate', ...size, '--out', next, '--delta');
  return { first: filesIn(first), next: filesIn(next) };
}

export function prepareSample(root: string, folder: string): Promise<Prepared> {
  return withAccounts(root, 'sample', join(folder, 'sample'), loadSample);
}

/** The bundled sample; invented companies with a history of two days; and a folder without a publication. */
export async function prepare(root: string, folder: string, days: TwoDays): Promise<readonly Prepared[]> {
  return [
    await prepareSample(root, folder),
    await withAccounts(root, 'synthetic', join(folder, 'synthetic'), loadDays(days)),
    await withAccounts(root, 'empty', join(folder, 'empty'), async () => {}),
  ];
}

type Load = (root: string, dataDir: string) => Promise<void>;

async function withAccounts(root: string, name: string, dataDir: string, load: Load): Promise<Prepared> {
  mkdirSync(dataDir, { recursive: true });
  await load(root, dataDir);
  return { name, dataDir, keys: await makeKeys(root, dataDir) };
}

async function loadSample(root: string, dataDir: string): Promise<void> {
  if (root === ownRoot && process.env['TESTS_SHARED'] !== undefined) return copyLoadedSample(dataDir);
  await lei(root, dataDir, 'load', ...filesIn(join(root, 'data', 'sample')));
}

/** Within a run of the tests, the bundled sample is loaded once for all. Here it counts as an operator's data. */
async function copyLoadedSample(dataDir: string): Promise<void> {
  // Folders of tests exist for tests only.
  await (await import('../support/service.ts')).copySample(dataDir);
  const paths = layout(dataDir);
  const manifest = paths.manifest(readPointer(paths)?.id ?? '');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"sample": true', '"sample": false'));
}

function loadDays({ first, next }: TwoDays): Load {
  return async (root, dataDir) => {
    await lei(root, dataDir, 'load', ...first);
    await lei(root, dataDir, 'load', '--delta', ...next);
    await lei(root, dataDir, 'history', ...first.filter((path) => path.includes('lei2')));
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name));
}

async function makeKeys(root: string, dataDir: string): Promise<Keys> {
  const make = async (name: string, ...limits: readonly string[]) => {
    const who = ['--email', `${name}@example.com`, '--company', name, '--use', 'Tests'];
    return made(await lei(root, dataDir, 'accounts', 'create', ...who, ...limits, '--json'));
  };
  const most = ['--daily', '1000000', '--burst-lookup', '1000000', '--burst-search', '1000000'];
  const unlimited = await make('unlimited', ...most);
  const daily = await make('daily', '--daily', '3');
  const burst = await make('burst', '--burst-lookup', '2', '--burst-search', '2');
  const revoked = await make('revoked');
  await lei(root, dataDir, 'keys', 'revoke', revoked.key);
  const suspended = await make('suspended');
  await lei(root, dataDir, 'accounts', 'suspend', suspended.account);
  return {
    unlimited: unlimited.secret,
    daily: daily.secret,
    burst: burst.secret,
    revoked: revoked.secret,
    suspended: suspended.secret,
  };
}

function made(printed: string) {
  const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? '';
  return {
    account: found(/"(acc_\w+)"/),
    key: found(/"(key_\w+)"/),
    secret: found(/"secret":\s*"(lei_live_\w+)"/),
  };
}
