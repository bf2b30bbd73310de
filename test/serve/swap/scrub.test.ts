/** Finding damage in files that nobody asks for. */
import { expect, test } from 'bun:test';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type Layout, layout } from '../../../src/publication/layout.ts';
import type { Manifest, SealedFile } from '../../../src/publication/manifest.ts';
import { sealedDigester, segmentBytes } from '../../../src/publication/segment-digests.ts';
import { scrub, scrubLimits } from '../../../src/serve/swap/scrub.ts';
import type { Damage } from '../../../src/serve/swap/take-out.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { memoryLog } from '../../support/log.ts';
import { manifestOf } from '../../support/manifest.ts';

const id = '20261001T000000Z-00000001';

/** A sealed publication whose files have this many segments and a half. */
function sealed(paths: Layout, name = id, segments = 3): Manifest {
  mkdirSync(paths.publication(name), { recursive: true });
  const environment = sealedFile(paths.environment(name), segments, 1);
  const companies = sealedFile(paths.companies(name), segments, 2);
  return manifestOf(name, { environment, companies });
}

function sealedFile(path: string, segments: number, fill: number): SealedFile {
  const bytes = Buffer.alloc((segments + 0.5) * segmentBytes, fill);
  writeFileSync(path, bytes);
  const digester = sealedDigester();
  digester.update(bytes);
  return { bytes: bytes.length, sha256: digester.digest(), segmentBytes };
}

function flip(path: string, at: number): void {
  const byte = readFileSync(path)[at] ?? 0;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.of(byte ^ 4), 0, 1, at);
  closeSync(file);
}

interface Found extends Damage {
  readonly id: string;
}

/** Scrubs publications until something is found. @param paused is called at each pause, with its length */
async function firstFound(
  paths: Layout,
  manifests: readonly Manifest[],
  paused: (count: number, ms: number) => void = () => {},
): Promise<Found> {
  const found = Promise.withResolvers<Found>();
  let pauses = 0;
  const scrubbing = scrub({
    layout: paths,
    publications: {
      answering: () => manifests,
      foundDamaged: async (name, damage) => found.resolve({ id: name, ...damage }),
    },
    log: memoryLog(),
    pause: async (ms, signal) => {
      signal.throwIfAborted();
      paused(++pauses, ms);
    },
  });
  const first = await found.promise;
  await scrubbing.stop();
  return first;
}

test.each([0, segmentBytes, 3.5 * segmentBytes - 1])(
  'finds a bit that was wrong before the start, at byte %d',
  async (at) => {
    const paths = layout(temporaryFolder('scrub'));
    const manifest = sealed(paths);
    flip(paths.environment(id), at);
    const message = `${paths.environment(id)} is damaged: its digest is not the sealed one.`;
    expect(await firstFound(paths, [manifest])).toEqual({ id, message, isContained: false });
  },
);

test('finds a bit that flips after the first pass, and says where', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const manifest = sealed(paths);
  // The first pass has eight segments.
  const found = await firstFound(paths, [manifest], (count) => {
    if (count === 12) flip(paths.companies(id), 2 * segmentBytes + 7);
  });
  const message = `${paths.companies(id)} is damaged: bytes 131072 to 196608 are not the sealed ones.`;
  expect(found).toEqual({ id, message, isContained: true });
});

/** A scrubber whose passes rest, so that it reads only what is suspected. */
function resting(paths: Layout, manifest: Manifest) {
  const found: Found[] = [];
  let nowMs = 0;
  let reads = 0;
  const scrubbing = scrub({
    layout: paths,
    publications: {
      answering: () => [manifest],
      foundDamaged: async (name, damage) => void found.push({ id: name, ...damage }),
    },
    log: memoryLog(),
    pause: async (ms, signal) => {
      if (ms === scrubLimits.suspectedPauseMs) reads++;
      else await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    now: () => nowMs,
  });
  /** Suspects it, and waits until nothing more is read. @returns how many segments were read for that */
  const suspect = async (name = id) => {
    reads = 0;
    await scrubbing.suspect(name);
    return reads;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { scrubbing, found, suspect, pass };
}

test('reads the tables of a suspected publication at once, but not for each of the questions that fail', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const { scrubbing, found, suspect, pass } = resting(paths, sealed(paths));
  expect([await suspect(), await suspect(), await suspect('20261001T000000Z-00000002')]).toEqual([4, 0, 0]);
  flip(paths.environment(id), 7);
  pass(scrubLimits.suspectedAgainMs - 1);
  expect([await suspect(), found]).toEqual([0, []]);
  pass(1);
  await suspect();
  const message = `${paths.environment(id)} is damaged: bytes 0 to 65536 are not the sealed ones.`;
  expect(found).toEqual([{ id, message, isContained: false }]);
  await scrubbing.stop();
});

test('finds a file cut short, and one that can no longer be read', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const manifest = sealed(paths);
  const cut = await firstFound(paths, [manifest], (count) => {
    if (count === 9) truncateSync(paths.environment(id), segmentBytes);
  });
  expect(cut.message).toStartWith(`${paths.environment(id)} is damaged: bytes 65536 to 65536`);
  sealed(paths);
  const replaced = await firstFound(paths, [manifest], (count) => {
    if (count > 1) return;
    rmSync(paths.companies(id));
    mkdirSync(paths.companies(id));
  });
  expect(replaced).toMatchObject({ isContained: true, message: expect.stringContaining('EISDIR') });
});

