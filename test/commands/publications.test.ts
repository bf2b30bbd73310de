/** Tests the commands that manage publications as an operator runs them, with and without a running service. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { company, lei, publish } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';
import { loadHere } from '../support/load-here.ts';
import { startTestService, type TestService } from '../support/service.ts';

const days = ['2024-05-04T00:00:00Z', '2024-05-05T00:00:00Z', '2024-05-06T00:00:00Z'] as const;
const cities = ['LONDON', 'LEEDS', 'YORK'] as const;

/** The files of a day when the company was in another city. */
function filesOf(folder: string, index: 0 | 1 | 2): string[] {
  return publish(folder, { at: days[index], companies: [company(1, { city: cities[index] }), company(2)] });
}

function publicationId(json: unknown): string {
  if (typeof json === 'object' && json !== null && 'publication' in json) {
    const { publication } = json;
    if (typeof publication === 'object' && publication !== null && 'id' in publication)
      return String(publication.id);
  }
  throw new Error(`No publication in ${JSON.stringify(json)}`);
}

/** Data folders after the load of each day, the last of which is not active. Tests copy them instead of loading again. */
const prepared = days.map(() => temporaryFolder('loading'));
/** The publications of the days. */
const ids: string[] = [];

beforeAll(async () => {
  for (const index of [0, 1, 2] as const) {
    const [before = '', folder = ''] = [prepared[index - 1], prepared[index]];
    if (before !== '') cpSync(before, folder, { recursive: true });
    const files = filesOf(folder, index);
    if (index < 2) ids.push((await loadHere(folder, files)).manifest.id);
    else ids.push(publicationId((await leiJson(folder, 'load', ...files, '--no-activate')).json));
  }
});

/** A data folder of its own as it was after the load of a day. */
function copyAfter(day: 0 | 1 | 2): string {
  const dataDir = temporaryFolder('loading');
  cpSync(prepared[day] ?? '', dataDir, { recursive: true });
  return dataDir;
}

