import { expect, test } from 'bun:test';
import { namesAlone } from '../../../src/lei/names/around-names.ts';

test('what lists, letters and accounts write around a name is left out', () => {
  const texts = [
    'M/s Larkmoor Ltd',
    'Company name: Larkmoor Ltd',
    'Larkmoor Ltd info@larkmoor.example',
    'Larkmoor Ltd (https://larkmoor.example/about)',
    'Larkmoor Ltd Tel. +41 44 123 45 67, Fax: 044 123 45 68',
    'Larkmoor Ltd VAT CHE-123.456.789',
    'Larkmoor Ltd, VAT No. GB 123 4567 89',
    'Larkmoor Ltd Acct. No. 499186',
    'Larkmoor Ltd IBAN CH93 0076 2011 6238 5295 7',
    'Larkmoor Ltd ISIN US0378331005',
    'Larkmoor Ltd SEDOL B0YBKJ7',
    'Larkmoor Ltd [SDN]',
    'Larkmoor Ltd N/A',
  ];
  for (const text of texts) expect([text, namesAlone(text)]).toEqual([text, ['Larkmoor Ltd']]);
  expect(namesAlone('12. M/s Larkmoor Ltd')).toEqual(['Larkmoor Ltd']);
  expect(namesAlone('12. Larkmoor Ltd [SDN]')).toEqual(['12. Larkmoor Ltd', 'Larkmoor Ltd']);
});

test('words that only look like those around a name stay', () => {
  const names = [
    'Larkmoor IVA 2020-1 Srl',
    'Larkmoor TIN 5 Mining Ltd',
    'Larkmoor UST 20211',
    'Larkmoor Swift Transportation',
    'Firmament AG',
    '3M Larkmoor',
    'Kestrel Tel Aviv 1',
    'info@larkmoor.example',
  ];
  for (const name of names) expect(namesAlone(name)).toEqual([]);
});
