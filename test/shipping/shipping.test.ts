/** Tests publishing and fetching real publications over a folder and a web server, with every failure in between. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import { fetchedIds } from '../../src/publication/fetched.ts';
import { fetchedFile, layout } from '../../src/publication/layout.ts';
import type { Manifest } from '../../src/publication/manifest.ts';
import { formatVersion } from '../../src/publication/manifest-facts.ts';
import { readManifest } from '../../src/publication/sealed.ts';
import { fetchPublication } from '../../src/shipping/fetch-publication.ts';
import { fileStore } from '../../src/shipping/file-store.ts';
import { httpStore } from '../../src/shipping/http-store.ts';
import type { ObjectStore } from '../../src/shipping/object-store.ts';
import { openStore, openWritableStore } from '../../src/shipping/open-store.ts';
import { publish } from '../../src/shipping/publish.ts';
import { shipmentName } from '../../src/shipping/shipment.ts';
import { sweep } from '../../src/shipping/sweep.ts';
import { company, publish as load } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';
import { isInstalled } from '../support/programs.ts';
import { freePort, type RunningProxy, startNginxWith } from '../support/proxies.ts';

const builder = temporaryFolder('builder');
const paths = layout(builder);
const storeFolder = temporaryFolder('store');
const store = fileStore(storeFolder);

function companies(count: number, changed: number): LegalEntityRecord[] {
  return Array.from({ length: count }, (_, index) =>
    company(index + 1, { city: index === changed ? 'LEEDS' : 'LONDON' }),
  );
}

/** Loads a day with the real loader. @returns the publication's id */
async function loadDay(at: string, changed: number): Promise<string> {
  const files = load(builder, { at, companies: companies(3000, changed) });
  const { json } = await leiJson(builder, 'load', ...files);
  const { publication }: { publication: { id: string } } = JSON.parse(JSON.stringify(json));
  return publication.id;
}

let first = '';
let second = '';
beforeAll(async () => {
  first = await loadDay('2024-05-04T00:00:00Z', -1);
  second = await loadDay('2024-05-05T00:00:00Z', 7);
  await publish(store, paths, manifestOf(first));
  await publish(store, paths, manifestOf(second));
});

function manifestOf(id: string): Manifest {
  const reading = readManifest(paths, id);
  if (reading.outcome === 'sound') return reading.manifest;
  throw new Error(reading.message);
}

function bytesOf(dataDir: string, id: string): Record<string, string> {
  const folder = layout(dataDir).publication(id);
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name !== 'lock.mdb' && name !== fetchedFile)
      .map((name) => [
        name,
        new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, name))).digest('hex'),
      ]),
  );
}

function isObject(name: string): boolean {
  return name.startsWith('objects/');
}

const noPause = () => Promise.resolve();

/** A store that counts reads and may corrupt them. */
function watched(
  inner: ObjectStore,
  spoil: (name: string, bytes: Uint8Array) => Uint8Array | null = (_, b) => b,
) {
  const read: string[] = [];
  const watching: ObjectStore = {
    address: inner.address,
    async read(name, most) {
      read.push(name);
      const stored = await inner.read(name, most);
      const bytes = stored === null ? null : spoil(name, stored.bytes);
      return bytes === null || stored === null ? null : { ...stored, bytes: new Uint8Array(bytes) };
    },
  };
  return { watching, read };
}

test('a fetched publication has the bytes of the published one and is sound', async () => {
  const node = temporaryFolder('node');
  const fetched = await fetchPublication(store, layout(node), second, null);
  expect(fetched).toMatchObject({ id: second, base: null, keptSegments: 0 });
  expect(bytesOf(node, second)).toEqual(bytesOf(builder, second));
  expect((await leiJson(node, 'verify', second)).json).toMatchObject({ sound: true });
  expect(existsSync(layout(node).incoming(second))).toBe(false);
});

test('a fetched publication is marked until it becomes active, and one that was built is not', async () => {
  const node = layout(temporaryFolder('node'));
  await fetchPublication(store, node, second, null);
  expect([node, paths].map((folder) => fetchedIds(folder))).toEqual([[second], []]);
  expect((await leiJson(node.dataDir, 'activate', second)).code).toBe(0);
  expect(fetchedIds(node)).toEqual([]);
});

