/**
 * Makes strong entity tags. The tag of an answer from a publication is a keyed digest of everything that the body
 * depends on, so the front can compute it before it has the body, and recognise it later. Only the key makes valid
 * tags, so a valid tag proves that we sent the representation it names.
 */
import { createHmac } from 'node:crypto';
import { AsciiText } from '../ascii-text.ts';
import type { Variant } from './encoding.ts';

/** @param address canonical path and query */
export type Tagger = (variant: Variant, address: string) => string;

/** 22 characters of base64. */
const tagBits = 132;
const base64 = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const quote = '"'.charCodeAt(0);

const digest = new Uint8Array(32);
const digestBits = new DataView(digest.buffer);
const text = new AsciiText();

export function createTagger(key: Uint8Array, context: readonly string[]): Tagger {
  const secret = createHmac('sha256', key).update(JSON.stringify(context)).digest('hex');
  // SHA-256 over secret and content, cut to half, resists length extension and takes two thirds of the time of an HMAC.
  return (variant, address) => tagOf(`${secret}${variant}\n${address}`);
}

/** The tag of the content itself, for example of a page. */
export function tagOf(content: string | Uint8Array<ArrayBuffer>): string {
  Bun.SHA256.hash(content, digest);
  text.begin().byte(quote);
  for (let bit = 0; bit < tagBits; bit += 6) {
    const sixBits = (digestBits.getUint16(bit >> 3) >> (10 - (bit & 7))) & 63;
    text.byte(base64[sixBits] ?? 0);
  }
  return text.byte(quote).toString();
}
