/**
 * Makes synthetic companies around the real ones: names made of the words of real names with their real frequencies, of
 * invented words with a long tail, and of near misses (a real name with one word exchanged), so that every question has
 * many confusable answers. Seeded; no name equals a question's company after folding and dropping legal forms.
 */
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { splitLegalForms } from '../../../src/lei/names/legal-forms.ts';
import { nameKey, nameTerms } from '../../../src/lei/names/name-terms.ts';
import type { LinkedCompany } from '../../support/index-companies.ts';
import type { Question } from './questions.ts';
import { createRandom, type Random } from './random.ts';

const syllables = (
  'ba be bi bo bu ca ce ci co cu da de di do du fa fe fi fo ga ge gi go gu ha he hi ho ja jo ka ke ki ko ku la le li lo ' +
  'lu ma me mi mo mu na ne ni no nu pa pe pi po pu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo wa we wi ' +
  'za ze zi zo an en in on un ar er ir or al el il ol as es is os am em im at et ach ist and ing ton son man berg ' +
  'stein feld wood land field ford ville mont port ster'
).split(' ');
const initials = 'abcdefghijklmnopqrstuvwz';
const forms = (
  'Limited|Ltd|LLC|L.L.C.|Inc.|GmbH|GmbH & Co. KG|AG|S.A.|SA|SARL|S.r.l.|S.p.A.|B.V.|N.V.|AB|AS|ApS|Oy|Sp. z o.o.|' +
  'Kft.|s.r.o.|d.o.o.|S.L.|Lda|PLC|Pty Ltd|Private Limited|Co., Ltd.|Sdn. Bhd.|SAS|SCI|LP|LLP|SICAV|||||'
).split('|');
const trades = (
  'Fund Holdings Holding Investments Investment Capital Partners Trading Group International Services Real Estate ' +
  'Immobilien Verwaltungs Beteiligungs Energy Solar Wind Consulting Management Properties Ventures Finance Financial ' +
  'Solutions Technologies Industries Logistics Trust Global Equity Income Growth Opportunities Master Feeder Asset ' +
  'Development Construction Engineering Foods Pharma Medical Transport Shipping Export Import Invest Participations ' +
  'Gestion Patrimoine Immobiliare Agricola Servizi Comercial Industrial Digital Systems Software Design Media'
).split(' ');
const countries = 'US DE GB FR IT NL LU ES SE DK NO FI PL CZ AT CH BE IE IN CN JP AU CA BR KY'.split(' ');

interface Stock {
  /** Words of real names, repeated as often as they occur. */
  readonly realWords: readonly string[];
  readonly realCores: readonly (readonly string[])[];
  /** Names of real companies and questions, which no synthetic name may equal. */
  readonly taken: ReadonlySet<string>;
  /**
   * Questions by their longest word, for which a synthetic name with all their words would be an equally right answer.
   */
  readonly parts: ReadonlyMap<string, readonly (readonly string[])[]>;
}

function stockOf(real: readonly LinkedCompany[], questions: readonly Question[]): Stock {
  const realWords: string[] = [];
  const realCores: string[][] = [];
  const taken = new Set(questions.map(({ q }) => nameKey(nameTerms(q))));
  const parts = new Map<string, string[][]>();
  for (const { kind, q } of questions) {
    if (kind !== 'word missing' && kind !== 'unfinished') continue;
    const words = foldedWords(q).filter((word) => word !== '&');
    if (kind === 'unfinished') words.pop();
    const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
    const known = parts.get(longest);
    if (known === undefined) parts.set(longest, [words]);
    else known.push(words);
  }
  for (const { names } of real) {
    names.forEach(({ name }, i) => {
      taken.add(nameKey(nameTerms(name)));
      const core = splitLegalForms(foldedWords(name)).core.filter((word) => /^[a-z0-9]+$/.test(word));
      if (i === 0 && core.length > 0) {
        realWords.push(...core);
        realCores.push(core);
      }
    });
  }
  return { realWords, realCores, taken, parts };
}

