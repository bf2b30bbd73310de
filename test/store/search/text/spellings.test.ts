import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { editDistance, lettersOf, mayBeWithin } from '../../../../src/lei/names/edit-distance.ts';
import { spelledPieces } from '../../../../src/store/search/build/write-spellings.ts';
import { formWordsBegunBy, nearFormWords } from '../../../../src/store/search/text/form-words.ts';
import { company, smallIndex } from '../small-index.ts';

/** The definition, without any shortcuts. */
function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [aRest, bRest] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return plainDistance(aRest, bRest);
  return Math.min(
    1 + plainDistance(aRest, b),
    1 + plainDistance(a, bRest),
    1 + plainDistance(aRest, bRest),
    exchangedDistance(a, b, 2, 2),
    exchangedDistance(a, b, 2, 3),
    exchangedDistance(a, b, 3, 2),
  );
}

/** The distance if two letters were exchanged, of which one word has as many in that place and the other as many. */
function exchangedDistance(a: string, b: string, ofA: number, ofB: number): number {
  const [first, second] = [a.slice(0, ofA), b.slice(0, ofB)];
  if (first.length < ofA || second.length < ofB) return Number.POSITIVE_INFINITY;
  if (first[0] !== second.at(-1) || first.at(-1) !== second[0]) return Number.POSITIVE_INFINITY;
  return Math.max(ofA, ofB) - 1 + plainDistance(a.slice(ofA), b.slice(ofB));
}

function unitsOf(word: string): Uint16Array {
  return Uint16Array.from(word, (letter) => letter.charCodeAt(0));
}

test('the distance of two words is the number of typing errors between them, up to the bound; their letters never exclude it', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.constantFrom(1, 2), (a, b, max) => {
      const distance = plainDistance(a, b);
      const found = editDistance(unitsOf(a), a.length, unitsOf(b), b.length, max);
      if (distance <= max) expect(found).toBe(distance);
      else expect(found).toBeGreaterThan(max);
      const [one, other] = [a, b].map((text) => lettersOf(unitsOf(text), text.length));
      if (distance <= max) expect(mayBeWithin(max, one ?? 0, other ?? 0)).toBe(true);
    }),
    { numRuns: 2_000, examples: [['ws', 'svw', 2]] },
  );
});

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Every word one typing error away. */
function oneErrorAway(word: string): string[] {
  const words: string[] = [];
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)];
    for (const letter of letters) {
      words.push(before + letter + after);
      if (after !== '') words.push(before + letter + after.slice(1));
    }
    if (after !== '') words.push(before + after.slice(1));
    if (after.length > 1) words.push(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  return words;
}

test('a word of four letters or more is found in spite of any one typing error', async () => {
  for (const word of ['kwyz', 'kwyzj', 'qvortex', 'jukozwan', 'zwixterqua', 'vandermeersch']) {
    const index = await smallIndex([company({ names: [word] }), company({ names: ['Unrelated Noise'] })]);
    const missed = oneErrorAway(word).filter((typed) => index.find(typed)[0] !== word);
    await index.close();
    expect(missed).toEqual([]);
  }
});

test('a word in another script is found in spite of any one typing error, whatever was asked before', async () => {
  const [first, second] = ['ромашка', 'газпром'];
  const index = await smallIndex([company({ names: [first] }), company({ names: [second] })]);
  const others = oneErrorAway(second);
  const missed = oneErrorAway(first).filter((typed, i) => {
    const other = others[i] ?? second;
    return index.find(typed)[0] !== first || index.find(other)[0] !== second;
  });
  await index.close();
  expect(missed).toEqual([]);
});

test('a word of legal forms is recognised in spite of any one typing error, and is not itself an error', () => {
  for (const word of ['limited', 'corporation', 'ответственностью']) {
    const missed = oneErrorAway(word).filter(
      (typed) => typed !== word && !nearFormWords(typed).some(({ spelling }) => spelling === word),
    );
    expect(missed).toEqual([]);
    expect(nearFormWords(word).map(({ spelling }) => spelling)).not.toContain(word);
  }
});