test('a node that has the base fetches the differences, less than half of the whole', async () => {
  const node = temporaryFolder('node');
  const whole = await fetchPublication(store, layout(node), first, null);
  const { watching, read } = watched(store);
  const changed = await fetchPublication(watching, layout(node), second, null);
  expect(changed.base).toBe(first);
  expect(changed.fetchedBytes).toBeLessThan(whole.fetchedBytes / 2);
  expect(read.some((name) => /-[0-9a-f]{64}\.zst$/.test(name))).toBe(true);
  expect(bytesOf(node, second)).toEqual(bytesOf(builder, second));
});

test('publishing again uploads nothing, and an interrupted publish resumes', async () => {
  const folder = temporaryFolder('store');
  const other = fileStore(folder);
  let writes = 0;
  const failing = {
    ...other,
    write: (name: string, bytes: Uint8Array) =>
      ++writes > 2 ? Promise.reject(new Error('The line broke.')) : other.write(name, bytes),
  };
  const manifest = manifestOf(first);
  expect(await publish(failing, paths, manifest).catch(String)).toContain('The line broke.');
  expect(existsSync(join(folder, shipmentName(first)))).toBe(false);
  const present = (await other.list('objects/')).size;
  const resumed = await publish(other, paths, manifest);
  expect(resumed.uploadedObjects).toBe((await other.list('objects/')).size - present);
  expect(await publish(other, paths, manifest)).toMatchObject({ uploadedObjects: 0, uploadedBytes: 0 });
});

test('publishing again changes no shipment, whether the base came or went meanwhile', async () => {
  const late = fileStore(temporaryFolder('store'));
  const alone = await publish(late, paths, manifestOf(second));
  await publish(late, paths, manifestOf(first));
  expect(await publish(late, paths, manifestOf(second))).toEqual({
    ...alone,
    uploadedObjects: 0,
    uploadedBytes: 0,
  });

  const gone = layout(temporaryFolder('gone'));
  cpSync(paths.publication(second), gone.publication(second), { recursive: true });
  const again = await publish(store, gone, manifestOf(second));
  expect(again).toMatchObject({ base: first, uploadedObjects: 0 });
  expect(again.changedBytes).toBeLessThan(again.wholeBytes / 2);
  const node = temporaryFolder('node');
  expect((await fetchPublication(store, layout(node), second, again.shipment)).id).toBe(second);
});

test('publishing again mends objects that are cut off, and keeps the shipment', async () => {
  const folder = temporaryFolder('store');
  cpSync(storeFolder, folder, { recursive: true });
  const other = fileStore(folder);
  const { shipment } = await publish(other, paths, manifestOf(second));
  const names = [...(await other.list('objects/')).keys()];
  for (const name of names) writeFileSync(join(folder, name), 'cut off');
  const differences = names.filter((name) => name.includes('-'));
  const mended = await publish(other, paths, manifestOf(second));
  expect(mended.shipment).toBe(shipment);
  expect(mended.uploadedObjects).toBeGreaterThan(differences.length);
  const node = temporaryFolder('node');
  await fetchPublication(other, layout(node), second, shipment, noPause);
  expect(bytesOf(node, second)).toEqual(bytesOf(builder, second));
});

test('a damaged shipment is written again, and one of a newer version never', async () => {
  const folder = temporaryFolder('store');
  cpSync(storeFolder, folder, { recursive: true });
  const path = join(folder, shipmentName(second));
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.slice(0, 100));
  await publish(fileStore(folder), paths, manifestOf(second));
  expect(readFileSync(path, 'utf8')).toBe(whole);
  writeFileSync(path, whole.replace('"version":1', '"version":2'));
  const refused = await publish(fileStore(folder), paths, manifestOf(second)).catch(String);
  expect(refused).toContain('made by a newer version');
});

