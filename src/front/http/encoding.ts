/** Which content coding a client would have (RFC 9110 §12.5.3). */
import type { Coding } from '../../protocol/questions.ts';

export interface Negotiated {
  /** The best coding the client accepts; null for none. */
  readonly coding: Coding | null;
  /** The client refuses an uncoded body, so that even a small one is to be coded. */
  readonly forced: boolean;
}

export const uncoded: Negotiated = { coding: null, forced: false };

/** Best first, where the client has no preference. */
const codings: readonly Coding[] = ['zstd', 'br', 'gzip'];

/** Clients send few different headers; past this many (somebody makes them up) nothing more is remembered. */
const rememberedMax = 256;
const remembered = new Map<string, Negotiated>();

export function negotiateCoding(header: string | null): Negotiated {
  if (header === null) return uncoded;
  const known = remembered.get(header);
  if (known !== undefined) return known;
  const negotiated = negotiate(readQualities(header));
  if (remembered.size < rememberedMax) remembered.set(header, negotiated);
  return negotiated;
}

function negotiate(qualities: ReadonlyMap<string, number>): Negotiated {
  // A `*` is sent by tools that leave decoding to a library, and gzip is what every library decodes.
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
  // Uncoded is always acceptable unless it is refused, by name or by "*;q=0".
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
