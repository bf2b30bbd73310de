/** The words of stored records, compared with those of the records' values, which are folded one by one. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import type { Address } from '../../src/lei/company-parts.ts';
import { packCompany, withProvenance } from '../../src/store/company-record.ts';
import { hasWords, RecordWords, withoutSigns, wordsOf } from '../../src/store/record-words.ts';
import { hashOfWord, soughtWords } from '../../src/store/sought-words.ts';
import { furtherPlaces, placesOfPart, searchedPlaces, type TextPart } from '../../src/store/text-parts.ts';
import { runs } from '../support/runs.ts';
import { addressesOf, record } from './random-records.ts';

const pieces = [
  'a',
  'B',
  'und',
  'AND',
  'et',
  'GmbH',
  'S.A.',
  'A/S',
  "O'Neill",
  "L'Aquila",
  'é',
  'ß',
  '日本',
  '12',
  '3a',
  'AE',
  'Ⓐe',
  'Б',
  'a\u00ade',
  '&eacute;',
  '&#101;',
  '"e"',
  'e\\a',
  '𝐚',
];
const signs = [' ', '  ', '.', '. ', '/', '-', ' & ', '+', "'", '&amp;', ', ', '`', '_'];
/** Written as names and addresses are, with what folding has rules for. */
const written = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...signs)), { maxLength: 6 })
  .map((parts) => parts.flat().join(''));
const company = fc.tuple(record, written, written, written, written).map(
  ([random, name, line, city, number]): LegalEntityRecord => ({
    ...random,
    entity: {
      ...random.entity,
      legalName: { ...random.entity.legalName, name },
      legalAddress: { ...random.entity.legalAddress, addressLines: [line, city], city },
      registeredAs: number,
    },
    validation: { ...random.validation, validatedAs: number },
  }),
);

const storedOf = (company: LegalEntityRecord) =>
  Buffer.from(withProvenance(packCompany(company), { file: 0, firstSeen: 0, lastChanged: 0 }));

const words = new RecordWords();
function wordsAt(company: LegalEntityRecord, places: typeof searchedPlaces): string[][] {
  const bytes = storedOf(company);
  words.read({ bytes, length: bytes.length }, places);
  const texts = new Map<number, string[]>();
  for (let at = 0; at < words.count; at++) {
    const word = words.wordAt(at);
    expect(words.hashes[at]).toBe(hashOfWord(word));
    const text = words.texts[at] ?? 0;
    texts.set(text, [...(texts.get(text) ?? []), word]);
  }
  return [...texts.values()].map((text) => [...new Set(text)].sort());
}

const inOrder = (all: readonly (readonly string[])[]) =>
  all.flatMap((each) => (each.length === 0 ? [] : [[...new Set(each)].sort().join(' ')])).sort();
const present = (values: readonly (string | null)[]) => values.filter((value) => value !== null);
const wordsIn = (...values: readonly (string | null)[]) => present(values).flatMap(wordsOf);
const numbersIn = (...values: readonly (string | null)[]) => [
  ...wordsIn(...values),
  ...present(values)
    .map(withoutSigns)
    .filter((word) => word !== ''),
];

function wordsOfAddress(address: Address): readonly string[] {
  const { addressLines, addressNumber, addressNumberWithinBuilding, mailRouting } = address;
  const { city, region, country, postalCode } = address;
  const others = [addressNumber, addressNumberWithinBuilding, mailRouting, city, region, country, postalCode];
  return wordsIn(...addressLines, ...others);
}

/** The texts of each part, as words. */
const expected = {
  addresses: (each) => addressesOf(each).map((address) => [...wordsOfAddress(address)]),
  cities: (each) => addressesOf(each).map(({ city }) => wordsIn(city)),
  postalCodes: (each) => addressesOf(each).map(({ postalCode }) => wordsIn(postalCode)),
  registeredAs: ({ entity }) => [numbersIn(entity.registeredAs)],
  validatedAs: ({ validation }) => [numbersIn(validation.validatedAs)],
  registeredAtOther: ({ entity }) => [wordsIn(entity.registeredAt.other)],
  otherLegalForm: ({ entity }) => [wordsIn(entity.legalForm.other)],
  associatedEntity: ({ entity }) => [
    wordsIn(entity.associatedEntity?.lei ?? null, entity.associatedEntity?.name ?? null),
  ],
  successorEntities: ({ entity }) => entity.successorEntities.map(({ lei, name }) => wordsIn(lei, name)),
  otherAuthorityNumbers: ({ validation }) =>
    validation.otherValidationAuthorities.map(({ validatedAs }) => numbersIn(validatedAs)),
} as const satisfies Partial<Record<TextPart, (company: LegalEntityRecord) => readonly string[][]>>;
const parts = Object.keys(expected).filter((name): name is keyof typeof expected => name in expected);

test('each text of a record has the words of its values, and numbers also as a whole', () => {
  fc.assert(
    fc.property(company, (each) => {
      for (const part of parts) {
        // A headquarters address that is the legal address is read once.
        const found = new Set(inOrder(wordsAt(each, placesOfPart[part])));
        expect([part, found]).toEqual([part, new Set(inOrder(expected[part](each)))]);
      }
    }),
    { numRuns: 300 },
  );
});

test('the words that columns tell of are those of all texts of a company', () => {
  fc.assert(
    fc.property(company, (each) => {
      const { legalName, otherNames, transliteratedOtherNames } = each.entity;
      const names = wordsIn(
        legalName.name,
        ...[...otherNames, ...transliteratedOtherNames].map(({ name }) => name),
      );
      const ofParts = parts.flatMap((part) => expected[part](each).flat());
      const found = new Set(wordsAt(each, [...searchedPlaces, ...furtherPlaces]).flat());
      expect([...names, ...ofParts].filter((word) => !found.has(word))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

/** Words of the pieces and of several of them together. */
const soughtWord = fc.constantFrom(
  'a',
  'ae',
  'sa',
  'as',
  'e',
  'ea',
  'and',
  '12',
  '3a',
  '123a',
  '日本',
  'ss',
  'loneill',
  'oneill',
  'b',
  'gmbh',
  'x',
);
const soughtPart = fc.constantFrom<TextPart>(
  'everything',
  'addresses',
  'cities',
  'registeredAs',
  'validatedAs',
);

test('a record has words if one of its texts has all of them, or all texts together', () => {
  let found = 0;
  fc.assert(
    fc.property(
      company,
      soughtPart,
      fc.uniqueArray(soughtWord, { minLength: 1, maxLength: 2 }),
      (each, part, sought) => {
        const texts = wordsAt(each, placesOfPart[part]);
        const searched = part === 'everything' ? [texts.flat()] : texts;
        const expectedly = searched.some((text) => sought.every((word) => text.includes(word)));
        const bytes = storedOf(each);
        expect(hasWords({ bytes, length: bytes.length }, part, soughtWords(sought))).toBe(expectedly);
        if (expectedly) found++;
      },
    ),
    { numRuns: runs(1000) },
  );
  expect(found).toBeGreaterThan(50);
});