test('a node fetches a segment whole if its difference is damaged', async () => {
  const folder = temporaryFolder('store');
  cpSync(storeFolder, folder, { recursive: true });
  const other = fileStore(folder);
  const differences = [...(await other.list('objects/')).keys()].filter((name) => name.includes('-'));
  expect(differences.length).toBeGreaterThan(0);
  for (const name of differences) writeFileSync(join(folder, name), 'cut off');
  const node = temporaryFolder('node');
  cpSync(paths.publication(first), layout(node).publication(first), { recursive: true });
  expect(await fetchPublication(other, layout(node), second, null, noPause)).toMatchObject({ base: first });
  expect(bytesOf(node, second)).toEqual(bytesOf(builder, second));
});

test('a publication that has changed since it was sealed is not published', async () => {
  const damaged = layout(temporaryFolder('damaged'));
  cpSync(paths.publication(first), damaged.publication(first), { recursive: true });
  const companies = readFileSync(damaged.companies(first));
  companies[companies.length >> 1] = (companies[companies.length >> 1] ?? 0) ^ 1;
  writeFileSync(damaged.companies(first), companies);
  const folder = temporaryFolder('store');
  const refused = publish(fileStore(folder), damaged, manifestOf(first));
  expect(await refused.catch(String)).toMatch(/companies\.bin has changed since it was sealed/);
  expect(existsSync(join(folder, shipmentName(first)))).toBe(false);
});

test('an interrupted fetch leaves no publication, and resumes', async () => {
  const node = temporaryFolder('node');
  let reads = 0;
  const broken = watched(store, (name, bytes) => (name.startsWith('objects/') && ++reads > 1 ? null : bytes));
  const interrupted = fetchPublication(broken.watching, layout(node), first, null, noPause);
  expect(await interrupted.catch(String)).toContain('is missing');
  expect(readManifest(layout(node), first).outcome).toBe('missing');
  const resumed = await fetchPublication(store, layout(node), first, null);
  expect(resumed.keptSegments).toBeGreaterThan(0);
  expect(bytesOf(node, first)).toEqual(bytesOf(builder, first));
});

describe('a damaged store changes nothing on the node:', () => {
  const spoilt: readonly (readonly [
    string,
    (name: string, bytes: Uint8Array) => Uint8Array | null,
    string,
  ])[] = [
    [
      'an object with a flipped bit',
      flipObject,
      'does not have the content that its name states; remove it there, then lei publish uploads it again.',
    ],
    [
      'an object that is cut off',
      (name, bytes) => (isObject(name) ? bytes.subarray(1) : bytes),
      'its name states',
    ],
    [
      'a missing object',
      (name, bytes) => (isObject(name) ? null : bytes),
      'is missing; lei publish uploads it again.',
    ],
    [
      'a shipment that is no JSON',
      (name, bytes) => (isObject(name) ? bytes : bytes.subarray(1)),
      'is not JSON',
    ],
    ['a shipment of another publication', otherShipment, 'is not the shipment of'],
    ['a shipment of a newer version', newerShipment, 'made by a newer version'],
    ['a shipment whose file leads elsewhere', escapingShipment, 'is not the shipment of'],
    [
      'a shipment with a file that this version does not know',
      lockShipment,
      'has a file lock.mdb, made by a newer version of this program. Update this one to use it.',
    ],
    ['a shipment whose base leads elsewhere', escapingBase, 'is not the shipment of'],
  ];
  for (const [name, spoil, message] of spoilt) {
    test(name, async () => {
      const node = temporaryFolder('node');
      const { watching } = watched(store, spoil);
      const failing = fetchPublication(watching, layout(node), first, null, noPause);
      expect(await failing.catch(String)).toContain(message);
      expect(readManifest(layout(node), first).outcome).toBe('missing');
    });
  }

  function flipObject(name: string, bytes: Uint8Array): Uint8Array {
    if (!isObject(name)) return bytes;
    const flipped = new Uint8Array(bytes);
    flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
    return flipped;
  }
  function edited(name: string, bytes: Uint8Array, from: RegExp, to: string): Uint8Array {
    if (isObject(name)) return bytes;
    return Buffer.from(Buffer.from(bytes).toString().replace(from, to));
  }
  function otherShipment(name: string, bytes: Uint8Array) {
    return edited(name, bytes, /"id":"[^"]*"/, '"id":"20200101T000000Z-00000000"');
  }
  function newerShipment(name: string, bytes: Uint8Array) {
    return edited(name, bytes, /"version":1/, '"version":2');
  }
  function escapingShipment(name: string, bytes: Uint8Array) {
    return edited(name, bytes, /"name":"data\.mdb"/, '"name":"../data.mdb"');
  }
  function lockShipment(name: string, bytes: Uint8Array) {
    return edited(name, bytes, /"name":"data\.mdb"/, '"name":"lock.mdb"');
  }
  function escapingBase(name: string, bytes: Uint8Array) {
    return edited(name, bytes, /"base":null/, '"base":"../../elsewhere"');
  }
});

