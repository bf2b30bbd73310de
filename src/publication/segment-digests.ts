/**
 * Computes the digest that a file is sealed with: SHA-256 of the SHA-256 digests of its segments. Threads can share the
 * work, and a file that changed in few places is digested only there.
 *
 * The digests are Bun's own, here and in its neighbours: node:crypto takes 25 ms of every thread and command that imports
 * it, and nothing else there does.
 */

/** Bytes of a segment; the last one of a file may be shorter. A delta of few changes leaves most segments unchanged. */
export const segmentBytes = 64 * 1024;

const digestBytes = 32;

/** The digests of a file's segments, in memory that threads share. */
export interface SegmentDigests {
  /** SHA-256 of each, one after the other. */
  readonly sha256: Uint8Array;
  /** A quick hash of each, which shows whether a segment is still the digested one. */
  readonly quick: BigUint64Array;
  /** Seed of the quick hashes. It is drawn for each load, so that no file can be constructed to match. */
  readonly seed: bigint;
}

/** Room for the digests of a file. @param seed of the quick hashes; another file's to compare with it */
export function roomForDigests(bytes: number, seed: bigint): SegmentDigests {
  const segments = Math.ceil(bytes / segmentBytes);
  return {
    sha256: new Uint8Array(new SharedArrayBuffer(segments * digestBytes)),
    quick: new BigUint64Array(new SharedArrayBuffer(segments * 8)),
    seed,
  };
}

const sha256Of = (bytes: Uint8Array) => Bun.CryptoHasher.hash('sha256', bytes);

/**
 * Digests one segment.
 * @param known digests of an earlier state of the file: unchanged segments are not digested again
 */
export function digestSegment(
  bytes: Uint8Array,
  index: number,
  digests: SegmentDigests,
  known: SegmentDigests | null,
): void {
  const quick = Bun.hash.xxHash3(bytes, digests.seed);
  digests.quick[index] = quick;
  const at = index * digestBytes;
  const isKnown = known !== null && known.quick[index] === quick;
  digests.sha256.set(isKnown ? known.sha256.subarray(at, at + digestBytes) : sha256Of(bytes), at);
}

/** The digest of a file, in hexadecimal. */
export function sealedDigest({ sha256 }: SegmentDigests): string {
  // The hash takes no memory that threads share.
  return Bun.CryptoHasher.hash('sha256', Uint8Array.from(sha256), 'hex');
}

/** Computes the same digest of a file that is read in order. */
export function sealedDigester() {
  const all = new Bun.CryptoHasher('sha256');
  return {
    /** @param bytes whole segments, except for the last one of the file */
    update(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; at += segmentBytes) {
        all.update(sha256Of(bytes.subarray(at, at + segmentBytes)));
      }
    },
    digest: () => all.digest('hex'),
  };
}