test('reads earlier publications too, and none that is no longer held', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const other = '20261002T000000Z-00000002';
  const held = [sealed(paths), sealed(paths, other)];
  appendFileSync(paths.companies(id), 'more than was sealed is not read');
  flip(paths.environment(id), 5);
  flip(paths.companies(other), 5);
  // Its files are deleted while the first segment is read.
  const found = await firstFound(paths, held, () => {
    if (held[0]?.id !== id) return;
    held.shift();
    rmSync(paths.publication(id), { recursive: true });
  });
  expect(found).toMatchObject({ id: other, isContained: true });
});

test('takes minutes for the first pass and an hour for each of the others', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const manifest = sealed(paths);
  const pauses: number[] = [];
  await firstFound(paths, [manifest], (count, ms) => {
    pauses.push(ms);
    if (count === 16) flip(paths.environment(id), 1);
  });
  const sum = (each: readonly number[]) => each.reduce((total, ms) => total + ms, 0);
  expect(sum(pauses.slice(0, 8))).toBe(5 * 60_000);
  expect(sum(pauses.slice(8, 16))).toBe(60 * 60_000);
});

test('says when every byte was last found right', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const passed = Promise.withResolvers<void>();
  let pauses = 0;
  const manifest = sealed(paths);
  const scrubbing = scrub({
    layout: paths,
    publications: { answering: () => [manifest], foundDamaged: async () => {} },
    log: memoryLog(),
    pause: async (_, signal) => {
      signal.throwIfAborted();
      if (++pauses === 10) passed.resolve();
    },
  });
  expect(scrubbing.checkedAt()).toBeNull();
  await passed.promise;
  expect(Math.abs((scrubbing.checkedAt() ?? 0) - Date.now())).toBeLessThan(60_000);
  await scrubbing.stop();
});

/** Scrubs a publication for so many pauses. @returns what was found, and whether every byte was found right */
async function scrubbedFor(paths: Layout, manifest: () => Manifest, pauses: number) {
  const passed = Promise.withResolvers<void>();
  const found: string[] = [];
  const lengths: number[] = [];
  const scrubbing = scrub({
    layout: paths,
    publications: {
      answering: () => [manifest()],
      foundDamaged: async (_, { message }) => void found.push(message),
    },
    log: memoryLog(),
    pause: async (ms, signal) => {
      signal.throwIfAborted();
      if (lengths.push(ms) === pauses) passed.resolve();
    },
  });
  await passed.promise;
  const isChecked = scrubbing.checkedAt() !== null;
  await scrubbing.stop();
  return { found, lengths, isChecked };
}

test('looks once a second for files that somebody has deleted, and does not call them right', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const manifest = sealed(paths);
  rmSync(paths.publication(id), { recursive: true });
  const { found, lengths, isChecked } = await scrubbedFor(paths, () => manifest, 6);
  expect(found).toEqual([]);
  expect(new Set(lengths)).toEqual(new Set([1_000]));
  expect(isChecked).toBe(false);
});

test('never calls a publication right that was found damaged and is served all the same', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const manifest = sealed(paths);
  flip(paths.companies(id), 5);
  const { found, isChecked } = await scrubbedFor(paths, () => manifest, 40);
  expect(found).toHaveLength(1);
  expect(isChecked).toBe(false);
});

test('compares a publication that was fetched again with its seal, not with what was read of the damaged one', async () => {
  const paths = layout(temporaryFolder('scrub'));
  const before = sealed(paths);
  flip(paths.environment(id), 5);
  let fetched: Manifest | null = null;
  const found: string[] = [];
  const passed = Promise.withResolvers<void>();
  let pauses = 0;
  const scrubbing = scrub({
    layout: paths,
    publications: {
      answering: () => [fetched ?? before],
      foundDamaged: async (_, { message }) => {
        found.push(message);
        fetched ??= sealed(paths);
      },
    },
    log: memoryLog(),
    pause: async (_, signal) => {
      signal.throwIfAborted();
      if (++pauses === 40) passed.resolve();
    },
  });
  await passed.promise;
  await scrubbing.stop();
  expect(found).toHaveLength(1);
});
