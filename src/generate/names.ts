/** Generates names of companies, funds, people and public bodies, in the script of their country. */
import { Chooser, elementOf, type Random } from './random.ts';
import type { Country, LegalForm } from './vocabulary/countries.ts';
import type { Language, Word } from './vocabulary/languages.ts';

/** The number of coined words of each language; real registers have hundreds of thousands. */
const coinedWords = 300_000;

type Pattern = readonly NamePiece[];

const spaced: Chooser<Pattern> = new Chooser([
  [['coined', 'trade'], 17],
  [['noun', 'trade'], 10],
  [['family', 'trade'], 9],
  [['family', 'and', 'family'], 4],
  [['family', 'and', 'family', 'trade'], 4],
  [['coined'], 9],
  [['noun', 'noun'], 6],
  [['noun', 'noun', 'trade'], 7],
  [['coined', 'qualifier'], 7],
  [['coined', 'noun', 'trade'], 4],
  [['place', 'trade'], 4],
  [['given', 'family', 'trade'], 4],
  [['initials', 'trade'], 5],
  [['initials', 'family', 'qualifier'], 2],
  [['family', 'qualifier'], 3],
  [['noun', 'trade', 'number'], 2],
  [['coined', 'trade', 'qualifier'], 3],
  [['coined', 'trade', 'roman'], 2],
]);
const unspaced: Chooser<Pattern> = new Chooser([
  [['place', 'coined', 'trade'], 46],
  [['place', 'noun', 'noun', 'trade'], 18],
  [['noun', 'noun', 'trade'], 12],
  [['coined', 'trade'], 12],
  [['coined', 'trade', 'qualifier'], 8],
  [['noun', 'qualifier'], 4],
]);
const person: Pattern = ['given', 'family'];

const romans = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
const fundStrategies =
  'Global Equity,European Equity,US Equity,Emerging Markets,Emerging Markets Debt,High Yield,Corporate Bond,Government Bond,Absolute Return,Multi-Asset,Balanced,Income,Growth,Value,Small Cap,Infrastructure,Real Estate,Private Equity,Private Credit,Venture,Sustainable,Climate,Technology,Healthcare,Short Duration,Money Market,Total Return,Long/Short,Event Driven,Target 2045,Dividend,Quality,Momentum,Asia Pacific,Japan,China A-Shares,India,Latin America,Convertible,Inflation Linked'.split(
    ',',
  );
const fundKinds =
  'Fund,Fund,Fund,Master Fund,Feeder Fund,Portfolio,UCITS ETF,ETF,Trust,Sub-Fund,Opportunities Fund,Partners,Co-Invest,Strategy'.split(
    ',',
  );

/** A word made of syllables. The same rank always gives the same word. */
function coined(language: Language, rank: number): Word {
  const { syllables } = language;
  const size = syllables.length;
  // Scatters ranks, so that neighbours begin differently. The factor is odd and coprime to every table size.
  let rest = Math.imul(rank + 1, 0x9e3779b1) >>> 0;
  const count = rank % 3 === 0 || language.space === '' ? 2 : 3;
  let text = '';
  let latin = '';
  for (let position = 0; position < count; position++) {
    const syllable = elementOf(syllables, rest % size);
    rest = Math.floor(rest / size);
    text += syllable.text;
    latin += syllable.latin;
  }
  return { text: capitalised(text), latin: capitalised(latin) };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A word of a list, chosen by Zipf's law. */
function listed(list: readonly Word[], random: Random): Word {
  return elementOf(list, random.zipf(list.length));
}

function ascii(text: string): Word {
  return { text, latin: text };
}

const pieces = {
  coined: ({ language }, random) => coined(language, random.zipf(coinedWords)),
  noun: ({ language }, random) => listed(language.nouns, random),
  family: ({ language }, random) => listed(language.families, random),
  given: ({ language }, random) => listed(language.givens, random),
  trade: ({ language }, random) => listed(language.trades, random),
  qualifier: ({ language }, random) => listed(language.qualifiers, random),
  place({ places }, random) {
    const { city, latin } = elementOf(places, random.zipf(places.length));
    return { text: city.replace(/市$/, ''), latin };
  },
  initials: (_, random) => ascii(initials(random)),
  number: (_, random) => ascii(String(1 + random.zipf(400))),
  roman: (_, random) => ascii(random.pick(romans)),
  and: ({ language }, _) => ({ text: language.and.trim(), latin: '&' }),
} satisfies Record<string, (country: Country, random: Random) => Word>;
type NamePiece = keyof typeof pieces;

function initials(random: Random): string {
  const count = 2 + random.below(2);
  const dotted = random.chance(0.4);
  let text = '';
  for (let position = 0; position < count; position++) {
    text += String.fromCharCode(65 + random.below(26)) + (dotted ? '.' : '');
  }
  return text;
}

function joined(pattern: Pattern, country: Country, random: Random): Word {
  let text = '';
  let latin = '';
  for (const piece of pattern) {
    const word = pieces[piece](country, random);
    text += text === '' ? word.text : country.language.space + word.text;
    latin += latin === '' ? word.latin : ` ${word.latin}`;
  }
  return { text, latin };
}

/** The name of a company without its legal form. */
export function companyCore(country: Country, random: Random): Word {
  const patterns = country.language.space === '' ? unspaced : spaced;
  return joined(patterns.choose(random), country, random);
}

export function personName(country: Country, random: Random): Word {
  return joined(person, country, random);
}

export function fundCore(country: Country, random: Random): Word {
  const piece = random.chance(0.5) ? 'coined' : random.chance(0.5) ? 'noun' : 'family';
  const brand = pieces[piece](country, random);
  const kind = random.chance(0.3) ? ` ${random.pick(romans)}` : '';
  const rest = ` ${random.pick(fundStrategies)} ${random.pick(fundKinds)}${kind}`;
  return { text: brand.text + rest, latin: brand.latin + rest };
}

export function governmentName(country: Country, random: Random): Word {
  const place = elementOf(country.places, random.below(country.places.length));
  const template = random.pick(country.language.governments);
  return { text: template.replace('*', place.city), latin: `${place.latin} Authority` };
}

/** The name with its legal form, optionally in capitals. */
export function withForm(core: Word, form: LegalForm, capitals: boolean): Word {
  const text = `${form.before}${core.text}${form.after}`;
  const latin = `${core.latin}${form.latinAfter}`;
  return capitals ? { text: text.toUpperCase(), latin: latin.toUpperCase() } : { text, latin };
}