describe('without a running service', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = copyAfter(2);
  });

  test('load prints what it built, and --no-activate leaves the active publication in place', async () => {
    expect(readPointer(layout(dataDir))?.id).toBe(ids[1]);
    const { json, code, stderr } = await leiJson(dataDir, 'load', ...filesOf(dataDir, 2), '--no-activate');
    expect({ code, json }).toMatchObject({
      code: 0,
      json: {
        publication: {
          active: false,
          sourcePublishedAt: days[2],
          basedOn: ids[1],
          counts: { entities: 2, changes: 2 },
        },
        rows: { 'level-1': 2 },
        rejected: { 'level-1': 0 },
      },
    });
    expect(publicationId(json)).toMatch(/^20240506T000000Z-[0-9a-f]{8}$/);
    expect(stderr).toMatch(/\d+ % reading level-1, [\d.]+ of [\d.]+ MB, 2 rows, [\d,]+ rows\/s/);
  });

  test('publications lists them by source time, newest first, as a table and as JSON', async () => {
    const { json } = await leiJson(dataDir, 'publications');
    expect(json).toMatchObject([
      { active: false, activatedAt: null, state: 'sound' },
      {
        id: ids[1],
        datasetVersion: ids[1],
        active: true,
        state: 'sound',
        counts: { entities: 2 },
        bytes: expect.any(Number),
      },
      { id: ids[0], active: false, sourcePublishedAt: days[0], activatedAt: expect.stringMatching(/Z$/) },
    ]);
    const { stdout } = await runLei(dataDir, 'publications');
    expect(stdout).toMatch(new RegExp(`^\\*  ${ids[1]}  2 `, 'm'));
    expect(stdout).toContain('ID (DATASET VERSION)');
    expect(stdout).toMatch(/^ {3}20240506T\S+ .* sound, never active$/m);
    expect(stdout).toEndWith(
      '\n"never active": the publication was built but not activated. lei activate ID activates it; lei prune --keep 2 deletes it.\n',
    );
  });

  test('rollback returns to the previously active publication, and a second one does not undo the first', async () => {
    expect(await leiJson(dataDir, 'rollback')).toMatchObject({
      code: 0,
      json: { publication: { id: ids[0] }, from: ids[1] },
    });
    expect(await leiJson(dataDir, 'rollback')).toMatchObject({
      code: 1,
      json: {
        error: {
          code: 'no-previous',
          message:
            'There is no publication to roll back to: a rollback goes back to a publication that was active before and that no rollback has left. lei activate ID activates any other that lei publications lists.',
        },
      },
    });
    expect(await leiJson(dataDir, 'activate', ids[1] ?? '')).toMatchObject({
      code: 0,
      json: { publication: { id: ids[1] } },
    });
  });

  test('rollback goes back however often two publications have alternated', async () => {
    const [first = '', second = ''] = ids;
    const paths = layout(dataDir);
    for (let turn = 0; turn < 20; turn++) {
      movePointer(paths, first, new Date(), readPointer(paths));
      movePointer(paths, second, new Date(), readPointer(paths));
    }
    expect(await leiJson(dataDir, 'rollback')).toMatchObject({
      code: 0,
      json: { publication: { id: first }, from: second },
    });
    expect(await leiJson(dataDir, 'rollback')).toMatchObject({ code: 1 });
  });

  test('verify confirms that the active publication is sound', async () => {
    const { json, code } = await leiJson(dataDir, 'verify');
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { id: ids[1], sound: true, checked: { companies: 2, changes: 1 } },
    });
  });

  test('prune never deletes the active publication, and reports how much space it freed', async () => {
    const paths = layout(dataDir);
    const others = sealedIds(paths).filter((id) => id !== ids[1]);
    const files = others.flatMap((id) => [paths.environment(id), paths.companies(id), paths.search(id)]);
    const freedBytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(await leiJson(dataDir, 'prune', '--keep', '1')).toMatchObject({ json: { freedBytes } });
    expect(await leiJson(dataDir, 'publications')).toMatchObject({ json: [{ id: ids[1], active: true }] });
    expect(await leiJson(dataDir, 'rollback')).toMatchObject({
      code: 1,
      json: { error: { code: 'no-previous', message: expect.stringContaining('are deleted or damaged.') } },
    });
    expect(await leiJson(dataDir, 'prune', '--keep', '0')).toMatchObject({
      code: 2,
      json: { error: { code: 'wrong-usage', message: expect.stringContaining('from 1 to 1000') } },
    });
    expect(existsSync(paths.publication(ids[0] ?? ''))).toBe(false);
  });

  test('publications lists the one built last first among those of one source time', async () => {
    const again = publicationId(
      (await leiJson(dataDir, 'load', ...filesOf(dataDir, 1), '--no-activate')).json,
    );
    const list = await leiJson(dataDir, 'publications');
    expect(list.json).toMatchObject([{ id: ids[2] }, { id: again }, { id: ids[1] }, { id: ids[0] }]);
  });

  test('commands that need active.json report that it is damaged', async () => {
    const { pointer } = layout(dataDir);
    writeFileSync(pointer, '{');
    for (const name of ['status', 'verify', 'rollback']) {
      const { code, json, stderr } = await leiJson(dataDir, name);
      const message = expect.stringContaining(`${pointer} is damaged`);
      expect({ code, json }).toMatchObject({
        code: 1,
        json: { error: { code: 'active-unreadable', message } },
      });
      expect(stderr).toBe('');
    }
  });

  test('verify, publish and activate name the publications that there are if the given one is missing', async () => {
    const missing = '20200101T000000Z-00000000';
    const there = `There is no sealed publication ${missing}: ${layout(dataDir).manifest(missing)} is missing. ${dataDir} has ${ids.toReversed().join(', ')}.`;
    const store = `file://${temporaryFolder('store')}`;
    for (const [args, code] of [
      [['verify', missing], 'no-publication'],
      [['publish', missing, '--to', store], 'no-publication'],
      [['activate', missing], 'publication-missing'],
    ] as const) {
      const { json } = await leiJson(dataDir, ...args);
      expect({ args, json }).toEqual({ args, json: { error: { code, message: there } } });
    }
    const nowhere = temporaryFolder('loading');
    expect((await leiJson(nowhere, 'verify', missing)).json).toMatchObject({
      error: {
        message: expect.stringMatching(
          / is missing\. \S+ has no publication; lei load or lei update builds one\.$/,
        ),
      },
    });
  });

  test('a missing publication and a wrong option get a clear message', async () => {
    const cases: [string[], number, string][] = [
      [['activate', '20200101T000000Z-00000000'], 1, 'publication-missing'],
      [['load', join(dataDir, 'no-such-file.zip')], 1, 'bad-file'],
      [['load', 'x.csv', '--skip-gate', 'no-such-gate'], 2, 'unknown-gate'],
      [['load', 'x.csv', '--published-at', 'yesterday'], 2, 'bad-option'],
      [['load', 'x.csv', '--published-at', '2026-02-30'], 2, 'bad-option'],
      [['load', 'x.csv', '--min-entities', '2'], 2, 'bad-option'],
    ];
    for (const [args, code, error] of cases) {
      expect(await leiJson(dataDir, ...args)).toMatchObject({ code, json: { error: { code: error } } });
    }
    expect((await runLei(dataDir, 'load')).code).toBe(2);
  });
});

