/**
 * Makes and recognises API keys and tokens. A key is `lei_live_`, 32 random letters and digits (190 bits) and 6 of
 * checksum; the checksum lets a mistyped key be refused without a look-up. A token for /reconcile is the same behind
 * `lei_reconcile_`, so its text shows what it may do. Only the SHA-256 digest is stored: with that much randomness a
 * slow password hash would cost every request time without more protection.
 */
import { hash, randomBytes } from 'node:crypto';
import type { KeyKind } from '../../ports/account-directory.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** A letter's value by its character code. */
const digitOf = new Uint8Array(128);
for (const [value, letter] of [...alphabet].entries()) digitOf[letter.charCodeAt(0)] = value;
/** How the secrets of each kind begin. */
const brands: Readonly<Record<KeyKind, string>> = { api: 'lei_live_', reconcile: 'lei_reconcile_' };
const randomCharacters = 32;
const checksumCharacters = 6;
/** A list of keys shows 4 of the 32 random characters; 28 stay unknown: 166 bits. */
const shownCharacters = 4;
const idCharacters = 16;

interface SecretForm {
  readonly length: number;
  readonly pattern: RegExp;
}
const forms: Readonly<Record<KeyKind, SecretForm>> = { api: formOf('api'), reconcile: formOf('reconcile') };

function formOf(kind: KeyKind): SecretForm {
  const characters = randomCharacters + checksumCharacters;
  const length = brands[kind].length + characters;
  return { length, pattern: new RegExp(`^${brands[kind]}[A-Za-z0-9]{${characters}}$`) };
}

export function newSecret(kind: KeyKind = 'api'): string {
  const body = brands[kind] + randomText(randomCharacters);
  return body + checksum(body);
}

export function newId(kind: 'acc' | 'key'): string {
  return `${kind}_${randomText(idCharacters)}`;
}

/** Whether a text has the form of a key and its checksum is right, issued or not. */
export function isWellFormedSecret(text: string, kind: KeyKind = 'api'): boolean {
  const { length, pattern } = forms[kind];
  if (text.length !== length || !pattern.test(text)) return false;
  const end = length - checksumCharacters;
  // Decode the checksum instead of computing its text, because every request with a key passes here.
  let claimed = 0;
  for (let at = end; at < length; at++) claimed = claimed * 62 + (digitOf[text.charCodeAt(at)] ?? 0);
  return claimed === Bun.hash.crc32(text.slice(0, end));
}

export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}

/** The beginning of a secret, by which its holder recognises it. */
export function prefixOf(secret: string): string {
  const brand = secret.slice(0, secret.lastIndexOf('_') + 1);
  return secret.slice(0, brand.length + shownCharacters);
}

/** Whether a text contains what may be a token. */
export function holdsToken(text: string): boolean {
  return text.includes(brands.reconcile);
}

/** Whether a text contains what may be a secret of either kind, which is then never logged. */
export function holdsSecret(text: string): boolean {
  return Object.values(brands).some((brand) => text.includes(brand));
}

/** CRC-32 in six base-62 digits (62⁶ > 2³²). */
function checksum(body: string): string {
  let rest = Bun.hash.crc32(body);
  let digits = '';
  for (let i = 0; i < checksumCharacters; i++) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Every character equally likely: bytes beyond the last whole multiple of 62 are discarded. */
function randomText(characters: number): string {
  let text = '';
  while (text.length < characters) {
    for (const byte of randomBytes(characters)) {
      if (byte < 248 && text.length < characters) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
