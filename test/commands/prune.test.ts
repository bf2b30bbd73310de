/** Tests `lei prune` while others move the pointer or seal publications. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLoadLock } from '../../src/loader/command/load-lock.ts';
import type { ControlRequest, ControlResponse } from '../../src/protocol/control.ts';
import { type ControlServer, serveControl } from '../../src/protocol/control-server.ts';
import { type Layout, layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { sealPublication } from '../serve/swap/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';

const first = '20261001T160000Z-00000001';
const second = '20261002T160000Z-00000002';
const third = '20261003T160000Z-00000003';

let dataDir = '';
let paths: Layout;
let server: ControlServer | null = null;
beforeEach(() => {
  dataDir = temporaryFolder('prune');
  paths = layout(dataDir);
  for (const id of [first, second, third]) sealPublication(paths, id);
  activateOnDisk(third);
});
afterEach(() => {
  server?.stop();
  server = null;
});

function activateOnDisk(id: string): void {
  movePointer(paths, id, new Date(), readPointer(paths));
}

/** A service that answers every release with this. @returns the requests it has received */
function answerRelease(answer: () => ControlResponse): readonly ControlRequest[] {
  const requests: ControlRequest[] = [];
  server = serveControl(paths.controlSocket, async (request) => {
    requests.push(request);
    return answer();
  });
  return requests;
}

const prune = (keep = '1') => leiJson(dataDir, 'prune', '--keep', keep);

describe('lei prune beside a running service', () => {
  test('neither releases nor deletes a publication that has become active meanwhile', async () => {
    const requests = answerRelease(() => ({ ok: true, value: { released: [first] } }));
    expect(await prune()).toMatchObject({ code: 0, json: { deleted: [first] } });
    expect(requests).toEqual([{ op: 'release', ids: [second, first] }]);
    expect(sealedIds(paths)).toEqual([third, second]);
  });

  test('does not delete a publication that it did not ask to release', async () => {
    answerRelease(() => ({ ok: true, value: { released: [first, third] } }));
    expect(await prune()).toMatchObject({ code: 0, json: { deleted: [first] } });
  });

  test('deletes nothing when the service refuses to release, and shows the reason', async () => {
    answerRelease(() => ({ ok: false, code: 'busy', message: 'Not now.' }));
    expect(await prune()).toMatchObject({ code: 1, json: { error: { code: 'busy', message: 'Not now.' } } });
    expect(sealedIds(paths)).toEqual([third, second, first]);
  });

  test('does not contact the service when nothing is outdated', async () => {
    const requests = answerRelease(() => ({ ok: false, code: 'busy', message: 'Not now.' }));
    expect(await prune('3')).toMatchObject({ code: 0, json: { deleted: [], freedBytes: 0 } });
    expect(requests).toEqual([]);
  });

  test('deletes nothing when the answer does not say what was released', async () => {
    answerRelease(() => ({ ok: true, value: { closed: 2 } }));
    expect(await prune()).toMatchObject({ code: 1, json: { error: { code: 'unreadable' } } });
    expect(sealedIds(paths)).toEqual([third, second, first]);
  });
});

test('a publication that the pointer has come to name meanwhile is not deleted', async () => {
  answerRelease(() => {
    activateOnDisk(second);
    return { ok: true, value: { released: [second, first] } };
  });
  expect(await prune()).toMatchObject({ code: 0, json: { deleted: [first] } });
  expect(sealedIds(paths)).toEqual([third, second]);
});

test('a publication that has become the previous one meanwhile is kept too', async () => {
  answerRelease(() => {
    activateOnDisk(first);
    activateOnDisk(second);
    return { ok: true, value: { released: [first] } };
  });
  expect(await prune('2')).toMatchObject({ code: 0, json: { deleted: [] } });
  expect(sealedIds(paths)).toEqual([third, second, first]);
});

test('nothing is deleted while a load runs, which may be about to activate a publication', async () => {
  await withLoadLock(paths, async () => {
    const message = expect.stringMatching(/^Nothing was deleted\. Another load is running .*wait for it/);
    expect(await prune()).toMatchObject({ code: 1, json: { error: { code: 'load-running', message } } });
  });
  expect(sealedIds(paths)).toEqual([third, second, first]);
  expect(await prune()).toMatchObject({ code: 0, json: { deleted: [second, first] } });
});

test('nothing is deleted while the active publication is damaged or missing and another is served instead', async () => {
  const refused = (message: string) => ({
    code: 1,
    json: { error: { code: 'active-not-sound', message: expect.stringContaining(message) } },
  });
  writeFileSync(paths.environment(third), 'cut');
  expect(await prune('3')).toMatchObject({ code: 0, json: { deleted: [] } });
  expect(await prune()).toMatchObject(refused(`Publication ${third} is damaged`));
  rmSync(paths.publication(third), { recursive: true });
  expect(await prune()).toMatchObject(refused(`There is no sealed publication ${third}`));
  expect(sealedIds(paths)).toEqual([second, first]);
  activateOnDisk(second);
  expect(await prune()).toMatchObject({ code: 0, json: { deleted: [first] } });
});

test('no publication is outdated while none is active', async () => {
  rmSync(paths.pointer);
  expect(await prune()).toMatchObject({ code: 1, json: { error: { code: 'no-active' } } });
  expect(sealedIds(paths)).toEqual([third, second, first]);
  for (const id of [first, second, third]) rmSync(paths.publication(id), { recursive: true });
  expect(await prune()).toMatchObject({ code: 0, json: { deleted: [] } });
});

describe('the unfinished build of a killed load', () => {
  const killed = '20261004T160000Z-00000004';
  beforeEach(() => {
    mkdirSync(join(paths.staged(killed), 'deeper'), { recursive: true });
    writeFileSync(join(paths.staged(killed), 'data.mdb'), Buffer.alloc(2_000_000));
    writeFileSync(join(paths.staged(killed), 'deeper', 'file'), Buffer.alloc(500_000));
  });

  test('is deleted, and listed with its name and size', async () => {
    const { stdout } = await runLei(dataDir, 'prune', '--keep', '3');
    expect(stdout).toBe(`Deleted the unfinished ${killed} (2.5 MB).\n`);
    expect(existsSync(paths.staged(killed))).toBe(false);
    expect(await prune('3')).toMatchObject({ json: { deleted: [], unfinished: [], freedBytes: 0 } });
  });

  test('is deleted along with outdated publications', async () => {
    expect(await prune('2')).toMatchObject({
      code: 0,
      json: { deleted: [first], unfinished: [killed], freedBytes: expect.any(Number) },
    });
  });

  test('stays while a load runs', async () => {
    await withLoadLock(paths, async () => {
      expect(await prune('3')).toMatchObject({ code: 1, json: { error: { code: 'load-running' } } });
    });
    expect(existsSync(join(paths.staged(killed), 'data.mdb'))).toBe(true);
  });
});