test('rollback says when there is no other publication, and the list then gives no advice', async () => {
  const dataDir = copyAfter(0);
  expect((await leiJson(dataDir, 'rollback')).json).toEqual({
    error: {
      code: 'no-previous',
      message:
        'There is no publication to roll back to: a rollback goes back to a publication that was active before and that no rollback has left.',
    },
  });
  expect((await runLei(dataDir, 'publications')).stdout).not.toContain('ever active');
});

test('an unreadable publication is listed as damaged, and does not break other commands', async () => {
  const dataDir = copyAfter(0);
  const paths = layout(dataDir);
  const [loaded] = ids;
  const closed = '20240601T000000Z-00000001';
  // A link to itself is unreadable even for a user who may read everything.
  symlinkSync(paths.publication(closed), paths.publication(closed));
  expect((await leiJson(dataDir, 'publications')).json).toMatchObject([
    { id: closed, state: 'damaged', problem: expect.stringContaining("can't be read: ELOOP") },
    { id: loaded, state: 'sound', active: true },
  ]);
  expect(await leiJson(dataDir, 'prune', '--keep', '2')).toMatchObject({ code: 0, json: { deleted: [] } });
});

test('a publication is listed as damaged if the header of its search file is, and as of another format without the file', async () => {
  const dataDir = copyAfter(0);
  const paths = layout(dataDir);
  const [id = ''] = ids;
  const bytes = readFileSync(paths.search(id));
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
  writeFileSync(paths.search(id), flipped);
  expect((await leiJson(dataDir, 'publications')).json).toMatchObject([
    { id, state: 'damaged', problem: expect.stringContaining('its header is not the written one') },
  ]);
  // Format 4 had the rows in the environment.
  rmSync(paths.search(id));
  const { search: _, ...manifest } = JSON.parse(readFileSync(paths.manifest(id), 'utf8'));
  writeFileSync(paths.manifest(id), JSON.stringify({ ...manifest, formatVersion: 4 }));
  expect((await leiJson(dataDir, 'publications')).json).toMatchObject([
    { id, state: 'other-format', problem: expect.stringContaining(`${paths.search(id)} is missing`) },
  ]);
});

