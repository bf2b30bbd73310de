/** Reads a list of names: each line gives the known facts of a company, or a reason why it can't be read. */
import { matchParameters } from '../../http/match-parameters.ts';
import { Refusal } from '../../http/parameters.ts';
import { leiIn } from '../../lei/identifiers.ts';
import type { KnownOfCompany } from '../../protocol/ext-questions.ts';

/** Names that are matched at once. */
export const namesMax = 50;

/** A line of the list. */
export interface NameLine {
  /** The parts as they were written; '' for absent ones. */
  readonly name: string;
  readonly country: string;
  readonly city: string;
  /** The question, or a sentence on the line's fault. */
  readonly asks: KnownOfCompany | string;
}

/**
 * Country and city may follow a name, separated by tabs, as cells of a spreadsheet are, or by semicolons. Any of them may
 * be in quotes, as in CSV. Empty lines are left out.
 */
export function readLines(text: string): readonly NameLine[] {
  const lines = withoutQuotes(text.replaceAll(/\r\n?/g, '\n'))
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const parts = line
      .split(line.includes('\t') ? '\t' : ';')
      .map((part) => tidied(part.replaceAll(quotedSemicolon, ';')));
    while (parts.length > partsMax && parts.at(-1) === '') parts.pop();
    const [name = '', country = '', city = '', ...more] = parts;
    const written = { name, country, city };
    if (more.length > 0) {
      return { ...written, asks: tooManyParts };
    }
    return { ...written, asks: knownFrom(written) };
  });
}

/** A quoted part, with the separators before and after it. Other quotes belong to a name: "Foo" GmbH. */
const quotedPart = /(?<=^|[\t;\n]) *"([^"]*(?:""[^"]*)*)" *(?=[\t;\n]|$)/g;

/** Stands for a semicolon in quotes until the lines are split: a character that no text has. */
const quotedSemicolon = '\u0000';

function withoutQuotes(text: string): string {
  return text.replaceAll(quotedPart, (_, part: string) =>
    part
      .replaceAll('""', '"')
      .replaceAll(/[\t\n]/g, ' ')
      .replaceAll(';', quotedSemicolon),
  );
}

const partsMax = 3;
const tooManyParts =
  'The line has more parts than name, country and city. Put a name that has a semicolon in it in quotes.';

/** Control characters, which come with pasted text, become spaces. */
function tidied(part: string): string {
  return part.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}

/** A name that is an LEI asks for that company, as in reconciliation. */
function knownFrom({ name, country, city }: Omit<NameLine, 'asks'>): KnownOfCompany | string {
  const faults: string[] = [];
  const read = (parameter: 'name' | 'country' | 'city', text: string): string | null => {
    if (text === '') return null;
    const outcome = matchParameters[parameter].read(text);
    if (!(outcome instanceof Refusal)) return outcome;
    faults.push(`The ${parameter} ${outcome.detail}.`);
    return null;
  };
  const identifier = leiIn(name);
  const known = {
    name: identifier === null ? read('name', name) : null,
    country: read('country', country),
    city: read('city', city),
    registrationNumber: null,
    lei: identifier,
  };
  if (name === '') faults.push('The line has no name.');
  return faults.length > 0 ? faults.join(' ') : known;
}
