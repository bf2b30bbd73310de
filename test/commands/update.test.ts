import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from '../../src/generate/generate.ts';
import { withLoadLock } from '../../src/loader/command/load-lock.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiHere } from '../support/lei-here.ts';
import { type GeneratedSet, offer, updateEnvironment } from '../support/published-set.ts';
import { type Publisher, startPublisher } from '../support/publisher.ts';
import { cli } from '../support/run-lei.ts';
import { startTestService } from '../support/service.ts';
import { runOnTerminal } from '../support/terminal.ts';

let folder: string;
let full: GeneratedSet;
let nextDay: GeneratedSet;
/** A data folder after its first update. Tests copy it instead of loading again. */
let updated: string;
let first: Awaited<ReturnType<typeof lei>>;
let publisher: Publisher;
let dataDir: string;

const today = '2026-10-04 16:00:00';
const tomorrow = '2026-10-05 16:00:00';

function start(dir: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return Bun.spawn([process.execPath, cli, ...args], {
    env: { ...process.env, ...updateEnvironment(publisher), LEI_DATA_DIR: dir, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Runs `lei update --json` and similar commands to their end. */
async function lei(dir: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const settings = { ...updateEnvironment(publisher), LEI_DATA_DIR: dir, ...environment };
  const { code, stdout, stderr } = await leiHere(settings, args);
  const lines = stdout.trim() === '' ? [] : stdout.trim().split('\n');
  return { code, json: lines.map((line) => JSON.parse(line)), stderr };
}

async function generated(name: string, delta: boolean): Promise<GeneratedSet> {
  const target = join(folder, name);
  const options = {
    entities: 150,
    seed: 11,
    delta: delta ? { day: 1, changes: null } : null,
    format: 'xml',
    folder: target,
  } as const;
  return { folder: target, files: await generate(options, () => {}) };
}

beforeAll(async () => {
  folder = temporaryFolder('update');
  full = await generated('full', false);
  nextDay = await generated('next-day', true);
  publisher = await startPublisher();
  offer(publisher, { publishDate: today, full });
  updated = join(folder, 'updated');
  first = await lei(updated, ['update', '--json']);
  await publisher.stop();
});

beforeEach(async () => {
  publisher = await startPublisher();
  dataDir = temporaryFolder('update');
  await cp(updated, dataDir, { recursive: true });
});
afterEach(() => publisher.stop());

/** Runs an update that downloads its files and is refused the load, because another one runs. */
function withoutLoad(args: readonly string[], environment?: Readonly<Record<string, string>>) {
  return withLoadLock(layout(dataDir), async () => {
    const ran = await lei(dataDir, args, environment);
    expect(ran).toMatchObject({ code: 1, json: [{ error: { code: 'load-running' } }] });
    return ran;
  });
}

const active = () => readPointer(layout(dataDir))?.id;
const downloads = () => (existsSync(layout(dataDir).downloads) ? readdirSync(layout(dataDir).downloads) : []);

describe('lei update', () => {
  test('loads everything that is published the first time', () => {
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject([
      {
        updated: true,
        mode: 'full',
        reason: 'There is no active publication of GLEIF data yet.',
        publishedAt: '2026-10-04T16:00:00Z',
        publication: { sourcePublishedAt: '2026-10-04T16:00:00Z', active: true, sample: false },
      },
    ]);
    const [{ files, rows, rejected }] = first.json;
    expect(files).toHaveLength(full.files.length);
    expect(Object.keys(rows).sort()).toEqual([
      'bic',
      'gem',
      'isin',
      'level-1',
      'mic',
      'mic-list',
      'ocid',
      'qcc',
      'relationships',
      'reporting-exceptions',
    ]);
    expect(rows['level-1']).toBe(150);
    expect(Object.values(rejected).every((count) => count === 0)).toBe(true);
    expect(existsSync(layout(updated).downloads)).toBe(false);
  });

  test('does nothing if nothing is new, and says so', async () => {
    offer(publisher, { publishDate: today, full });
    const { code, json } = await lei(dataDir, ['update', '--json']);
    expect(code).toBe(0);
    expect(json).toMatchObject([{ updated: false, mode: 'nothing', files: [] }]);
    expect(publisher.heard.some(({ path }) => path.startsWith('/storage'))).toBe(false);
  });

  test('applies the delta that reaches back to the active publication, deletions included', async () => {
    offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
    const before = active();
    const { code, json } = await lei(dataDir, ['update', '--json']);
    expect(code).toBe(0);
    expect(json).toMatchObject([
      {
        updated: true,
        mode: 'delta',
        publishedAt: '2026-10-05T16:00:00Z',
        publication: {
          sourcePublishedAt: '2026-10-05T16:00:00Z',
          delta: true,
          basedOn: before,
          active: true,
        },
      },
    ]);
    expect(json[0].deleted).toBeGreaterThan(0);
    expect(json[0].files).toHaveLength(3);
    expect(active()).toBe(json[0].publication.id);
    expect(downloads()).toEqual([]);

    const again = await lei(dataDir, ['update', '--json']);
    expect(again.json).toMatchObject([{ updated: false, mode: 'nothing' }]);
  });

  test('loads full files on request, and when no delta reaches back', async () => {
    offer(publisher, { publishDate: tomorrow, full });
    const { json } = await lei(dataDir, ['update', '--dry-run', '--json']);
    expect(json).toMatchObject([
      { updated: false, mode: 'full', reason: expect.stringContaining('No delta') },
    ]);
    const wanted = await lei(dataDir, ['update', '--full', '--dry-run', '--json']);
    expect(wanted.json).toMatchObject([{ mode: 'full', reason: 'Full files were asked for.' }]);
    expect(wanted.json[0].files).toHaveLength(full.files.length);
  });

  test('loads everything if the active publication is damaged, and says so', async () => {
    const path = layout(dataDir).environment(active() ?? '');
    const bytes = readFileSync(path);
    // lmdb reads overwritten bytes as page numbers outside of its memory map.
    writeFileSync(path, bytes.fill(0xff, bytes.length / 2));
    offer(publisher, { publishDate: today, full });
    const { code, json, stderr } = await lei(dataDir, ['update', '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(stderr).toContain(`Warning: Publication ${active()} is damaged: `);
    expect(json).toMatchObject([{ mode: 'full' }]);
  });

  test('with --dry-run and --every is refused, since it would never end', async () => {
    const { code, json } = await lei(dataDir, ['update', '--dry-run', '--every', '8h', '--json']);
    expect({ code, json }).toMatchObject({ code: 2, json: [{ error: { code: 'bad-option' } }] });
  });

  test('with --dry-run says what it would load, and changes nothing', async () => {
    offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
    const before = active();
    const { code, json } = await lei(dataDir, ['update', '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(json[0].files.map(({ name }: { name: string }) => name).sort()).toEqual(
      nextDay.files.map(({ name }) => name).sort(),
    );
    expect(active()).toBe(before);
    expect(downloads()).toEqual([]);
  });

  test('refuses a file whose number of records differs from the announced one, and keeps the active publication', async () => {
    offer(publisher, {
      publishDate: tomorrow,
      full,
      lastDay: nextDay,
      entry: (name, entry) => (name.includes('-rr-') ? { ...entry, record_count: 4711 } : entry),
    });
    const before = active();
    const { code, json } = await lei(dataDir, ['update', '--json']);
    expect(code).toBe(1);
    expect(json).toMatchObject([
      {
        error: {
          code: 'record-count',
          message: expect.stringMatching(
            /^\S+-rr-last-day\.xml\.zip was published with 4711 records, but \d+ were read\.$/,
          ),
        },
      },
    ]);
    expect(active()).toBe(before);
    // It would be used unchanged the next time.
    expect(downloads()).toEqual([]);
  });

  test('refuses a golden copy from the future, which would block later updates, and keeps the active publication', async () => {
    const before = active();
    offer(publisher, { publishDate: '9999-12-31 00:00:00', full });
    const { code, json } = await lei(dataDir, ['update', '--json']);
    expect(code).toBe(1);
    expect(json).toMatchObject([{ error: { code: 'unexpected-answer' } }]);
    expect(active()).toBe(before);
    offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
    expect((await lei(dataDir, ['update', '--dry-run', '--json'])).json).toMatchObject([{ mode: 'delta' }]);
  });

  test('refuses files that are older than the golden copy that the list names, and keeps the active publication', async () => {
    const before = active();
    offer(publisher, { publishDate: tomorrow, full });
    const { code, json } = await lei(dataDir, ['update', '--json']);
    expect(code).toBe(1);
    expect(json).toMatchObject([{ error: { code: 'stale-file' } }]);
    expect(json[0].error.message).toMatch(
      /-lei2-.* is of 2026-10-04T.* the list and its files do not belong together/,
    );
    expect(active()).toBe(before);
    // The mirror may serve other bytes under the same names once it is complete.
    expect(downloads()).toEqual([]);
  });

  test('downloads from another host only if LEI_DOWNLOAD_HOSTS names it', async () => {
    offer(publisher, {
      publishDate: tomorrow,
      full,
      lastDay: nextDay,
      entry: (_name, entry) => ({ ...entry, url: entry.url.replace('127.0.0.1', 'localhost') }),
    });
    const refused = await lei(dataDir, ['update', '--json']);
    expect(refused.code).toBe(1);
    expect(refused.json).toMatchObject([{ error: { code: 'unsafe-address' } }]);
    expect(downloads()).toEqual([]);
    const allowed = await withoutLoad(['update', '--json'], { LEI_DOWNLOAD_HOSTS: 'localhost' });
    expect(allowed.stderr).toContain('The downloaded files are kept');
    expect(downloads().filter((name) => nextDay.files.some((file) => file.name === name))).toHaveLength(3);
  });

  test('refuses a file whose size differs from the announced one', async () => {
    offer(publisher, {
      publishDate: tomorrow,
      full,
      lastDay: nextDay,
      entry: (_name, entry) => ({ ...entry, size: entry.size - 1 }),
    });
    const before = active();
    const { code, json } = await lei(dataDir, ['update', '--json']);
    expect(code).toBe(1);
    expect(json).toMatchObject([
      {
        error: { code: 'wrong-size', message: expect.stringContaining('bytes, but the publisher announced') },
      },
    ]);
    expect(active()).toBe(before);
    expect(downloads()).toEqual([]);
  });

  test('refuses a damaged file, keeps the active publication, and downloads the file again the next time', async () => {
    offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
    const damaged = nextDay.files.find(({ name }) => name.includes('-lei2-'));
    const sound = Buffer.from(await Bun.file(join(nextDay.folder, damaged?.name ?? '')).arrayBuffer());
    const body = Buffer.from(sound);
    body[Math.floor(body.length / 2)] = (body[Math.floor(body.length / 2)] ?? 0) ^ 0xff;
    publisher.serve(`/storage/${damaged?.name}`, { body, etag: '"damaged"' });
    const before = active();
    const failed = await lei(dataDir, ['update', '--json']);
    expect(failed.code).toBe(1);
    expect(failed.json).toMatchObject([
      { error: { code: 'bad-file', message: expect.stringContaining(damaged?.name ?? '?') } },
    ]);
    expect(active()).toBe(before);

    publisher.serve(`/storage/${damaged?.name}`, { body: sound, etag: '"sound"' });
    await withoutLoad(['update', '--json']);
    const [held] = downloads().filter((name) => name === damaged?.name);
    expect(readFileSync(join(layout(dataDir).downloads, held ?? ''))).toEqual(sound);
  });

  test('runs once at a time, changes nothing when interrupted during a download, and resumes it the next time', async () => {
    offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
    const lei2 = `/storage/${nextDay.files.find(({ name }) => name.includes('-lei2-'))?.name}`;
    publisher.mishaps(lei2, { silentAfter: 500 });
    const before = active();
    const ran = start(dataDir, ['update', '--json']);
    await until(ran.stderr, 'downloading');
    // One at a time per data folder.
    const second = await lei(dataDir, ['update', '--json']);
    expect(second.code).toBe(1);
    expect(second.json).toMatchObject([{ error: { code: 'update-running' } }]);
    ran.kill('SIGTERM');
    expect(await ran.exited).toBe(1);
    expect(JSON.parse(await new Response(ran.stdout).text())).toMatchObject({
      error: { code: 'interrupted' },
    });
    expect(active()).toBe(before);

    const next = await lei(dataDir, ['update', '--json']);
    expect(next.json).toMatchObject([{ updated: true, mode: 'delta' }]);
    const asked = publisher.heard.filter(({ path }) => path === lei2);
    expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=500-']);
  });

  test('reports a retry above its bar on a terminal, and keeps the lines before it', async () => {
    offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
    const lei2 = `/storage/${nextDay.files.find(({ name }) => name.includes('-lei2-'))?.name}`;
    publisher.mishaps(lei2, { status: 503, headers: { 'retry-after': '0' } });
    const environment = { ...updateEnvironment(publisher), LEI_DATA_DIR: dataDir };
    const { code, screen } = await runOnTerminal(environment, ['update']);
    expect(code).toBe(0);
    expect(screen).toHaveLength(3);
    expect(screen[1]).toMatch(/^\S*http:.*-lei2-last-day.*trying again in/);
    expect(screen[2]).toMatch(/^Publication \S+ is active: /);
  });

  test('keeps its downloads when another load runs, and does not fetch them again', async () => {
    offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
    const { stderr } = await withoutLoad(['update', '--json']);
    expect(stderr).toContain(`The downloaded files are kept in ${layout(dataDir).downloads}.`);
    const { json } = await lei(dataDir, ['update', '--json']);
    expect(json).toMatchObject([{ updated: true, mode: 'delta' }]);
    expect(json[0].files.map(({ fetched }: { fetched: boolean }) => fetched)).toEqual([false, false, false]);
  });

  test('ends at once when interrupted while it waits for a retry', async () => {
    publisher.mishaps('/publishes/latest', { status: 503, headers: { 'retry-after': '3600' } });
    const ran = start(dataDir, ['update', '--json']);
    await until(ran.stderr, 'trying again in 60.0 s');
    ran.kill('SIGINT');
    expect(await ran.exited).toBe(1);
    expect(JSON.parse(await new Response(ran.stdout).text())).toMatchObject({
      error: { code: 'interrupted' },
    });
  });

  test('repeats with --every until a signal, and then exits with success', async () => {
    offer(publisher, { publishDate: today, full });
    const ran = start(dataDir, ['update', '--every', '1s', '--json']);
    const told: unknown[] = [];
    let rest = '';
    for await (const piece of ran.stdout) {
      rest += new TextDecoder().decode(piece);
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      told.push(...lines.map((line) => JSON.parse(line)));
      if (told.length === 1) publisher.serve('/publishes/latest', { body: '<html>Maintenance</html>' });
      else if (told.length === 2) offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
      else if (told.length === 3) ran.kill('SIGTERM');
    }
    expect(told).toMatchObject([
      { updated: false, mode: 'nothing' },
      { error: { code: 'unexpected-answer' } },
      { updated: true, mode: 'delta' },
    ]);
    expect(await ran.exited).toBe(0);
  });

  test('reports progress to a running service, and ends when the service has swapped', async () => {
    offer(publisher, { publishDate: tomorrow, full, lastDay: nextDay });
    publisher.mishaps(`/storage/${nextDay.files[0]?.name}`, { silentAfter: 500 });
    const service = await startTestService({ dataDir });
    try {
      const status = async (): Promise<StatusAnswer> =>
        JSON.parse(await (await service.fetch('/api/v1/status')).text());
      const ran = start(dataDir, ['update', '--json']);
      await until(ran.stderr, 'downloading');
      while ((await status()).data.loading === null) await Bun.sleep(10);
      expect((await status()).data).toMatchObject({
        status: 'loading',
        publication: { sourcePublishedAt: '2026-10-04T16:00:00Z' },
        loading: { phase: 'downloading', progress: expect.any(Number), startedAt: expect.any(String) },
      });

      publisher.dropLines();
      const json = JSON.parse(await new Response(ran.stdout).text());
      expect(json).toMatchObject({ updated: true, mode: 'delta' });
      expect(await ran.exited).toBe(0);
      expect(await status()).toMatchObject({
        data: { loading: null, lastFailure: null, publication: { id: json.publication.id } },
        meta: { sourcePublishedAt: '2026-10-05T16:00:00Z' },
      });
    } finally {
      await service.stop();
    }
  });

  test('reports to a running service that the publishers could not be reached', async () => {
    publisher.serve('/publishes/latest', { body: '<html>Maintenance</html>' });
    const service = await startTestService({ dataDir });
    try {
      const { code, json } = await lei(dataDir, ['update', '--json']);
      expect({ code, json }).toMatchObject({ code: 1, json: [{ error: { code: 'unexpected-answer' } }] });
      expect(JSON.parse(await (await service.fetch('/api/v1/status')).text())).toMatchObject({
        data: {
          status: 'ok',
          loading: null,
          lastFailure: { phase: 'looking', message: expect.stringContaining('latest') },
        },
      });
    } finally {
      await service.stop();
    }
  });

  test.each([
    [['--every', 'soon'], 'bad-option', '--every is soon but must be an interval'],
    [['--every', '30d'], 'bad-option', '--every is 30d but must be an interval'],
    [['--format', 'tsv'], 'wrong-usage', 'It must be one of xml, csv, json.'],
  ])('refuses %j as a usage error', async (args, errorCode, message) => {
    const { code, json } = await lei(dataDir, ['update', ...args, '--json']);
    expect(code).toBe(2);
    expect(json).toMatchObject([{ error: { code: errorCode, message: expect.stringContaining(message) } }]);
  });
});

interface StatusAnswer {
  readonly data: { readonly loading: object | null };
}

/** Resolves once a process writes to standard error. It reports the download once the first bytes are on disk. */
async function until(stderr: ReadableStream<Uint8Array>, words: string): Promise<void> {
  const reader = stderr.getReader();
  let told = '';
  while (!told.includes(words)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The update ended: ${told}`);
    told += new TextDecoder().decode(value);
  }
  reader.releaseLock();
}
