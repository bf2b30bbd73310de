/**
 * API keys. A key is `lei_live_`, 32 random letters and digits (190 bits) and 6 of checksum; the checksum lets a
 * mistyped key be refused without a look-up. Only the SHA-256 digest is kept: with that much randomness a slow
 * password hash would cost every request and protect nothing further.
 */
import { hash, randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** A letter's value by its character code. */
const digitOf = new Uint8Array(128);
for (const [value, letter] of [...alphabet].entries()) digitOf[letter.charCodeAt(0)] = value;
const brand = 'lei_live_';
const randomCharacters = 32;
const checksumCharacters = 6;
/** Of the 32 random characters 28 stay unknown to whoever sees a list of keys: 166 bits. */
const shownCharacters = 4;
const idCharacters = 16;

const secretLength = brand.length + randomCharacters + checksumCharacters;
const pattern = new RegExp(`^${brand}[A-Za-z0-9]{${randomCharacters + checksumCharacters}}$`);

export function newSecret(): string {
  const body = brand + randomText(randomCharacters);
  return body + checksum(body);
}

export function newId(kind: 'acc' | 'key'): string {
  return `${kind}_${randomText(idCharacters)}`;
}

/** Whether a text has the form of a key and its checksum is right; says nothing about whether it was issued. */
export function isWellFormedSecret(text: string): boolean {
  if (text.length !== secretLength || !pattern.test(text)) return false;
  const end = secretLength - checksumCharacters;
  // Read rather than written again and compared: this stands in the way of every request with a key.
  let claimed = 0;
  for (let at = end; at < secretLength; at++) claimed = claimed * 62 + (digitOf[text.charCodeAt(at)] ?? 0);
  return claimed === Bun.hash.crc32(text.slice(0, end));
}

export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64');
}

export function prefixOf(secret: string): string {
  return secret.slice(0, brand.length + shownCharacters);
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

/** Every character equally likely: bytes past the last whole multiple of 62 are thrown away. */
function randomText(characters: number): string {
  let text = '';
  while (text.length < characters) {
    for (const byte of randomBytes(characters)) {
      if (byte < 248 && text.length < characters) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
