/** Tests which company is meant by names as people copy them out of lists, tables and accounts. */
import { type NameQuestion, testNameQuestions } from './match-questions.ts';

const names = [
  'Larkmoor AG',
  'Tamarack Progressive Bank',
  'Dervaquil',
  'R.V.C. S.r.l.',
  '1. Verein Quillberg e.V.',
  'Verein Quillberg e.V.',
  '1. Skiverein Ostermoor e.V.',
  '300 Harrowgate Owner LLC',
  'Firma Ostwald GmbH',
  'Ostwald GmbH',
  'Kestrel Fund II LP',
  'Kestrel Fund III LP',
];

const questions: readonly NameQuestion[] = [
  // The number of a line in a list.
  ['12. Larkmoor AG', 'match', 'Larkmoor AG'],
  ['12.Larkmoor AG', 'match', 'Larkmoor AG'],
  ['12) Larkmoor AG', 'match', 'Larkmoor AG'],
  ['(12) Larkmoor AG', 'match', 'Larkmoor AG'],
  ['#12 Larkmoor AG', 'match', 'Larkmoor AG'],
  ['12. Larkmoor AG c/o Tamarack Progressive Bank', 'match', 'Larkmoor AG'],
  ['3. Dervaquil', 'match', 'Dervaquil'],
  ['12. 300 Harrowgate Owner LLC', 'match', '300 Harrowgate Owner LLC'],
  ['2. Kestrel Fund III LP', 'match', 'Kestrel Fund III LP'],
  ['3. Kestrel Fund LP', 'ambiguous'],
  // How letters address a company, and the titles of fields.
  ['M/s Larkmoor AG', 'match', 'Larkmoor AG'],
  ['Messrs. Tamarack Progressive Bank', 'match', 'Tamarack Progressive Bank'],
  ['Firma Larkmoor AG', 'match', 'Larkmoor AG'],
  ['12. Fa. Larkmoor AG', 'match', 'Larkmoor AG'],
  ['Company name: Tamarack Progressive Bank', 'match', 'Tamarack Progressive Bank'],
  // Addresses of the net, telephones, taxes, accounts and securities.
  ['Tamarack Progressive Bank info@tamarack.example', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack Progressive Bank, https://tamarack.example/about', 'match', 'Tamarack Progressive Bank'],
  [
    'Tamarack Progressive Bank Tel. +41 44 123 45 67 Fax: 044 123 45 68',
    'match',
    'Tamarack Progressive Bank',
  ],
  ['Tamarack Progressive Bank VAT No. GB 123 4567 89', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack Progressive Bank (TIN 12-3456789)', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack Progressive Bank A/C 12345', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack Progressive Bank IBAN CH93 0076 2011 6238 5295 7', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack Progressive Bank ISIN US0378331005', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack Progressive Bank [SDN]', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack Progressive Bank BIC: TAMAUS33XXX', 'match', 'Tamarack Progressive Bank'],
  // Words of another name.
  ['Dervaquil Swift Transportation', 'none'],
  ['Firmadervaquil', 'none'],
  ['Dervaquil IVA 2020-1 Srl', 'none'],
  ['Dervaquil PAN 2020-1 Trust', 'none'],
  // The name as it stands comes first.
  ['Firma Ostwald GmbH', 'match', 'Firma Ostwald GmbH'],
  ['1. Verein Quillberg e.V.', 'match', '1. Verein Quillberg e.V.'],
  ['Verein Quillberg e.V.', 'match', 'Verein Quillberg e.V.'],
  ['2. Verein Quillberg e.V.', 'match', 'Verein Quillberg e.V.'],
  ['1. Skiverein Ostermoor', 'match', '1. Skiverein Ostermoor e.V.'],
  // Columns of a table.
  ['Larkmoor AG\tActive', 'match', 'Larkmoor AG'],
  ['Tamarack Progressive Bank\tActive', 'match', 'Tamarack Progressive Bank'],
  ['Dervaquil\tsince 2019\tLapsed', 'match', 'Dervaquil'],
  ['R.V.C. S.r.l.\tActive', 'match', 'R.V.C. S.r.l.'],
  ['12\t529900ODI3047E2LIV03\tTamarack Progressive Bank', 'match', 'Tamarack Progressive Bank'],
  ['US\tTamarack Progressive Bank\tissued', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack\tProgressive Bank', 'match', 'Tamarack Progressive Bank'],
  ['Tamarack Progressive Bank (Active)', 'match', 'Tamarack Progressive Bank'],
  // Accounts of a group.
  ['Tamarack Progressive Bank and subsidiaries', 'match', 'Tamarack Progressive Bank'],
  ['Dervaquil and its subsidiaries', 'match', 'Dervaquil'],
  ['Dervaquil (and consolidated subsidiaries)', 'match', 'Dervaquil'],
  ['Larkmoor AG und Tochtergesellschaften', 'match', 'Larkmoor AG'],
  ['Dervaquil et ses filiales', 'match', 'Dervaquil'],
  ['Dervaquil Subsidiaries Finance', 'none'],
];

testNameQuestions({ names, country: 'US', askedCountry: null }, questions);
