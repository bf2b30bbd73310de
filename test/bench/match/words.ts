/**
 * Measures what a match answers to a question that says too little: asks for each word of the names of a data folder's companies
 * alone, without a country and with that of the company. A match is right if the word is the whole name of the matched company,
 * legal form aside. Of the others it shows each with `--show`, because some are short names. At last it asks for the names of one
 * word with a typing error, with their legal form and without, for each length of the word.
 *
 *     bun test/bench/match/words.ts --real DATA-FOLDER [--show]
 */
import { parseArgs } from 'node:util';
import { isUnspaced } from '../../../src/lei/names/characters.ts';
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { nameKey, nameParts, nameTerms } from '../../../src/lei/names/name-terms.ts';
import { oneError } from '../search/questions.ts';
import { createRandom, type Random } from '../search/random.ts';
import { type Answered, answerAll, judge } from './judge.ts';
import type { AskedName, NamedCompany } from './questions.ts';
import { namedCompanies, openReal } from './worlds.ts';

const { values } = parseArgs({
  options: { real: { type: 'string', default: '' }, show: { type: 'boolean', default: false } },
});

/** The words of a name of several words, as they are written. */
function wordsOf(name: string): readonly string[] {
  const words = (name.match(/[\p{L}\p{M}\p{N}&.'’]{2,}/gu) ?? []).map((word) =>
    word.replace(/^[.'’&]+|[.'’&]+$/g, ''),
  );
  return words.length < 2 ? [] : words.filter((word) => word.length > 1);
}

/** Each word once, and once in each country. */
function askedWords(companies: readonly NamedCompany[], withCountry: boolean): readonly AskedName[] {
  const asked = new Map<string, AskedName>();
  for (const { lei, name, country: own } of companies) {
    const country = withCountry ? own : null;
    for (const word of wordsOf(name)) {
      const question = { name: word, country, city: null, registrationNumber: null, lei: null };
      const key = `${foldedWords(word).join(' ')} ${country}`;
      if (!asked.has(key)) asked.set(key, { ways: [], question, meant: lei });
    }
  }
  return [...asked.values()];
}

/** Two keys: one leaves the legal forms out, and the other does not know them. */
function keysOf(name: string): readonly string[] {
  return [nameKey(nameTerms(name)), foldedWords(name).join('')];
}

function isWholeName({ asked, match }: Answered): boolean {
  const known = new Set((namesByLei.get(match.candidates[0]?.lei ?? '') ?? []).flatMap(keysOf));
  return keysOf(asked.question.name ?? '').some((key) => known.has(key));
}

const publication = await openReal(values.real);
const companies = namedCompanies(publication);
const namesByLei = new Map(companies.map(({ lei, name, otherNames }) => [lei, [name, ...otherNames]]));
for (const withCountry of [false, true]) {
  const asked = askedWords(companies, withCountry);
  const matched = answerAll(publication, asked).filter(({ match }) => match.verdict === 'match');
  const parts = matched.filter((answered) => !isWholeName(answered));
  const what = withCountry ? 'with the country' : 'the word alone';
  console.log(
    `${what}: ${asked.length} asked, ${matched.length - parts.length} matched by a whole name, ${parts.length} by a part of one`,
  );
  for (const {
    asked: { question },
    match,
  } of values.show ? parts : []) {
    const [best] = match.candidates;
    console.log(`  ${question.name}: ${best?.score} ${best?.country} ${best?.name}`);
  }
}

interface Mistyped {
  readonly letters: number;
  /** Without the legal form, and with it. */
  readonly texts: readonly [string, string];
}

/** The name with an error in its only word; null for another name, or if the error makes it one. */
function mistyped(name: string, random: Random): Mistyped | null {
  const [word = '', ...more] = nameParts(name).core;
  const at = name.toLowerCase().indexOf(word);
  if (more.length > 0 || at < 0 || isUnspaced(word) || !/^\p{L}{2,}$/u.test(word)) return null;
  const error = oneError(word, random);
  const whole = name.slice(0, at) + error + name.slice(at + word.length);
  const isName = [error, whole].some((text) => namesOfAll.has(nameKey(nameTerms(text))));
  return isName ? null : { letters: word.length, texts: [error, whole] };
}

const lettersMax = 12;
const namesOfAll = new Set([...namesByLei.values()].flat().map((name) => nameKey(nameTerms(name))));
for (const [withForm, withCountry] of [
  [0, false],
  [0, true],
  [1, false],
  [1, true],
] as const) {
  const counts = Array.from({ length: lettersMax + 1 }, () => ({ asked: 0, right: 0, wrong: 0 }));
  for (const seed of [1, 2, 3]) {
    const random = createRandom(seed);
    for (const { lei: meant, name: known, country: own } of companies) {
      const error = mistyped(known, random);
      const count = counts[Math.min(lettersMax, error?.letters ?? 0)];
      if (error === null || count === undefined) continue;
      const [name, country] = [error.texts[withForm], withCountry ? own : null];
      const question = { name, country, city: null, registrationNumber: null, lei: null };
      const { rightOfMatched, matched } = judge(answerAll(publication, [{ ways: [], question, meant }]));
      count.asked++;
      count.right += rightOfMatched;
      count.wrong += matched - rightOfMatched;
    }
  }
  console.log(
    `mistyped, ${withForm === 1 ? 'with' : 'without'} the form, ${withCountry ? 'with' : 'without'} the country:`,
  );
  for (const [letters, { asked, right, wrong }] of counts.entries()) {
    if (asked > 0) console.log(`  ${letters} letters: ${asked} asked, ${right} right, ${wrong} wrong`);
  }
}
await publication.close();
