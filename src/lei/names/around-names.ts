/** Reads a name out of what lists, letters, accounts and registers of customers write around it. */
import { withoutStreet } from './streets.ts';

/** How letters and lists address a company, and the titles of fields. */
const inFront = new RegExp(
  '^(?:(?:m/s\\.?|messrs\\.?|firma|fa\\.|ditta|spett\\.?(?:le)?)\\s+|' +
    '(?:(?:company|customer|client|supplier|vendor|issuer|legal|entity|account|counterparty)(?: legal)? name|' +
    'ref|name|company|firm|issuer|customer|client|supplier|vendor|counterparty|beneficiary|payee)\\s?[:=]\\s*)(?=\\S)',
  'i',
);

const taxNumbers =
  'vat|u?st\\.?-?id(?:-?nr)?|ust|mwst|tva|iva|btw|gst(?:in)?|tin|ein|nif|cif|nip|nit|rfc|rut|abn|acn|arbn|siret|oib|p\\. ?iva|cod\\. ?fisc';
/** Addresses of the net, numbers of telephones, taxes, accounts and securities, and remarks in square brackets. */
const behind = new RegExp(
  `[\\s,;(|–-](?:${[
    '[^\\s@]+@[\\w.-]+\\.[a-z]{2,}',
    '(?:https?://|www\\.)\\S+',
    '(?:tel|phone|ph|fax|mobile|mob)\\b[.:]*\\s*[+(]?\\d[\\d ()./-]{5,}',
    // At least seven digits: "IVA 2020-1" is a series.
    `(?:${taxNumbers})\\b[.:#]*\\s{0,3}(?:no|nr|number|id|reg)?[.:#]*\\s{0,3}(?=[a-z\\d])(?=(?:[a-z./ -]*\\d){7})[a-z]{0,3}[ -]?\\d[\\da-z]*(?:[./ -]{1,2}(?=[a-z]*\\d)[\\da-z]+)*`,
    '(?:a/?c|acct|account|konto|kto|cuenta|conto|compte)\\b[.:#]*\\s*(?:no|nr|number)?[.:#]*\\s*\\d[\\d-]{4,}',
    'iban\\b[.:]*\\s*[a-z]{2}\\d\\d[a-z\\d ]{8,}',
    '(?:bic|swift)(?: code)?\\s?[:/]\\s*[a-z]{6}[a-z\\d]{2,5}',
    'isin\\b[.:]*\\s*[a-z]{2}[a-z\\d]{9}\\d',
    '(?:cusip|sedol|wkn)\\b[.:]*\\s*(?=[a-z]*\\d)[a-z\\d]{6,9}',
    '\\[[^\\][]{1,30}\\]',
    'n/a',
  ].join('|')})[\\s.,;)]*$`,
  'i',
);

/** The number of a line in a list: "12.", "12)", "(12)", "#12". Names may begin so as well: "1. FC Larkmoor". */
const listNumber = /^(?:[([]\d{1,3}[)\]]|#\s?\d{1,3}[.):]?|\d{1,3}[.):])(?:\s+|(?=\p{L}))/u;

/** The name alone: first with the number of its line, then without it. None if nothing is around the name. */
export function namesAlone(text: string): readonly string[] {
  const names = [withoutSurroundings(text), withoutSurroundings(text.replace(listNumber, ''))];
  return [...new Set(names)].filter((name) => name !== text);
}

function withoutSurroundings(text: string): string {
  const name = withoutBehind(text.replace(inFront, ''));
  return /\p{L}.*\p{L}/su.test(name) ? name : text;
}

/** Several may follow each other. */
function withoutBehind(text: string): string {
  let name = text;
  for (let round = 0; round < mostBehind; round++)
    name = withoutStreet(name.replace(behind, '')).replace(separatorsAtEnd, '');
  return name;
}
const mostBehind = 4;
const separatorsAtEnd = /(?<![\s,;(|–-])[\s,;(|–-]+$/;