/**
 * Makes `count` companies, one at a time, numbered after the real ones.
 * @param questions what no synthetic name may answer as well as the company that is meant: neither equal the question, nor
 *   hold all words of one that lacks a word or is unfinished
 */
export function* synthesize(
  real: readonly LinkedCompany[],
  questions: readonly Question[],
  count: number,
  seed: number,
): Generator<LinkedCompany> {
  const random = createRandom(seed);
  const stock = stockOf(real, questions);
  for (let made = 0; made < count; made++) {
    const names = [{ name: syntheticName(random, stock), type: 'LEGAL_NAME' }];
    while (random.number() < 0.23)
      names.push({ name: syntheticName(random, stock), type: 'TRADING_OR_OPERATING_NAME' });
    yield {
      entity: real.length + made + 1,
      lei: syntheticLei(made),
      names,
      country: random.of(countries),
      entityStatus: random.number() < 0.94 ? 'ACTIVE' : 'INACTIVE',
      registrationStatus: random.number() < 0.6 ? 'ISSUED' : 'LAPSED',
      registeredAs: random.number() < 0.9 ? String(random.whole(1e9)) : null,
      bics: [],
      directChildren: random.number() < 0.04 ? 1 + random.whole(30) : 0,
    };
  }
}

function syntheticLei(number: number): string {
  return `9999${((number * 2_654_435_761) % 2 ** 40).toString(36).toUpperCase().padStart(14, '0')}00`;
}

function syntheticName(random: Random, stock: Stock): string {
  for (;;) {
    const words = random.number() < 0.1 ? nearMiss(random, stock) : freshName(random, stock);
    if (stock.taken.has(nameKey(nameTerms(words.join(' ')))) || answersPart(words, stock)) continue;
    const form = random.of(forms);
    const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
    return (random.number() < 0.4 ? name.toUpperCase() : name) + (form === '' ? '' : ` ${form}`);
  }
}

function answersPart(words: readonly string[], stock: Stock): boolean {
  return words.some((word) =>
    stock.parts.get(word)?.some((part) => part.every((other) => words.includes(other))),
  );
}

/** A real name with one word exchanged, added or left out. */
function nearMiss(random: Random, stock: Stock): string[] {
  const words = [...random.of(stock.realCores)];
  const at = random.whole(words.length);
  const choice = random.number();
  if (choice < 0.5) words[at] = someWord(random, stock);
  else if (choice < 0.8) words.splice(at, 0, someWord(random, stock));
  else if (words.length > 2) words.splice(at, 1);
  else words.push(someWord(random, stock));
  return words;
}

function freshName(random: Random, stock: Stock): string[] {
  const words = [someWord(random, stock)];
  if (random.number() < 0.65) words.push(someWord(random, stock));
  while (words.length < 7 && random.number() < 0.45) {
    words.push(random.number() < 0.7 ? random.of(trades).toLowerCase() : someWord(random, stock));
  }
  if (random.number() < 0.12)
    words.push(random.number() < 0.5 ? String(1 + random.whole(30)) : random.of(['ii', 'iii', 'iv', 'v']));
  return words;
}

function someWord(random: Random, stock: Stock): string {
  const choice = random.number();
  if (choice < 0.42) return random.of(stock.realWords);
  if (choice < 0.5) return random.of(trades).toLowerCase();
  // The square of a uniform number: few invented words are common, most occur a few times.
  return inventedWord(Math.floor(random.number() ** 2.2 * 1_600_000));
}

/** The same number always gives the same word. */
function inventedWord(number: number): string {
  const random = createRandom(number + 77);
  let word = random.number() < 0.5 ? random.of([...initials]) : '';
  const parts = 2 + random.whole(3);
  for (let i = 0; i < parts; i++) word += random.of(syllables);
  return word;
}
