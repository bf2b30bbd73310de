import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Permutation, PowerLawRuns } from '../../src/generate/arrangement.ts';
import { isinCode, leiCode, leiOrderSpan } from '../../src/generate/codes.ts';
import { Chooser, mix, purposes, Random } from '../../src/generate/random.ts';
import { checkIsin, checkLei } from '../../src/lei/identifiers.ts';

test('a permutation maps every number to a different place, and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(), (size, seed) => {
      const permutation = new Permutation(size, new Random().start(seed, purposes.mapping, 0));
      const places = Array.from({ length: size }, (_, x) => permutation.at(x));
      expect(new Set(places).size).toBe(size);
      expect(places.every((place) => place >= 0 && place < size)).toBe(true);
      expect(places.map((place) => permutation.from(place))).toEqual([...places.keys()]);
    }),
    { numRuns: 60 },
  );
});

test('runs of a power law contain every member, and giants have the requested lengths', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 2_000 }),
      (total, wanted, giant) => {
        const runs = new PowerLawRuns(total, wanted, [giant], 0.9);
        const lengths = Array.from({ length: runs.runs }, (_, run) => runs.length(run));
        expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(total);
        expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1);
        const room = total - runs.runs + 1;
        if (runs.runs > 1) expect(lengths[0]).toBe(Math.min(giant, room));
      },
    ),
  );
});

test('the run of a member contains the member between its start and its end', () => {
  const runs = new PowerLawRuns(1_000, 37, [200], 1);
  for (let member = 0; member < 1_000; member++) {
    const run = runs.runOf(member);
    expect(member).toBeWithin(runs.start(run), runs.start(run) + runs.length(run));
  }
});

test('every generated LEI and ISIN has right check digits, and LEIs of a prefix keep the requested order', () => {
  const word = fc.integer({ min: 0, max: 0xffffffff });
  const order = fc.integer({ min: 0, max: leiOrderSpan - 2 });
  fc.assert(
    fc.property(order, word, word, fc.boolean(), (place, first, second, newcomer) => {
      const lei = leiCode('5493', place, first, second, newcomer);
      expect(checkLei(lei)).toEqual({ ok: true, value: lei });
      expect(lei < leiCode('5493', place + 1, second, first, newcomer)).toBe(true);
    }),
  );
  const national = fc.stringMatching(/^[0-9A-Z]{9}$/);
  fc.assert(
    fc.property(fc.constantFrom('DE', 'US', 'XS', 'ZA'), national, (country, text) => {
      const isin = isinCode(country, text);
      expect(checkIsin(isin)).toEqual({ ok: true, value: isin });
    }),
  );
});

test('a stream depends on seed, purpose and number, not on earlier draws', () => {
  const random = new Random();
  const draws = (seed: number, number: number) => {
    random.start(seed, purposes.entity, number);
    return Array.from({ length: 20 }, () => random.next());
  };
  const first = draws(1, 7);
  expect(draws(1, 8)).not.toEqual(first);
  expect(draws(2, 7)).not.toEqual(first);
  expect(draws(1, 7)).toEqual(first);
  expect(mix(1, purposes.key, 7)).not.toBe(mix(1, purposes.entity, 7));
});

test('a chooser chooses by its weights', () => {
  const chooser = new Chooser([
    ['often', 90],
    ['seldom', 9],
    ['rare', 1],
  ]);
  const random = new Random().start(3, purposes.entity, 0);
  const counts: Record<string, number> = { often: 0, seldom: 0, rare: 0 };
  for (let draw = 0; draw < 100_000; draw++) {
    const value = chooser.choose(random);
    counts[value] = (counts[value] ?? 0) + 1;
  }
  expect(counts['often']).toBeWithin(89_500, 90_500);
  expect(counts['seldom']).toBeWithin(8_700, 9_300);
  expect(counts['rare']).toBeWithin(850, 1_150);
});