test('the words of legal forms that begin with some letters are all found', () => {
  const all = new Set<string>();
  for (const letter of 'abcdefghijklmnopqrstuvwxyz')
    for (const word of formWordsBegunBy(letter)) all.add(word);
  expect(all.size).toBeGreaterThan(1_000);
  expect(formWordsBegunBy('limite')).toEqual(['limited', 'limitee']);
  for (const word of all) {
    for (let letters = 1; letters <= word.length; letters++) {
      expect(formWordsBegunBy(word.slice(0, letters))).toContain(word);
    }
  }
  expect(formWordsBegunBy('larkmoor')).toEqual([]);
});

test('words of three letters, and words with more errors than allowed, do not stand for a word of legal forms', () => {
  const near = (word: string) => nearFormWords(word).map(({ spelling }) => spelling);
  expect(near('corparatoin')).toContain('corporation');
  for (const word of ['xorporatiom', 'corp0rati0n', 'korparatoin'])
    expect(near(word)).not.toContain('corporation');
  expect(near('liimitedd')).not.toContain('limited');
  expect(near('plcc').filter(({ length }) => length < 4)).toEqual([]);
  expect(near('gmb')).toEqual([]);
});

test('a long word is found in spite of two replaced letters, wherever they are', async () => {
  const word = 'vandermeersch';
  const index = await smallIndex([company({ names: [word] }), company({ names: ['Unrelated Noise'] })]);
  const missed: string[] = [];
  for (let i = 0; i < word.length; i++) {
    for (let j = i + 1; j < word.length; j++) {
      const typed = `${word.slice(0, i)}q${word.slice(i + 1, j)}x${word.slice(j + 1)}`;
      if (index.find(typed)[0] !== word) missed.push(typed);
    }
  }
  await index.close();
  expect(missed).toEqual([]);
});

test('a word of five letters or more is found in spite of any two typing errors that leave four letters', async () => {
  const words = ['fumpt', 'kwyzjo', 'qvortex', 'jukozwan', 'blythorux', 'vandermeer', 'ромашка', 'газпромы'];
  const index = await smallIndex(words.map((word) => company({ names: [word] })));
  const error = fc.record({
    place: fc.nat(9),
    letter: fc.constantFrom(...letters, ...'абвгдежз'),
    kind: fc.constantFrom('replaced', 'added', 'left out', 'exchanged'),
  });
  fc.assert(
    fc.property(fc.constantFrom(...words), error, error, (word, first, second) => {
      const typed = withError(withError(word, first), second);
      const distance = editDistance(unitsOf(typed), typed.length, unitsOf(word), word.length, 2);
      // "kumpa" may be the beginning of a legal form.
      const isBegunForm = formWordsBegunBy(typed).length > 0;
      fc.pre(distance === 2 && typed.length > 3 && isOneScript(typed) && !isBegunForm);
      expect(index.find(typed)).toEqual([word]);
    }),
    { numRuns: 1_500 },
  );
  await index.close();
});

interface TypingError {
  readonly place: number;
  readonly letter: string;
  readonly kind: 'replaced' | 'added' | 'left out' | 'exchanged';
}

function withError(word: string, { place, letter, kind }: TypingError): string {
  const at = place % word.length;
  const [before, after] = [word.slice(0, at), word.slice(at + 1)];
  if (kind === 'replaced') return before + letter + after;
  if (kind === 'added') return before + letter + word.slice(at);
  return kind === 'left out' ? before + after : before + after.slice(0, 1) + word.charAt(at) + after.slice(1);
}

function isOneScript(word: string): boolean {
  return /^[a-z]+$/.test(word) || /^[а-я]+$/.test(word);
}

test('words that some company has, and beginnings of legal forms, are not read as words with two errors', async () => {
  const index = await smallIndex([
    company({ names: ['Wendling Sociedad Anonima'], country: 'ES' }),
    company({ names: ['Wendling Socierad'] }),
    company({ names: ['Horizon Gl'] }),
    company({ names: ['Hojion'] }),
  ]);
  expect(index.find('wendling socied')[0]).toBe('Wendling Sociedad Anonima');
  expect(index.find('hojion gl')).toContain('Hojion');
  expect(index.find('hoijzon gl')).toEqual(['Horizon Gl']);
  await index.close();
});

