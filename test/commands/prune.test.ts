/** `lei prune` beside others that move the pointer or seal publications meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { withLoadLock } from '../../src/loader/command/load-lock.ts';
import type { ControlRequest, ControlResponse } from '../../src/protocol/control.ts';
import { type ControlServer, serveControl } from '../../src/protocol/control-server.ts';
import { type Layout, layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { sealPublication } from '../front/publication/sealed-folder.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/run-lei.ts';

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

/** A service that answers a release so. @returns the requests it has had */
function answerRelease(answer: () => ControlResponse): readonly ControlRequest[] {
  const requests: ControlRequest[] = [];
  server = serveControl(paths.controlSocket, async (request) => {
    requests.push(request);
    return answer();
  });
  return requests;
}

const prune = (keep = '1') => leiJson(dataDir, 'prune', '--keep', keep);

describe('beside a running service', () => {
  test('what the service did not release, since it has become active meanwhile, is not deleted', async () => {
    const requests = answerRelease(() => ({ ok: true, value: { released: [first] } }));
    expect(await prune()).toMatchObject({ code: 0, json: { deleted: [first] } });
    expect(requests).toEqual([{ op: 'release', ids: [second, first] }]);
    expect(sealedIds(paths)).toEqual([third, second]);
  });

  test('a service that names what nobody asked it to release does not have that deleted', async () => {
    answerRelease(() => ({ ok: true, value: { released: [first, third] } }));
    expect(await prune()).toMatchObject({ code: 0, json: { deleted: [first] } });
  });

  test('a service that refuses to release has nothing deleted, and its reason is told', async () => {
    answerRelease(() => ({ ok: false, code: 'busy', message: 'Not now.' }));
    expect(await prune()).toMatchObject({ code: 1, json: { error: { code: 'busy', message: 'Not now.' } } });
    expect(sealedIds(paths)).toEqual([third, second, first]);
  });

  test('where nothing is outdated it is asked for nothing', async () => {
    const requests = answerRelease(() => ({ ok: false, code: 'busy', message: 'Not now.' }));
    expect(await prune('3')).toMatchObject({ code: 0, json: { deleted: [], freedBytes: 0 } });
    expect(requests).toEqual([]);
  });

  test('an answer that does not say what was released deletes nothing', async () => {
    answerRelease(() => ({ ok: true, value: { closed: 2 } }));
    expect(await prune()).toMatchObject({ code: 1, json: { error: { code: 'unreadable' } } });
    expect(sealedIds(paths)).toEqual([third, second, first]);
  });
});

test('what the pointer has come to name before the files go is not deleted', async () => {
  answerRelease(() => {
    activateOnDisk(second);
    return { ok: true, value: { released: [second, first] } };
  });
  expect(await prune()).toMatchObject({ code: 0, json: { deleted: [first] } });
  expect(sealedIds(paths)).toEqual([third, second]);
});

test('what has become the one before the active one meanwhile is kept, too', async () => {
  answerRelease(() => {
    activateOnDisk(first);
    activateOnDisk(second);
    return { ok: true, value: { released: [first] } };
  });
  expect(await prune('2')).toMatchObject({ code: 0, json: { deleted: [] } });
  expect(sealedIds(paths)).toEqual([third, second, first]);
});

test('while a load runs nothing is deleted, since it may be about to activate what it has sealed', async () => {
  await withLoadLock(paths, async () => {
    const message = expect.stringMatching(/^Nothing was deleted\. Another load is running .*wait for it/);
    expect(await prune()).toMatchObject({ code: 1, json: { error: { code: 'load-running', message } } });
  });
  expect(sealedIds(paths)).toEqual([third, second, first]);
  expect(await prune()).toMatchObject({ code: 0, json: { deleted: [second, first] } });
});

test('while the active one is damaged or gone nothing is deleted, since another is served in its place', async () => {
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

test('where no publication is active there is no telling which are outdated, unless there are none', async () => {
  rmSync(paths.pointer);
  expect(await prune()).toMatchObject({ code: 1, json: { error: { code: 'no-active' } } });
  expect(sealedIds(paths)).toEqual([third, second, first]);
  for (const id of [first, second, third]) rmSync(paths.publication(id), { recursive: true });
  expect(await prune()).toMatchObject({ code: 0, json: { deleted: [] } });
});