test('an id that is a path neither writes nor deletes anything, even where the store has such a shipment', async () => {
  const top = temporaryFolder('escape');
  const victim = join(top, 'profile.d');
  mkdirSync(victim);
  writeFileSync(join(victim, 'own.sh'), 'mine');
  const node = layout(join(top, 'node'));
  for (const id of ['../../profile.d', '../profile.d', '..', `${first}/../../../profile.d`]) {
    const hostile = watched(store, (_, bytes) =>
      Buffer.from(Buffer.from(bytes).toString().replaceAll(first, id)),
    );
    const reading: ObjectStore = {
      ...hostile.watching,
      read: (name, most) =>
        hostile.watching.read(name === shipmentName(id) ? shipmentName(first) : name, most),
    };
    expect(await fetchPublication(reading, node, id, null, noPause).catch(String)).toContain(
      'is not the shipment of',
    );
  }
  expect(readdirSync(victim)).toEqual(['own.sh']);
  expect(readdirSync(top)).toEqual(['profile.d']);
});

test('a fetch follows no symbolic link that it finds in its folder', async () => {
  const top = temporaryFolder('links');
  const victim = join(top, 'victim');
  mkdirSync(victim);
  writeFileSync(join(victim, 'own'), 'mine');
  const node = layout(join(top, 'node'));
  mkdirSync(node.incomings, { recursive: true });
  mkdirSync(node.publications, { recursive: true });
  symlinkSync(victim, node.incoming(first));
  symlinkSync(victim, node.publication(first));
  await fetchPublication(store, node, first, null);
  mkdirSync(node.incoming(second));
  symlinkSync(join(victim, 'own'), join(node.incoming(second), 'data.mdb'));
  await fetchPublication(store, node, second, null);
  expect([first, second].map((id) => bytesOf(node.dataDir, id))).toEqual(
    [first, second].map((id) => bytesOf(builder, id)),
  );
  expect(readdirSync(victim)).toEqual(['own']);
  expect(readFileSync(join(victim, 'own'), 'utf8')).toBe('mine');
});

test('publishing, announcing and sweeping follow no symbolic link out of the store', async () => {
  const folder = temporaryFolder('store');
  const victim = temporaryFolder('victim');
  const day = 24 * 3_600_000;
  writeFileSync(join(victim, 'own'), 'mine');
  const other = fileStore(folder);
  symlinkSync(victim, join(folder, 'objects'));
  expect(await publish(other, paths, manifestOf(first)).catch(String)).toContain('not a symbolic link');
  rmSync(join(folder, 'objects'));
  mkdirSync(join(folder, 'objects'));
  symlinkSync(victim, join(folder, 'objects', 'ab'));
  expect(await sweep(other, 1, Date.now() + 2 * day)).toMatchObject({ removedObjects: 0 });
  expect(await other.remove('objects/ab/own').catch(String)).toContain('not a symbolic link');
  expect(await other.write('../own', Buffer.from('theirs')).catch(String)).toContain("can't be the name");
  symlinkSync(join(victim, 'own'), join(folder, 'fleet.json.lock'));
  expect(await other.replace('fleet.json', Buffer.from('{}'), null).catch(String)).toContain('ELOOP');
  expect(readdirSync(victim)).toEqual(['own']);
  expect(readFileSync(join(victim, 'own'), 'utf8')).toBe('mine');
});

