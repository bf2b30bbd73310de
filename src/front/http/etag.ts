/**
 * Strong entity tags that the front can make before it knows the body, and recognise as its own later, because
 * they are a keyed digest of all that the body depends on. Nobody without the key can make one, so a tag of ours
 * proves that we gave out the representation it names.
 */
import { createHmac } from 'node:crypto';
import type { Coding } from '../../protocol/questions.ts';

/**
 * Which representation of an address: `small` bodies are never coded, whatever the client accepts, so a tag of
 * one is current for every Accept-Encoding; `identity` is a body that would have been coded for another client.
 */
export type Variant = 'small' | 'identity' | Coding;

/** @param address canonical path and query */
export type Tagger = (variant: Variant, address: string) => string;

/** 22 characters of base64 are 132 bits. */
const tagCharacters = 22;

export function createTagger(key: Uint8Array, context: readonly string[]): Tagger {
  const secret = createHmac('sha256', key).update(JSON.stringify(context)).digest('hex');
  // SHA-256 over secret and content with half of the digest cut away can't be extended to another content, and takes
  // two thirds of the time of an HMAC.
  return (variant, address) =>
    `"${Bun.SHA256.hash(`${secret}${variant}\n${address}`, 'base64').slice(0, tagCharacters)}"`;
}
