/** Tests the digest that a file is sealed with: it depends on the bytes only, and every flipped bit changes it. */
import { describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { digestFiles, fileToDigest } from '../../../src/loader/digest/digest-files.ts';
import {
  type SegmentDigests,
  sealedDigest,
  sealedDigester,
  segmentBytes,
} from '../../../src/publication/segment-digests.ts';
import { temporaryFolder } from '../../support/folders.ts';

const folder = temporaryFolder('digest-files');
const path = join(folder, 'file');
const copy = join(folder, 'copy');

/** As a reader computes it from the file's bytes in order. */
function inOrder(bytes: Uint8Array): string {
  const digester = sealedDigester();
  for (let at = 0; at < bytes.length; at += 16 * segmentBytes)
    digester.update(bytes.subarray(at, at + 16 * segmentBytes));
  return digester.digest();
}

async function digested(file: string, known: SegmentDigests | null = null): Promise<SegmentDigests> {
  const one = fileToDigest(file, { known });
  await digestFiles([one]);
  return one.digests;
}

/** Sizes around the bounds of segments and reads. */
const sizes = fc.oneof(
  fc.integer({ min: 0, max: 3 * segmentBytes }),
  fc.constantFrom(segmentBytes, 16 * segmentBytes, 16 * segmentBytes + 1, 33 * segmentBytes),
);

describe('a file digested by its segments', () => {
  test('has the digest of its bytes in order, as does the copy made on the way', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer(), async (size, seed) => {
        const bytes = Buffer.alloc(size, `bytes of ${seed}`);
        writeFileSync(path, bytes);
        const file = fileToDigest(path, { copyTo: copy });
        await digestFiles([file]);
        expect(sealedDigest(file.digests)).toBe(inOrder(bytes));
        expect(readFileSync(copy).equals(bytes)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  test('has that digest even if only changed segments are digested again: changed bytes, more or fewer', async () => {
    const changes = fc.array(fc.nat(10 * segmentBytes - 1), { maxLength: 5 });
    const ends = fc.integer({ min: -3 * segmentBytes, max: 3 * segmentBytes });
    await fc.assert(
      fc.asyncProperty(changes, ends, async (places, more) => {
        writeFileSync(path, Buffer.alloc(10 * segmentBytes, 'before'));
        const known = await digested(path);
        const file = openSync(path, 'r+');
        for (const at of places) writeSync(file, 'after', at);
        closeSync(file);
        if (more > 0) appendFileSync(path, Buffer.alloc(more, 'more'));
        else truncateSync(path, 10 * segmentBytes + more);
        expect(sealedDigest(await digested(path, known))).toBe(inOrder(readFileSync(path)));
      }),
      { numRuns: 25 },
    );
  });

  test('has a different digest after any flipped bit', async () => {
    const bytes = Buffer.alloc(3 * segmentBytes + 5, 'sealed');
    writeFileSync(path, bytes);
    const before = sealedDigest(await digested(path));
    for (const at of [0, segmentBytes - 1, segmentBytes, bytes.length - 1]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      writeFileSync(path, flipped);
      expect(sealedDigest(await digested(path))).not.toBe(before);
    }
  });

  test('is shared by two threads if it is large', async () => {
    const size = 256 * 2 ** 20 + 5;
    const file = openSync(path, 'w');
    ftruncateSync(file, size);
    for (const at of [0, 70 * 2 ** 20, size - 5]) writeSync(file, 'bytes', at);
    closeSync(file);
    expect(sealedDigest(await digested(path))).toBe(inOrder(readFileSync(path)));
    truncateSync(path, 0);
  });

  test('that is cut short while threads read it is reported by name', async () => {
    const file = openSync(path, 'w');
    ftruncateSync(file, 256 * 2 ** 20);
    const planned = fileToDigest(path);
    ftruncateSync(file, 0);
    closeSync(file);
    await expect(digestFiles([planned])).rejects.toThrow(`${path} ended at byte`);
  });
});
