/**
 * A text as its UTF-8 bytes, one character (U+0000 to U+00FF) for each byte. Bodies cross between threads like
 * that: the engine keeps such a string at one byte a character, so that a name in Chinese does not make a whole
 * batch twice as wide; its length is the length of the body; and it reaches the socket without being transcoded.
 * A text of ASCII alone is its own octets.
 */
export type Octets = string;

/** Whether every character is ASCII. Of octets: whether they read the same as text. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

export function octetsOf(text: string): Octets {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}

/** The bytes themselves. */
export function bytesOf(octets: Octets): Buffer<ArrayBuffer> {
  return Buffer.from(octets, 'latin1');
}

export function textOf(octets: Octets): string {
  return isAscii(octets) ? octets : bytesOf(octets).toString();
}
