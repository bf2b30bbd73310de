/** Generates addresses as each country writes them. */
import type { Address } from '../lei/company-parts.ts';
import { elementOf, type Random } from './random.ts';
import type { Country, GeneratedCity } from './vocabulary/countries.ts';

const careOf = [
  'c/o The Corporation Trust Company',
  'c/o Maples Corporate Services Limited',
  'c/o Ogier Global (Cayman) Limited',
  'c/o Walkers Corporate Limited',
  'c/o Citco Fund Services',
  'c/o Northern Trust Fiduciary Services',
];
const additions = [
  'Suite 500',
  '3rd Floor',
  'Building B',
  '2nd Floor',
  'Suite 4700',
  'Business Park',
  'P.O. Box 309',
  'Tower A',
];

/** Fills a mask with random characters: `#` becomes a digit, `@` a letter. */
export function filled(mask: string, random: Random): string {
  if (mask.indexOf('#') < 0 && mask.indexOf('@') < 0) return mask;
  let text = '';
  for (let index = 0; index < mask.length; index++) {
    const character = mask.charAt(index);
    if (character === '#') text += String(random.below(10));
    else if (character === '@') text += String.fromCharCode(65 + random.below(26));
    else text += character;
  }
  return text;
}

/** A street with its name and number, in the style of the language. */
function streetLine(country: Country, random: Random): string {
  const { language } = country;
  const template = random.pick(language.streets);
  const words = random.chance(0.5) ? language.nouns : language.families;
  const name = elementOf(words, random.zipf(words.length)).text;
  const number = String(1 + random.zipf(600));
  const line = template.replace('*', name).replace('*', name).replace('#', number).replace('#', number);
  return random.chance(country.capitals) ? line.toUpperCase() : line;
}

/** A random address in the country. */
export function addressOf(country: Country, random: Random): Address {
  const place = elementOf(country.places, random.zipf(country.places.length));
  const lines = [streetLine(country, random)];
  if (random.chance(0.18)) lines.push(random.pick(additions));
  if (lines.length > 1 && random.chance(0.3)) lines.push(streetLine(country, random));
  return {
    language: country.tag,
    addressLines: lines,
    addressNumber: random.chance(0.05) ? String(1 + random.zipf(300)) : null,
    addressNumberWithinBuilding: random.chance(0.03) ? String(1 + random.below(60)) : null,
    mailRouting: random.chance(0.02) ? random.pick(careOf) : null,
    city: cityOf(country, place, random),
    region: random.chance(0.72) ? place.region : null,
    country: country.code,
    postalCode: place.postal === '' ? null : filled(place.postal, random),
  };
}

function cityOf(country: Country, place: GeneratedCity, random: Random): string {
  return country.language.latin && random.chance(country.capitals) ? place.city.toUpperCase() : place.city;
}

/** The same address in Latin letters. */
export function latinAddress(country: Country, address: Address, random: Random): Address {
  const place =
    country.places.find((candidate) => candidate.city === address.city) ?? elementOf(country.places, 0);
  return {
    ...address,
    language: 'en',
    addressLines: [`${1 + random.zipf(300)} ${place.latin} Road`],
    city: place.latin,
  };
}