test('a publication of a newer format is refused before its data are fetched', async () => {
  const [newerBuilder, node] = [temporaryFolder('newer'), temporaryFolder('node')];
  const newer = layout(newerBuilder);
  cpSync(paths.publication(first), newer.publication(first), { recursive: true });
  const manifest = manifestOf(first);
  const at = formatVersion + 1;
  writeFileSync(newer.manifest(first), JSON.stringify({ ...manifest, formatVersion: at }));
  const newerStore = fileStore(temporaryFolder('store'));
  await publish(newerStore, newer, manifest);
  const { watching, read } = watched(newerStore);
  const refused = await fetchPublication(watching, layout(node), first, null, noPause).catch(String);
  expect(refused).toContain(
    `Publication ${first} has format ${at}, made by a newer version; this version reads up to ${formatVersion}. Update this program to use it.`,
  );
  expect(read.filter(isObject)).toHaveLength(1);
  expect(readManifest(layout(node), first).outcome).toBe('missing');
});

test('a shipment other than the announced one is refused', async () => {
  const node = temporaryFolder('node');
  const refused = fetchPublication(store, layout(node), first, '0'.repeat(64));
  expect(await refused.catch(String)).toContain('not the announced');
});

test('a sweep keeps the newest publications, and removes unused objects once they are old', async () => {
  const folder = temporaryFolder('store');
  cpSync(storeFolder, folder, { recursive: true });
  const other = fileStore(folder);
  const before = (await other.list('objects/')).size;
  const day = 24 * 3_600_000;
  expect(await sweep(other, 1, Date.now())).toMatchObject({ removed: [first], removedObjects: 0 });
  const { removedObjects } = await sweep(other, 1, Date.now() + 2 * day);
  expect(removedObjects).toBeGreaterThan(0);
  expect((await other.list('objects/')).size).toBe(before - removedObjects);
  const node = temporaryFolder('node');
  await fetchPublication(other, layout(node), second, null);
  expect(bytesOf(node, second)).toEqual(bytesOf(builder, second));
});

describe('over HTTP', () => {
  let nginx: RunningProxy | null = null;
  beforeAll(async () => {
    if (isInstalled('nginx'))
      nginx = await startNginxWith((port) => `  server { listen 127.0.0.1:${port}; root ${storeFolder}; }`);
  });
  afterAll(() => nginx?.stop());

  test.skipIf(!isInstalled('nginx'))('a node fetches from a real nginx (Debian package nginx)', async () => {
    const node = temporaryFolder('node');
    await fetchPublication(
      httpStore(new URL(`http://127.0.0.1:${nginx?.port}/`)),
      layout(node),
      second,
      null,
    );
    expect(bytesOf(node, second)).toEqual(bytesOf(builder, second));
  });

  test('the message about an absent server names it, without the password of its address', async () => {
    const away = httpStore(new URL(`http://name:secret@127.0.0.1:${freePort()}/leis/`));
    const failure = await fetchPublication(away, layout(temporaryFolder('node')), first, null).catch(String);
    expect(failure).toMatch(/http:\/\/127\.0\.0\.1:\d+\/leis\/ can't be reached: .*\w\.$/);
    expect(failure).not.toContain('secret');
  });
});

test('addresses that name no store are refused with what is allowed', () => {
  expect(() => openStore('/var/leis')).toThrow(
    'must be file:///folder, https://host/folder/ or s3://bucket/prefix',
  );
  expect(() => openStore('ftp://host/leis')).toThrow('ftp: is not the address of a store');
  expect(() => openWritableStore('https://host/leis/')).toThrow("can't be written to");
});

test('lei publish uploads the active publication and says how much a node has to fetch', async () => {
  const folder = temporaryFolder('store');
  const { json, code } = await leiJson(builder, 'publish', '--to', `file://${folder}`);
  expect({ code, json }).toMatchObject({ code: 0, json: { id: second, base: null, swept: null } });
  const older = await leiJson(builder, 'publish', first, '--keep', '1', '--to', `file://${folder}`);
  // A publication that was just published stays, however old its data are.
  expect(older).toMatchObject({ code: 0, json: { id: first, swept: { removed: [] } } });
  const unknown = await leiJson(builder, 'publish', 'nonsense', '--to', `file://${folder}`);
  expect(unknown).toMatchObject({ code: 1, json: { error: { code: 'no-publication' } } });
  expect(statSync(join(folder, shipmentName(second))).isFile()).toBe(true);
  rmSync(folder, { recursive: true });
});