test('a load whose publication cannot be activated says that it is sealed, and what to do next', async () => {
  const dataDir = temporaryFolder('loading');
  const paths = layout(dataDir);
  // A folder that no file can replace.
  mkdirSync(paths.pointer);
  const { code, json } = await leiJson(dataDir, 'load', ...filesOf(dataDir, 0));
  const [id] = sealedIds(paths);
  expect({ code, json }).toMatchObject({
    code: 1,
    json: {
      error: {
        code: 'refused-by-system',
        message: expect.stringMatching(
          new RegExp(
            `^The operating system refused: EISDIR.*The publication itself is complete and sound; lei activate ${id} `,
          ),
        ),
      },
    },
  });
  rmdirSync(paths.pointer);
  expect((await runLei(dataDir, 'activate', String(id))).code).toBe(0);
  expect(readPointer(paths)?.id).toBe(id);
});

test('a load that cannot delete an outdated publication succeeds with a warning', async () => {
  const dataDir = copyAfter(1);
  const [oldest = ''] = ids;
  // A folder is not deleted like a file.
  rmSync(layout(dataDir).manifest(oldest));
  mkdirSync(layout(dataDir).manifest(oldest));
  const { code, json, stderr } = await leiJson(dataDir, 'load', ...filesOf(dataDir, 2));
  expect({ code, json }).toMatchObject({ code: 0, json: { publication: { active: true } } });
  expect(stderr).toContain('Warning: An outdated publication could not be deleted: ');
  expect(stderr).toContain(oldest);
});

describe('beside a running service', () => {
  let dataDir = '';
  let service: TestService;
  /** The publications of the first two days here: the second is loaded beside the service. */
  let [first, second] = ['', ''];
  beforeAll(async () => {
    dataDir = copyAfter(0);
    [first = ''] = ids;
    service = await startTestService({ dataDir });
    second = publicationId((await leiJson(dataDir, 'load', ...filesOf(dataDir, 1))).json);
  });
  afterAll(() => service.stop());

  /** The type is not checked: the expectations check the content. */
  const answer = async (path: string) => JSON.parse(await (await service.fetch(path)).text());
  const served = async () => {
    const { data, meta } = await answer(`/api/v1/lei/${lei(1)}`);
    return { city: data.entity.legalAddress.city, version: meta.datasetVersion };
  };

  test('rollback, activate and load return only when the service answers from their publication', async () => {
    expect(await served()).toEqual({ city: 'LEEDS', version: second });
    expect((await leiJson(dataDir, 'rollback')).code).toBe(0);
    expect(await served()).toEqual({ city: 'LONDON', version: first });
    expect((await leiJson(dataDir, 'activate', second)).json).toMatchObject({ served: true });
    expect(await served()).toEqual({ city: 'LEEDS', version: second });
    const loaded = publicationId((await leiJson(dataDir, 'load', ...filesOf(dataDir, 2))).json);
    expect(await served()).toEqual({ city: 'YORK', version: loaded });
    expect((await leiJson(dataDir, 'activate', second)).code).toBe(0);
  });

  test('a failed load leaves its reason in the status, and answers unchanged', async () => {
    const delta = publish(temporaryFolder('loading'), {
      at: days[2],
      since: days[2],
      companies: [company(1)],
    });
    expect(await leiJson(dataDir, 'load', '--delta', ...delta)).toMatchObject({
      code: 1,
      json: { error: { code: 'delta-window' } },
    });
    const { data } = await answer('/api/v1/status');
    expect(data).toMatchObject({
      status: 'ok',
      loading: null,
      lastFailure: { message: expect.stringContaining('holds the changes since') },
    });
    expect((await served()).city).toBe('LEEDS');
  });

  test('the changes endpoint shows the changes of a load', async () => {
    const { data } = await answer(`/api/v1/lei/${lei(1)}/changes`);
    expect(data.items).toEqual([
      {
        kind: 'change',
        at: days[1],
        datasetVersion: second,
        changes: [
          { field: 'entity.legalAddress.city', from: 'LONDON', to: 'LEEDS' },
          { field: 'entity.headquartersAddress.city', from: 'LONDON', to: 'LEEDS' },
        ],
      },
    ]);
  });
});
