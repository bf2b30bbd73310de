import { expect, test } from 'bun:test';
import { digestOf, isWellFormedSecret, newSecret } from '../../../src/state/key.ts';
import { Opened } from '../../support/open-access.ts';

const guesses = 200;
const rounds = 300;

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

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

test('a look-up takes the same time whatever a guess has in common with a real key', async () => {
  const opened = await Opened.open({ LEI_LIMITS: 'off' });
  try {
    const { header } = await opened.account();
    const near = nearly(header.slice('Bearer '.length)).map((secret) => `Bearer ${secret}`);
    const far = Array.from({ length: guesses }, () => `Bearer ${newSecret()}`);
    for (const guess of [...near, ...far]) {
      expect(isWellFormedSecret(guess.slice(7))).toBe(true);
      expect(opened.ask({ authorization: guess }).outcome).toBe('unauthorized');
    }
    const time = (guessed: readonly string[]) => {
      const start = performance.now();
      for (const authorization of guessed) opened.ask({ authorization });
      return performance.now() - start;
    };
    // In turn, and the median of many rounds, so that what else the machine does meets both alike.
    const ratios = Array.from({ length: rounds }, () => time(near) / time(far));
    expect(median(ratios)).toBeGreaterThan(0.8);
    expect(median(ratios)).toBeLessThan(1.25);
  } finally {
    await opened.close();
  }
}, 20_000);

test('what is looked up is a digest, of which a guess near a real key has nothing in common with it', () => {
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
