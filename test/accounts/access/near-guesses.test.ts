import { expect, test } from 'bun:test';
import { digestOf, isWellFormedSecret, newSecret } from '../../../src/accounts/state/key.ts';
import { Opened } from '../../support/open-access.ts';

const guesses = 200;

/** Well-formed keys that begin like the real one: only the last three random characters and the checksum differ. */
function nearly(secret: string): readonly string[] {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const found: string[] = [];
  const stem = secret.slice(0, 38);
  for (let number = 0; found.length < guesses; number++) {
    const [a, b, c] = [number % 62, Math.floor(number / 62) % 62, Math.floor(number / 3_844)];
    const body = stem + letters.charAt(a) + letters.charAt(b) + letters.charAt(c);
    const guess = body + checksumOf(body, letters);
    // One secret in a thousand ends in one of the endings tried here.
    if (guess !== secret) found.push(guess);
  }
  return found;
}

function checksumOf(body: string, letters: string): string {
  let rest = Bun.hash.crc32(body);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = letters.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

test('a key that differs from a real one only in its last characters is refused like any other guess', async () => {
  const opened = await Opened.open({ LEI_LIMITS: 'off' });
  try {
    const { header } = await opened.account();
    for (const guess of nearly(header.slice('Bearer '.length))) {
      expect(isWellFormedSecret(guess)).toBe(true);
      expect(opened.ask({ authorization: `Bearer ${guess}` }).outcome).toBe('unauthorized');
    }
  } finally {
    await opened.close();
  }
});

test('keys are found by digest, and a near miss has an entirely different digest', () => {
  const secret = newSecret();
  const digest = digestOf(secret);
  const shared = nearly(secret).map((guess) => {
    const other = digestOf(guess);
    let same = 0;
    while (same < digest.length && digest[same] === other[same]) same++;
    return same;
  });
  expect(Math.max(...shared)).toBeLessThan(6);
});
