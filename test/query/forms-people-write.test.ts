/** Tests which company is meant by names with everyday spellings of legal forms, and with states of the company. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { matchCompany } from '../../src/query/match.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { company, operator } from '../loader/publishing.ts';

/** The name of the record, its country, and how people write it. */
const forms: readonly (readonly [record: string, country: string, ...written: string[]])[] = [
  ['ALFA MONTAJ S.R.L.', 'RO', 'SC Alfa Montaj SRL', 'S.C. ALFA MONTAJ S.R.L.'],
  ['SAMUDERA KENCANA TBK', 'ID', 'PT Samudera Kencana Tbk', 'PT SAMUDERA KENCANA'],
  ['ETABLISSEMENTS LAMBERTIN', 'FR', 'Ets Lambertin', 'Établissements Lambertin'],
  ['ZASTAVNIK PROMET D.O.O.', 'RS', 'ZASTAVNIK PROMET DOO BEOGRAD'],
  ['KARHUNKIERROS OY', 'FI', 'Oy Karhunkierros Ab', 'Karhunkierros Oy Ab'],
  ['CÔNG TY TNHH MỘT THÀNH VIÊN MINH LONG PHÁT', 'VN', 'Cong ty TNHH MTV Minh Long Phat'],
  [
    "LATTERIA VALTORTA SOCIETA' COOPERATIVA A RESPONSABILITA' LIMITATA",
    'IT',
    'Latteria Valtorta Soc Coop a r.l.',
    'LATTERIA VALTORTA SCARL',
  ],
  [
    'TORNERIA BRAMBILLA S.R.L.',
    'IT',
    'Torneria Brambilla Srl Unipersonale',
    'TORNERIA BRAMBILLA SRL A SOCIO UNICO',
    'Torneria Brambilla s.r.l.u.',
  ],
  [
    'Holzkontor Brinkum UG (haftungsbeschränkt)',
    'DE',
    'Holzkontor Brinkum UG (haftungsbeschraenkt)',
    'HOLZKONTOR BRINKUM UG',
  ],
  ['TALLGRASS SEED COMPANY', 'US', 'TALLGRASS SEED COMP', 'Tallgrass Seed Co.'],
  ['COPPERLINE DRILLING LLC', 'US', 'COPPERLINE DRILLING LTD LIAB CO', 'Copperline Drilling L.L.C.'],
  ['FERNHOLLOW DAIRY COOPERATIVE', 'US', 'Fernhollow Dairy Co-op'],
  ['MILLRACE BANK, NATIONAL ASSOCIATION', 'US', 'Millrace Bank, N.A.', 'MILLRACE BK NA', 'Millrace Bank'],
  ['Harrowgate Bank, N.A.', 'US', 'HARROWGATE BANK NATIONAL ASSOCIATION', 'Harrowgate Bank Natl Assn'],
  ['TAMARACK FEDERAL CREDIT UNION', 'US', 'TAMARACK FCU'],
  ['QUILLFORD FEDERAL SAVINGS BANK', 'US', 'QUILLFORD FSB', 'Quillford Fed Svg Bk'],
  ['OAKMERE MORTGAGE, LLC', 'US', 'OAKMERE MTG LLC'],
  ['BANK OF COMMERCE OF ALDENBURG', 'US', 'BK OF CMRC OF ALDENBURG'],
  // Forms that are mistyped.
  [
    'Nepomuk Hasenöhrl e.U.',
    'AT',
    'Nepomuk Hasenöhrl e.UU.',
    'Nepomuk Hasenöhrl eU',
    'Nepomuk Hasenöhrl e. U..',
  ],
  ['WINTERBOURNE TILES LIMITED', 'GB', 'Winterbourne Tiles Limitd', 'Winterbourne Tiles Limtied'],
  ['Schraubenwerk Zeidler GmbH', 'DE', 'Schraubenwerk Zeidler G.m.bH', 'Schraubenwerk Zeidler GmmbH'],
  // States of the company, in the question or in the record.
  ['Zimmerei Oberholzer AG', 'CH', 'Zimmerei Oberholzer AG in Liquidation', 'Zimmerei Oberholzer AG i.L.'],
  [
    'Talleres Ribadumia S.L.',
    'ES',
    'TALLERES RIBADUMIA SL EN LIQUIDACION',
    'Talleres Ribadumia SL en concurso',
  ],
  [
    'PENHALIGON SLATE LIMITED',
    'GB',
    'Penhaligon Slate Ltd in administration',
    'PENHALIGON SLATE LTD (in liq.)',
  ],
  ['Filatura Monteverdi S.p.A.', 'IT', 'Filatura Monteverdi SpA in liquidazione'],
  ['Drukkerij Oosterhesselen B.V. in liquidatie', 'NL', 'Drukkerij Oosterhesselen BV'],
  ['ATELIERS DU VERCORS SAS EN LIQUIDATION', 'FR', 'Ateliers du Vercors SAS', 'ATELIERS DU VERCORS'],
];

let publication: PublicationReader;
beforeAll(async () => {
  const someone = operator();
  await someone.load({
    at: '2026-01-01T00:00:00Z',
    companies: forms.map(([name, country], n) => company(n + 1, { name, country, legalForm: '9999' })),
  });
  publication = await someone.open();
});
afterAll(() => publication.close());

describe('a match', () => {
  for (const [record, country, ...written] of forms) {
    for (const name of written) {
      test(`of ${name} is ${record}`, () => {
        const nothing = { city: null, registrationNumber: null, lei: null };
        const { verdict, candidates } = matchCompany(publication, { name, country, ...nothing });
        expect([verdict, candidates[0]?.name]).toEqual(['match', record]);
      });
    }
  }
});
