/** Chooses the content coding of a body (RFC 9110 §12.5.3). */
import type { Config } from '../config.ts';
import type { Coding } from '../protocol/questions.ts';

/**
 * The form of a body that a client gets. A `small` body is never coded, so its tag is current for every
 * Accept-Encoding; `identity` is a body that another client would get coded.
 */
export type Variant = 'small' | 'identity' | Coding;

export interface NegotiatedCoding {
  /** The best coding the client accepts; null for none. */
  readonly coding: Coding | null;
  /** The client refuses uncoded bodies, so even a small one is coded. */
  readonly forced: boolean;
}

const uncoded: NegotiatedCoding = { coding: null, forced: false };

/** Best first, if the client has no preference. */
const codings: readonly Coding[] = ['zstd', 'br', 'gzip'];

/** The most headers that are cached. Real clients send few different ones; many more would be made up. */
const rememberedMax = 256;
const remembered = new Map<string, NegotiatedCoding>();

/** The coding for a request; none with LEI_COMPRESSION=off. */
export function negotiate(
  { headers }: Request,
  { compression }: Pick<Config, 'compression'>,
): NegotiatedCoding {
  return negotiateCoding(compression ? headers.get('accept-encoding') : null);
}

/** @param header Accept-Encoding; null for none */
export function negotiateCoding(header: string | null): NegotiatedCoding {
  if (header === null) return uncoded;
  const known = remembered.get(header);
  if (known !== undefined) return known;
  const negotiated = bestOf(readQualities(header));
  if (remembered.size < rememberedMax) remembered.set(header, negotiated);
  return negotiated;
}

function bestOf(qualities: ReadonlyMap<string, number>): NegotiatedCoding {
  // Tools that leave decoding to a library send `*`, and every library decodes gzip.
  const unnamed = (name: Coding) => (name === 'gzip' ? (qualities.get('*') ?? 0) : 0);
  const quality = (name: Coding) => qualities.get(name) ?? unnamed(name);
  let coding: Coding | null = null;
  let best = 0;
  for (const candidate of codings) {
    if (quality(candidate) > best) {
      best = quality(candidate);
      coding = candidate;
    }
  }
  // Uncoded is acceptable unless the client refuses it, by name or by "*;q=0".
  const identity = qualities.get('identity') ?? (qualities.get('*') === 0 ? 0 : null);
  if (identity !== null && identity > best) return uncoded;
  return { coding, forced: coding !== null && identity === 0 };
}

/** Coding name in lower case → its q, 0 to 1. A malformed element counts as refused. */
function readQualities(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const element of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim());
    if (name === '') continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : readWeight(weight.slice(2)));
  }
  return qualities;
}

function readWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
