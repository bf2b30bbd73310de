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

/** The name of the record, its country, and the same with what people write around it in its script. */
const around: readonly (readonly [record: string, country: string, ...written: string[]])[] = [
  [
    '和光物産株式会社',
    'JP',
    '和光物産株式会社 東京',
    '和光物産株式会社（大阪）',
    '和光物産株式会社、東京',
    '和光物産株式会社 Tokyo',
    '和光物産株式会社 日本',
    '和光物産株式会社大阪支店',
    '株式会社和光物産 大阪支店',
    '和光物産株式会社 小倉支店',
    '和光物産株式会社 本社',
    '和光物産株式会社 御中',
  ],
  [
    '紅百合紡織有限公司',
    'TW',
    '紅百合紡織有限公司 台北',
    '紅百合紡織有限公司（上海）',
    '红百合纺织有限公司，北京',
    '紅百合紡織有限公司上海分公司',
    '紅百合紡織有限公司(上海分公司)',
    '紅百合紡織 台湾',
  ],
  ['泉州海沧银行股份有限公司', 'CN', '泉州海沧银行北京分行', '泉州海沧银行股份有限公司晋江支行'],
  [
    '(주)두리안랩스',
    'KR',
    '(주)두리안랩스 서울',
    '두리안랩스(주)부산지점',
    '두리안랩스 본사',
    '(주)두리안랩스 대한민국',
  ],
  [
    'Общество с ограниченной ответственностью "Тетис Каравелла"',
    'RU',
    'ООО "Тетис Каравелла" г.Москва',
    'ООО "Тетис Каравелла" Россия',
    'OOO "Teтис Kapaвeллa"',
    'Филиал ООО «Тетис Каравелла» в г. Казань',
    'ООО "Тетис Каравелла" Tetis Karavella',
    'Tetis Karavella (ООО "Тетис Каравелла")',
  ],
  [
    'ΚΑΛΑΒΡΥΤΙΝΟΣ ΑΝΩΝΥΜΗ ΕΤΑΙΡΕΙΑ ΕΠΕΝΔΥΣΕΩΝ',
    'GR',
    'Καλαβρυτινός Επενδύσεων Α.Ε.',
    'ΚΑΛΑΒΡΥΤΙΝΟΣ Α.Ε. ΕΠΕΝΔΥΣΕΩΝ',
    'ΚΑΛΑΒΡΥΤΙΝΟΣ ΕΠΕΝΔΥΣΕΩΝ',
    'KAΛABPYTINOΣ EΠENΔYΣEΩN Μονοπρόσωπη Α.Ε.',
  ],
  ['كوني السرين', 'OM', 'كوني السرين، مسقط', 'كوني السرين سلطنة عمان', 'كوني السرين فرع الإسكندرية'],
  [
    'შპს ელექტრა ფეი',
    'GE',
    'შპს ელექტრა ფეი, ქ. თბილისი',
    'შპს ელექტრა ფეი ბათუმი',
    'ელექტრა ფეი / Elektra Pei',
  ],
  [
    'กองทุนเปิดราชพฤกษ์พาณิชย์ตราสารหนี้ต่างประเทศ เอเอส 6MU3 ห้ามขายผู้ลงทุนรายย่อย',
    'TH',
    'กองทุนเปิดราชพฤกษ์พาณิชย์ตราสารหนี้ต่างประเทศ เอเอส ๖MU๓ ห้ามขายผู้ลงทุนรายย่อย',
  ],
  [
    'กองทุนเปิดราชพฤกษ์พาณิชย์ตราสารหนี้ต่างประเทศ เอเอส 6MK2 ห้ามขายผู้ลงทุนรายย่อย',
    'TH',
    'กองทุนเปิดราชพฤกษ์พาณิชย์ตราสารหนี้ต่างประเทศ เอเอส ๖MK๒ ห้ามขายผู้ลงทุนรายย่อย',
  ],
];

/** Names of other companies that have most words of these in common. */
const others: readonly (readonly [record: string, country: string, other: string])[] = [
  [
    'ОсОО "Веллесс Инвест, исламская специальная финансовая компания"',
    'KG',
    'ОсОО "Шектрон Инвест, исламская специальная финансовая компания", г. Бишкек',
  ],
  [
    'KB 온국민 TDF 2040 증권 자투자신탁(주식혼합-재간접형)(H)',
    'KR',
    'KB온국민TDF2030증권자투자신탁(주식혼합-재간접형)(H)',
  ],
  [
    'PINEBRIDGE INVESTMENTS HOLDINGS HONG KONG LIMITED',
    'HK',
    '海信國際營銷(香港)歐洲投資有限公司 (Hong Kong)',
  ],
  ['SKYROS PROPERTIES S.A.', 'GR', 'SKYROS ΑΚΙΝΗΤΑ ΚΑΙ ΕΡΓΑ Α.Ε.'],
  // Chinese characters that differ, where their known words are the same, or their sounds are alike.
  ['日本桜船株式会社', 'JP', '日本梅紙株式会社'],
  ['三井桜木株式会社', 'JP', '大三井梅林株式会社'],
  ['台桜科技股份有限公司', 'TW', '台影科技股份有限公司'],
  ['SHINAX INTERNATIONAL LIMITED', 'TW', '實威國際股份有限公司'],
];

let publication: PublicationReader;
beforeAll(async () => {
  const someone = operator();
  const all = [...names, ...around, ...others];
  const spelled = company(all.length + 1, { name: '札幌林業株式会社', country: 'JP', legalForm: '9999' });
  const records = all.map(([name, country], n) => company(n + 1, { name, country, legalForm: '9999' }));
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
  for (const [record, country, ...written] of [...names, ...around]) {
    for (const name of written) {
      test(`of ${name} is ${record}`, () => {
        expect(told(name, country)).toEqual(['match', record]);
      });
    }
  }

  for (const [record, country, other] of others) {
    test(`of ${other} is not ${record}`, () => {
      expect(told(other, country)[0]).not.toBe('match');
    });
  }

  test("takes the record's own transliterated name", () => {
    expect(told('Sapporo Ringyo KK', 'JP')).toEqual(['match', '札幌林業株式会社']);
  });
});
