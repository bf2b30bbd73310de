/**
 * Measures how a match tells the funds, trusts and series of one group apart: asks for the companies of a data folder whose name
 * has a number with that number, with another one, without it, and in other numerals, and for the others with a number behind.
 *
 *     bun test/bench/match/numbers.ts --real DATA-FOLDER
 */
import { parseArgs } from 'node:util';
import { nameParts } from '../../../src/lei/names/name-terms.ts';
import { ordinalAt, otherNumerals } from '../../../src/lei/names/ordinals.ts';
import { answerAll, judge } from './judge.ts';
import type { AskedName, NamedCompany } from './questions.ts';
import { namedCompanies, openReal } from './worlds.ts';

const { values } = parseArgs({ options: { real: { type: 'string', default: '' } } });

interface NumberedName {
  readonly lei: string;
  readonly before: string;
  readonly number: string;
  readonly after: string;
}

/** The last number of the name, where it stands as one word. Null for a name without a number. */
function numberedName({ lei, name }: NamedCompany): NumberedName | null {
  const { core } = nameParts(name);
  const at = core.findLastIndex((_, place) => place > 0 && ordinalAt(core, place) !== null);
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${core[at]}(?![\\p{L}\\p{N}])`, 'giu');
  const found = at < 1 ? undefined : [...name.matchAll(word)].at(-1);
  if (found === undefined) return null;
  const [number] = found;
  return { lei, before: name.slice(0, found.index), number, after: name.slice(found.index + number.length) };
}

/** One that hardly any name has. */
function otherNumber(number: string): string {
  if (/^\d+$/.test(number)) return String(Number(number) + 50);
  if (number.length > 1 || /^[ivx]$/i.test(number)) return 'XXXIX';
  return number.toUpperCase() === 'Q' ? 'W' : 'Q';
}

const nothing = { country: null, city: null, registrationNumber: null, lei: null };

function asked({ before, after }: NumberedName, number: string, meant: string | null): AskedName {
  const name = `${before}${number}${after}`.replace(/\s+/g, ' ');
  return { ways: [], question: { name, ...nothing }, meant };
}

const publication = await openReal(values.real);
const companies = namedCompanies(publication);
const names = companies.flatMap((company) => numberedName(company) ?? []);
const plain = companies.filter((company) => numberedName(company) === null);
const kinds: Readonly<Record<string, readonly AskedName[]>> = {
  'as it is': names.map((name) => asked(name, name.number, name.lei)),
  'in other numerals': names.flatMap((name) =>
    otherNumerals(name.number.toLowerCase()).map((number) => asked(name, number.toUpperCase(), name.lei)),
  ),
  'another number': names.map((name) => asked(name, otherNumber(name.number), null)),
  'without it': names.map((name) => asked(name, '', null)),
  'a number that it lacks': plain.map(({ name }) =>
    asked({ lei: '', before: name, number: '', after: '' }, ' XIX', null),
  ),
};
for (const [kind, questions] of Object.entries(kinds)) {
  const { matched, found } = judge(answerAll(publication, questions));
  const right = found > 0 ? `, ${(found * 100).toFixed(1)} % rightly` : '';
  console.log(`${kind}: ${questions.length} asked, ${matched} matched${right}`);
}
await publication.close();
