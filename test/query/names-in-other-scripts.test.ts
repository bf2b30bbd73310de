/** Tests which company is meant by a name in Latin letters for a record in another script, and the reverse. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { matchCompany } from '../../src/query/match.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { company, operator } from '../loader/publishing.ts';

/** The name of the record, its country, and the same in another script. */
const names: readonly (readonly [record: string, country: string, ...written: string[]])[] = [
  ['Общество с ограниченной ответственностью "Вологодмаш"', 'RU', 'Vologodmash LLC'],
  ['АО КОММЕРЧЕСКИЙ БАНК КОСМОДРОМ', 'RU', 'Commercial Bank Cosmodrom'],
  ['ΤΡΑΠΕΖΑ ΚΑΛΑΒΡΥΤΩΝ ΑΝΩΝΥΜΗ ΕΤΑΙΡΕΙΑ', 'GR', 'KALAVRYTON BANK'],
  ['البنك العربي الإسلامي', 'JO', 'Arab Islamic Bank'],
  ['مصرف الزرقاوي', 'JO', 'Zarqawi Bank'],
  ['בנק גלבוע בע"מ', 'IL', 'Bank Gilboa Ltd'],
  ['株式会社ミズナラ銀行', 'JP', 'Mizunara Bank, Ltd.'],
  ['三井サクラ証券株式会社', 'JP', 'Mitsui Sakura Securities Co., Ltd.'],
  ['한화생명보험주식회사', 'KR', 'Hanwha Life Insurance Co., Ltd.'],
  ['厦门国际银行股份有限公司', 'CN', 'XIAMEN INTERNATIONAL BANK CO., LTD.'],
  ['BELSTROIMASH OAO', 'BY', 'ОАО «Белстроймаш»'],
  ['KOZANITIS SHIPPING S.A.', 'GR', 'ΚΟΖΑΝΙΤΗΣ SHIPPING Α.Ε.'],
  ['Sakurazaka Trust Bank, Limited', 'JP', 'サクラザカ信託銀行株式会社'],
  ['Ningbo Cement Co., Ltd.', 'CN', '宁波水泥有限公司'],
];

let publication: PublicationReader;
beforeAll(async () => {
  const someone = operator();
  const spelled = company(names.length + 1, { name: '札幌林業株式会社', country: 'JP', legalForm: '9999' });
  const records = names.map(([name, country], n) => company(n + 1, { name, country, legalForm: '9999' }));
  const transliteratedOtherNames = [
    { name: 'Sapporo Ringyo K.K.', language: 'en', type: 'PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME' },
  ];
  await someone.load({
    at: '2026-01-01T00:00:00Z',
    companies: [...records, { ...spelled, entity: { ...spelled.entity, transliteratedOtherNames } }],
  });
  publication = await someone.open();
});
afterAll(() => publication.close());

function told(name: string, country: string) {
  const nothing = { city: null, registrationNumber: null, lei: null };
  const { verdict, candidates } = matchCompany(publication, { name, country, ...nothing });
  return [verdict, candidates[0]?.name];
}

describe('a match', () => {
  for (const [record, country, ...written] of names) {
    for (const name of written) {
      test(`of ${name} is ${record}`, () => {
        expect(told(name, country)).toEqual(['match', record]);
      });
    }
  }

  test("takes the record's own transliterated name", () => {
    expect(told('Sapporo Ringyo KK', 'JP')).toEqual(['match', '札幌林業株式会社']);
  });
});
