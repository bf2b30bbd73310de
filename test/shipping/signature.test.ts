/** Tests what a signature of an announcement covers, and which files are keys. */
import { expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { layout } from '../../src/publication/layout.ts';
import { take } from '../../src/serve/fleet/taken.ts';
import {
  announcementName,
  changeAnnouncement,
  confirm,
  move,
  pin,
  propose,
  readAnnouncement,
  targetsIn,
  unpin,
  withdraw,
} from '../../src/shipping/announcement.ts';
import { fileStore } from '../../src/shipping/file-store.ts';
import { readPublicKey, readSigningKey } from '../../src/shipping/signature.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const now = new Date();
const at = { now, leadMs: 0, deadline: null };
const day = (n: number) => ({ id: `2024050${n}T000000Z-0000000${n}`, shipment: String(n).repeat(64) });

const newStore = () => {
  const folder = temporaryFolder('signed');
  return { path: join(folder, announcementName), store: fileStore(folder) };
};

test('the signature of every form covers every member', async () => {
  const { path, store } = newStore();
  const read = (key: KeyObject) => readAnnouncement(store, { key });
  const forms = [
    move(day(1), at),
    propose(day(2), now, 600_000),
    withdraw(day(2).id),
    propose(day(2), now, 600_000),
    confirm(day(2), { ...at, deadline: now }),
    pin(day(1), at),
    unpin,
  ];
  for (const form of forms) {
    const announcement = await changeAnnouncement(store, form, privateKey);
    expect(await read(publicKey)).toEqual(announcement);
    expect(await read(other.publicKey).catch(String)).toContain('fleet.json is not signed by the key');
  }
  const text = readFileSync(path, 'utf8');
  const { signature, ...members } = JSON.parse(text);
  const changed = {
    version: 0,
    generation: members.generation + 1,
    active: { ...members.active, shipment: '0'.repeat(64) },
    next: { ...day(3), proposedAt: members.active.activatedAt, deadline: members.active.activatedAt },
    pinned: true,
    previous: [],
    further: 'of a later version',
  };
  for (const [name, value] of Object.entries(changed)) {
    writeFileSync(path, JSON.stringify({ ...members, [name]: value, signature }));
    expect(await read(publicKey).catch(String)).toContain('is not signed');
  }
  for (const wrong of [undefined, '', 'x', signature.slice(4)]) {
    writeFileSync(path, JSON.stringify({ ...members, signature: wrong }));
    expect(await read(publicKey).catch(String)).toContain('is not signed');
  }
  writeFileSync(path, text);
  expect(await read(publicKey)).toEqual(members);
});

test('a key signs nothing that it has not signed before, and its first generation is above all others', async () => {
  const { store } = newStore();
  await changeAnnouncement(store, move(day(1), at));
  await changeAnnouncement(store, move(day(2), at), other.privateKey);
  for (const form of [unpin, confirm(day(3), at)])
    expect(await changeAnnouncement(store, form, privateKey).catch(String)).toMatch(
      /nothing is announced|no longer/,
    );
  const second = await changeAnnouncement(store, move(day(3), at), privateKey);
  expect(second).toMatchObject({ active: day(3), previous: [] });
  expect(second.generation).toBeGreaterThan(now.getTime() / 1000 - 1);
  const third = await changeAnnouncement(store, move(day(1), at), privateKey);
  expect(third).toMatchObject({ generation: second.generation + 1, previous: [day(3)] });
  expect(targetsIn(third).map(({ id }) => id)).toEqual([day(3).id]);
});

test('an older generation is never taken again, also over a restart, but another key begins anew', () => {
  const paths = layout(temporaryFolder('taken'));
  for (const generation of [3, 3, 7]) take(paths, 'key', generation);
  expect(() => take(paths, 'key', 6)).toThrow('this node has taken generation 7 before');
  take(paths, 'other key', 1);
  writeFileSync(paths.taken, '{"generation":');
  expect(() => take(paths, 'key', 9)).toThrow('is damaged, so it is unknown');
});

test('what is no key of the right kind is refused, with the command that makes one', async () => {
  const folder = temporaryFolder('keys');
  const files: Record<string, string | Buffer> = {
    'secret.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }),
    'open.pem': publicKey.export({ type: 'spki', format: 'pem' }),
    'rsa.pem': generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }),
    'text.pem': 'not a key',
    'large.pem': 'x'.repeat(20_000),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  execFileSync('mkfifo', [join(folder, 'pipe.pem')]);
  const at = (name: string) => join(folder, name);
  for (const name of ['open.pem', 'rsa.pem', 'text.pem', 'large.pem', 'pipe.pem', 'none.pem', '.'])
    expect(await readSigningKey(at(name)).catch(String)).toMatch(
      /--sign: .* must be an Ed25519 private key as PEM/,
    );
  for (const name of ['secret.pem', 'rsa.pem', 'text.pem', 'large.pem', 'pipe.pem', 'none.pem', '.'])
    expect(await readPublicKey(at(name)).catch(String)).toMatch(
      /LEI_PUBLICATION_KEY: .* must be an Ed25519 public/,
    );
  const pair = [await readPublicKey(at('open.pem')), createPublicKey(await readSigningKey(at('secret.pem')))];
  for (const key of pair) expect(key.equals(publicKey)).toBe(true);
  const { store } = newStore();
  const refused = ['announce', day(1).id, '--force', '--to', store.address, '--sign', at('text.pem')];
  expect(await leiJson(folder, ...refused)).toMatchObject({
    code: 1,
    json: { error: { code: 'unusable-key' } },
  });
});

test('plain http without a key is warned of', () => {
  const warningsOf = (source: string, key = '') =>
    readConfig({ LEI_PUBLICATION_SOURCE: source, LEI_PUBLICATION_KEY: key }).warnings;
  expect(warningsOf('http://host/leis/')).toEqual([
    expect.stringContaining('LEI_PUBLICATION_SOURCE is plain http, so anybody on the way can choose'),
  ]);
  expect(warningsOf('http://host/leis/', 'key.pem')).toEqual([]);
  for (const source of ['https://host/leis/', 'file:///leis', 's3://leis/'])
    expect(warningsOf(source)).toEqual([]);
  expect(warningsOf('', 'key.pem')).toEqual([expect.stringContaining('has no effect')]);
});
