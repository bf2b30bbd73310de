/**
 * Strong entity tags that the front can make before it knows the body, and recognise as its own later, because
 * they are a keyed digest of all that the body depends on. Nobody without the key can make one, so a tag of ours
 * proves that we gave out the representation it names.
 */
import { createHmac } from 'node:crypto';
import type { Coding } from '../../protocol/questions.ts';
import { AsciiText } from '../ascii-text.ts';

/**
 * Which representation of an address: `small` bodies are never coded, whatever the client accepts, so a tag of
 * one is current for every Accept-Encoding; `identity` is a body that would have been coded for another client.
 */
export type Variant = 'small' | 'identity' | Coding;

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
  // SHA-256 over secret and content with half of the digest cut away can't be extended to another content, and takes
  // two thirds of the time of an HMAC.
  return (variant, address) => {
    Bun.SHA256.hash(`${secret}${variant}\n${address}`, digest);
    text.begin().byte(quote);
    for (let bit = 0; bit < tagBits; bit += 6) {
      const sixBits = (digestBits.getUint16(bit >> 3) >> (10 - (bit & 7))) & 63;
      text.byte(base64[sixBits] ?? 0);
    }
    return text.byte(quote).toString();
  };
}
