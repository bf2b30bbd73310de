/** The facts by which a company is matched: how each value is read, and how the description shows it. */
import { identifierKey } from '../lei/names/name-terms.ts';
import { asItIs, type OwnParameter, queryParameters, Refusal, subjects } from './parameters.ts';

const textMax = 200;

const name: OwnParameter<string> = {
  read: queryParameters.q.read,
  spell: asItIs,
  required: null,
  description:
    'The name of the company in any spelling: with or without legal form and accents, mistyped, or abbreviated. 2 to 500 characters.',
  schema: queryParameters.q.schema,
  example: 'deutsche bnak ag',
};

const city: OwnParameter<string> = {
  read: boundedText,
  spell: asItIs,
  required: null,
  description: `The city of one of the company’s addresses. Up to ${textMax} characters.`,
  schema: { type: 'string', minLength: 1, maxLength: textMax },
};

/** The query thread reads it: the names of countries in all languages are too many for a front. */
const country: OwnParameter<string> = {
  read: boundedText,
  spell: asItIs,
  required: null,
  description: `The country of the company as people write it: a code of two or three letters (DE, DEU, also UK and EL) or a name in any major language (Germany, Allemagne, England). It does not limit the candidates. Up to ${textMax} characters.`,
  schema: { type: 'string', minLength: 1, maxLength: textMax, examples: ['DE'] },
};

const registrationNumber: OwnParameter<string> = {
  read(value) {
    if (identifierKey(value) === '')
      return new Refusal('must hold at least 3 letters and digits, one of them a digit');
    return boundedText(value);
  },
  spell: asItIs,
  required: null,
  description: `The company’s number in a business register, in any spelling; the code of the register may precede it, as in RA000585 12237710. Up to ${textMax} characters.`,
  schema: { type: 'string', minLength: 3, maxLength: textMax },
};

const lei: OwnParameter<string> = {
  read(value) {
    const check = subjects.lei.check(value);
    return check.ok ? check.value : new Refusal(`is not an LEI: ${check.reason}`);
  },
  spell: asItIs,
  required: null,
  description: 'The company’s LEI. If the name belongs to another company, the verdict is `ambiguous`.',
  schema: { type: 'string', pattern: subjects.lei.pattern },
};

function boundedText(value: string): string | Refusal {
  const text = value.trim();
  const length = text.length > 2 * textMax ? text.length : [...text].length;
  return length >= 1 && length <= textMax ? text : new Refusal(`must have 1 to ${textMax} characters`);
}

export const matchParameters = { name, country, city, registrationNumber, lei };
