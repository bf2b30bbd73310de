/** Tests the announcement of a fleet: every change is a new generation, and none is lost. */
import { expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { movePointer, readablePointer, rollbackTargets } from '../../src/publication/pointer.ts';
import {
  announcementName,
  changeAnnouncement,
  move,
  pin,
  propose,
  readAnnouncement,
  targetsIn,
  unpin,
  withdraw,
} from '../../src/shipping/announcement.ts';
import { fileStore } from '../../src/shipping/file-store.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';

const newStore = () => {
  const folder = temporaryFolder('announcements');
  return { folder, store: fileStore(folder) };
};
const day = (n: number) => ({ id: `2024050${n}T000000Z-0000000${n}`, shipment: String(n).repeat(64) });
const noon = new Date('2024-05-04T12:00:00Z');
const at = { now: noon, leadMs: 4_000, deadline: null };

test('nothing is announced at first; a move makes a publication active and remembers the one before', async () => {
  const { store } = newStore();
  expect(await readAnnouncement(store)).toBeNull();
  await changeAnnouncement(store, move(day(1), at));
  const second = await changeAnnouncement(store, move(day(2), at));
  expect(second).toMatchObject({
    generation: 2,
    active: { ...day(2), activatedAt: '2024-05-04T12:00:04Z' },
    next: null,
    previous: [{ ...day(1), activatedAt: '2024-05-04T12:00:00Z' }],
  });
  expect(await readAnnouncement(store)).toEqual(second);
  expect(targetsIn(second).map(({ id }) => id)).toEqual([day(1).id]);
});

test('rollbacks of a fleet and of a data folder go back to the same publications', async () => {
  const { folder, store } = newStore();
  const paths = layout(folder);
  const announced: (string | undefined)[] = [];
  const activated: (string | undefined)[] = [];
  const go = async (n: number) => {
    await changeAnnouncement(store, move(day(n), at));
    movePointer(paths, day(n).id, noon, readablePointer(paths));
  };
  const back = async () => {
    const present = await readAnnouncement(store);
    const pointer = readablePointer(paths);
    if (present === null || pointer === null) throw new Error('Nothing is announced.');
    const [target] = targetsIn(present);
    announced.push(target?.id);
    if (target !== undefined) await changeAnnouncement(store, move(target, at, 'back'));
    const [local] = rollbackTargets(pointer.id, pointer.previous);
    activated.push(local?.id);
    if (local !== undefined) movePointer(paths, local.id, noon, pointer, 'back');
  };
  for (const n of [1, 2, 3]) await go(n);
  for (let n = 0; n < 3; n++) await back();
  // After an older one a rollback goes to the newer one again, and each further one goes back one step.
  for (const n of [3, 4, 2]) await go(n);
  for (let n = 0; n < 4; n++) await back();
  const expected = [2, 1, null, 4, 3, 1, null].map((n) => (n === null ? undefined : day(n).id));
  expect(announced).toEqual(expected);
  expect(activated).toEqual(expected);
});

test('a full list of earlier activations keeps those that two alternating publications push back', async () => {
  const { store } = newStore();
  await changeAnnouncement(store, move(day(9), at));
  for (let n = 0; n < 30; n++) await changeAnnouncement(store, move(day(1 + (n % 2)), at));
  const present = await readAnnouncement(store);
  expect(present?.previous.at(-1)?.id).toBe(day(9).id);
  expect(present?.previous.length).toBeLessThan(20);
});

test('a proposal has a deadline, and ends when it is moved to or withdrawn', async () => {
  const { store } = newStore();
  await changeAnnouncement(store, move(day(1), at));
  const proposed = await changeAnnouncement(store, propose(day(2), noon, 600_000));
  expect(proposed).toMatchObject({
    active: day(1),
    next: { ...day(2), proposedAt: '2024-05-04T12:00:00Z', deadline: '2024-05-04T12:10:00Z' },
  });
  expect((await changeAnnouncement(store, withdraw(day(3).id))).next).toMatchObject(day(2));
  expect((await changeAnnouncement(store, withdraw(day(2).id))).next).toBeNull();
  await changeAnnouncement(store, propose(day(2), noon, 600_000));
  expect(await changeAnnouncement(store, move(day(2), at))).toMatchObject({ active: day(2), next: null });
});

test('a pin refuses every other publication until it is removed', async () => {
  const { store } = newStore();
  await changeAnnouncement(store, move(day(1), at));
  expect(await changeAnnouncement(store, pin(day(2), at))).toMatchObject({ active: day(2), pinned: true });
  expect(await changeAnnouncement(store, move(day(3), at)).catch(String)).toContain(
    `The fleet is pinned to ${day(2).id}; lei announce --unpin lets it move again.`,
  );
  await changeAnnouncement(store, unpin);
  expect(await changeAnnouncement(store, move(day(3), at))).toMatchObject({
    active: day(3),
    pinned: false,
  });
});

test('no change is lost when many are made at the same time', async () => {
  const { store } = newStore();
  const moves = Array.from({ length: 20 }, (_, index) =>
    changeAnnouncement(store, move(day((index % 9) + 1), at)),
  );
  const generations = (await Promise.all(moves)).map(({ generation }) => generation);
  expect(generations.toSorted((a, b) => a - b)).toEqual(moves.map((_, index) => index + 1));
  expect((await readAnnouncement(store))?.previous.length).toBe(19);
});

test('an announcement of a newer version is refused, whatever its shape, and the message asks for an update', async () => {
  const { folder, store } = newStore();
  writeFileSync(join(folder, announcementName), '{"version":2}');
  expect(await readAnnouncement(store).catch(String)).toContain(
    `file://${folder}: fleet.json has version 2, made by a newer version of this program; update this one.`,
  );
});

test('a damaged announcement is refused, and the message says where it is', async () => {
  const { folder, store } = newStore();
  writeFileSync(join(folder, announcementName), '{"generation":1}');
  expect(await readAnnouncement(store).catch(String)).toContain(
    `file://${folder}: fleet.json is not an announcement that this version can read; remove it there, then lei announce writes it again.`,
  );
});

test('an announcement in which any id is not the id of a publication is refused whole', async () => {
  const { folder, store } = newStore();
  await changeAnnouncement(store, move(day(1), at));
  await changeAnnouncement(store, move(day(2), at));
  await changeAnnouncement(store, propose(day(3), noon, 600_000));
  const text = readFileSync(join(folder, announcementName), 'utf8');
  for (const n of [1, 2, 3]) {
    for (const id of ['../../x', '..', '', `${day(n).id}/`, `${day(n).id}\\n`]) {
      writeFileSync(join(folder, announcementName), text.replaceAll(day(n).id, id));
      expect(await readAnnouncement(store).catch(String)).toContain('is not an announcement');
    }
  }
});

test('an activation more than an hour ahead, or on no day of the calendar, is refused', async () => {
  const { folder, store } = newStore();
  const ahead = (ms: number) => ({ now: new Date(Date.now() + ms), leadMs: 0, deadline: null });
  await changeAnnouncement(store, move(day(1), ahead(3_500_000)));
  expect((await readAnnouncement(store))?.active?.id).toBe(day(1).id);
  await changeAnnouncement(store, move(day(2), ahead(25 * 86_400_000)));
  expect(await readAnnouncement(store).catch(String)).toContain(
    "more than an hour ahead of this machine's clock",
  );
  const text = readFileSync(join(folder, announcementName), 'utf8');
  for (const moment of ['2026-13-45T25:61:61Z', '9999-99-99T99:99:99Z']) {
    writeFileSync(
      join(folder, announcementName),
      text.replace(/"activatedAt":"[^"]*"/, `"activatedAt":"${moment}"`),
    );
    expect(await readAnnouncement(store).catch(String)).toContain('is not an announcement');
  }
});

test('nothing is made where --unpin finds no announcement', async () => {
  const folder = join(temporaryFolder('mistyped'), 'store');
  const ran = await leiJson(temporaryFolder('announce'), 'announce', '--unpin', '--to', `file://${folder}`);
  expect(ran).toMatchObject({ code: 1, json: { error: { code: 'nothing-announced' } } });
  expect(existsSync(folder)).toBe(false);
});

test('lei announce refuses an unpublished publication, several options at once, and a move without knowing the nodes', async () => {
  const { folder } = newStore();
  const dataDir = temporaryFolder('announce');
  const to = ['--to', `file://${folder}`];
  const refusals = [
    [[day(1).id, '--force'], 1, 'no-publication'],
    [[day(1).id], 2, 'bad-option'],
    [[day(1).id, '--rollback'], 2, 'bad-option'],
    [['--rollback'], 1, 'no-previous'],
    [[], 2, 'bad-option'],
  ] as const;
  for (const [args, code, error] of refusals) {
    const ran = await leiJson(dataDir, 'announce', ...args, ...to);
    expect({ args, code: ran.code, json: ran.json }).toMatchObject({
      args,
      code,
      json: { error: { code: error } },
    });
  }
  const unpinAt = (url: string) => leiJson(dataDir, 'announce', '--unpin', '--to', url);
  expect(await unpinAt('https://example.org/leis/')).toMatchObject({
    code: 2,
    json: { error: { code: 'read-only-source' } },
  });
  expect(await unpinAt('file://leis')).toMatchObject({ code: 2, json: { error: { code: 'bad-address' } } });
});