test('a word of four letters with two errors is found; if four were typed, three of them must be in it', async () => {
  const index = await smallIndex([
    company({ names: ['Larkmoor Holding AB'] }),
    company({ names: ['Larkmoor Part AB'] }),
    company({ names: ['Part Invest AB'] }),
    company({ names: ['Baloise Bank AG'] }),
    company({ names: ['Baloise Bank Doha AG'] }),
    company({ names: ['Quexley Cafe Nord AG'] }),
    company({ names: ['Quexley Pipi AG'] }),
  ]);
  expect(index.find('larkmoor pfrat ab')).toEqual(['Larkmoor Part AB']);
  expect(index.find('pfrat')).toContain('Part Invest AB');
  expect(index.find('baloise bank soba')[0]).toBe('Baloise Bank AG');
  // Only two of the letters are the same.
  expect(index.find('papa')).toEqual([]);
  for (const q of ['quexley afce nord', 'quexley cafe notr'])
    expect([q, index.find(q)]).toEqual([q, ['Quexley Cafe Nord AG']]);
  await index.close();
});

test('a whole name with two errors is sought although a part of another name has one error', async () => {
  const index = await smallIndex([
    company({ names: ['Fekola SA'] }),
    company({ names: ['Shipping Pmontpu Feko SA'] }),
    company({ names: ['Wanaka Trust'] }),
    company({ names: ['Trust Services Waka Ltd'] }),
    ...Array.from({ length: 40 }, (_, at) => company({ names: [`Trust other${at}`] })),
  ]);
  expect(index.find('fekok sa')).toEqual(['Fekola SA', 'Shipping Pmontpu Feko SA']);
  // The other word has few companies in the first question, and many in the second.
  expect(index.find('services wakxxa trust')[0]).toBe('Trust Services Waka Ltd');
  expect(index.find('wakaa trust').toSorted()).toEqual(['Trust Services Waka Ltd', 'Wanaka Trust']);
  await index.close();
});

test('a word with two errors is found beside words that no name has, or that no name has together', async () => {
  const index = await smallIndex([
    company({ names: ['Krishna Rechberg AG'] }),
    company({ names: ['Krishna Holding'] }),
    ...Array.from({ length: 40 }, (_, at) => company({ names: [`Trust Holding other${at}`] })),
  ]);
  expect(index.find('kresvhna rcehberfg')).toEqual(['Krishna Rechberg AG']);
  for (const q of ['kresvhna xq7 holding', 'kresvhna holding 2019'])
    expect([q, index.find(q)[0]]).toEqual([q, 'Krishna Holding']);
  await index.close();
});

test('two letters may be typed for one that a keyboard lacks, in short words too, and count for more than an error', async () => {
  const index = await smallIndex([
    company({ names: ['ÖST BYGG AB'], country: 'SE' }),
    company({ names: ['Sø El ApS'], country: 'DK' }),
    company({ names: ['Müller Invest GmbH'], country: 'DE' }),
    company({ names: ['Mueler Invest GmbH'], country: 'DE' }),
    company({ names: ['Århus Køl A/S'], country: 'DK' }),
    company({ names: ['Banqu Neu Baur AG'], country: 'CH' }),
  ]);
  expect(index.find('OEST BYGG')).toEqual(['ÖST BYGG AB']);
  expect(index.find('soe el')).toEqual(['Sø El ApS']);
  expect(index.find('mueller invest')).toEqual(['Müller Invest GmbH', 'Mueler Invest GmbH']);
  expect(index.find('aarhus koel')).toEqual(['Århus Køl A/S']);
  await index.close();
});

test('the pieces of a word are parts of it that together have all its letters', () => {
  const word = fc.string({ unit: fc.constantFrom(...'larkmo'), minLength: 5, maxLength: 20 });
  fc.assert(
    fc.property(word, (text) => {
      const lengths = spelledPieces(text).map(({ restBytes }) => text.length - restBytes);
      expect(Math.min(...lengths)).toBeGreaterThan(0);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(text.length);
    }),
  );
});
