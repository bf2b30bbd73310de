/** Tests which company is meant by a question of one word, of which a longer name has more. */
import { type NameQuestion, testNameQuestions } from './match-questions.ts';

const names = [
  'BULK OCEAN SHIPPING COMPANY (BERMUDA) LTD.',
  'STOCHASTIC LARKMOOR (SL) LTD',
  'ABACUS COATING TIMBERS (ACT) PTY LTD',
  'PRIVATE EQUITY (POLARIS) LP',
  'PAN AFRICAN CONSULTING AND ENGINEERING SERVICES (PACES) LTD',
  'Quellberg Handel und Warenlogistik (QBHW)',
  'HEMSLEY SETTLEMENT (H118)',
  'CORP-COLMENAR S.A.S.',
  'NUCA-NULA BOTTLING LTD',
  'IBX-INTERNATIONAL BUSINESS XYLOPHONES LTD',
  'BNI - BANCO DE NEGOCIOS INTERNACIONAL S.A.',
  'PERU - PETROLEOS DEL NORTE S.A.',
  'ROMMEL & SØNNER (R&S) LTD',
];

const questions: readonly NameQuestion[] = [
  // A place, a legal form or a brand in brackets is no short name.
  ['Bermuda', 'none'],
  ['SL', 'none'],
  ['ACT', 'none'],
  ['Polaris', 'none'],
  // Capitals that are made of the name's letters are one.
  ['PACES', 'match', 'PAN AFRICAN CONSULTING AND ENGINEERING SERVICES (PACES) LTD'],
  ['QBHW', 'match', 'Quellberg Handel und Warenlogistik (QBHW)'],
  ['H118', 'match', 'HEMSLEY SETTLEMENT (H118)'],
  ['R&S', 'match', 'ROMMEL & SØNNER (R&S) LTD'],
  // So are those in front of a dash, and in front of a hyphen if the name's words begin with them.
  ['BNI', 'match', 'BNI - BANCO DE NEGOCIOS INTERNACIONAL S.A.'],
  ['Banco de Negocios Internacional', 'match', 'BNI - BANCO DE NEGOCIOS INTERNACIONAL S.A.'],
  ['IBX', 'match', 'IBX-INTERNATIONAL BUSINESS XYLOPHONES LTD'],
  ['Peru', 'none'],
  ['Corporacion', 'none'],
  ['Colmenar', 'ambiguous'],
  ['Nuca', 'none'],
];

testNameQuestions({ names, country: 'GB', askedCountry: null }, questions);
