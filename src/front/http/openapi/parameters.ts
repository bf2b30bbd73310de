/** The parameters of the operations, with the constraints that validation holds them to. */
import { registrationStatuses } from '../../../lei/codes.ts';
import { searchTextMax, searchTextMin } from '../../../protocol/questions.ts';
import type { Subject } from '../endpoints.ts';
import { limitDefault, limitMax, type ParameterName } from '../parameters.ts';
import type { JsonObject } from './json.ts';

const query = (name: ParameterName, required: boolean, description: string, schema: JsonObject) => ({
  name,
  in: 'query',
  required,
  description,
  schema,
});

const queryParameters: Readonly<Record<ParameterName, JsonObject>> = {
  q: {
    ...query(
      'q',
      true,
      `What to look for: words of a company name, in any order, with or without accents and legal form; or an LEI, a BIC or a registration number. Spaces around it do not count. ${searchTextMin} to ${searchTextMax} characters, one of them a letter or a digit.`,
      { type: 'string', minLength: searchTextMin, maxLength: searchTextMax },
    ),
    example: 'deutsche bank',
  },
  country: query(
    'country',
    false,
    'Only companies whose legal address is in this country (ISO 3166-1 alpha-2, in any case).',
    { type: 'string', minLength: 2, maxLength: 2, examples: ['DE'] },
  ),
  status: query('status', false, 'Only companies with this registration status (LEI-CDF, in any case).', {
    type: 'string',
    enum: [...registrationStatuses],
    examples: ['ISSUED'],
  }),
  cursor: query(
    'cursor',
    false,
    'Where to go on: the value of `links.next` of the page before, as it is, with the same other parameters (only `limit` may change).',
    { type: 'string', minLength: 1, pattern: '^[A-Za-z0-9_-]+$' },
  ),
  limit: query('limit', false, 'How many items a page holds at most.', {
    type: 'integer',
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    examples: [limitDefault],
  }),
};

/** With the example beside the schema, not in it: from there the page at /docs fills its field. */
const identifier = (name: Subject, description: string, pattern: string, example: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern },
  example,
});

/** Patterns take either case, as the service does; check digits are beyond a pattern. */
const pathParameters: Readonly<Record<Subject, JsonObject>> = {
  lei: identifier(
    'lei',
    'Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits (ISO 7064 MOD 97-10), in any case.',
    '^[A-Za-z0-9]{18}[0-9]{2}$',
    '213800E5Z6QRDSMZMK84',
  ),
  bic: identifier(
    'bic',
    'Business Identifier Code (ISO 9362), 8 or 11 characters, in any case. The 8-character form and its 11-character form with `XXX` find the same.',
    '^[A-Za-z0-9]{4}[A-Za-z]{2}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$',
    'DEUTDEFF',
  ),
  isin: identifier(
    'isin',
    'International Securities Identification Number (ISO 6166) with its check digit, in any case.',
    '^[A-Za-z]{2}[A-Za-z0-9]{9}[0-9]$',
    'DE0005140008',
  ),
  mic: identifier(
    'mic',
    'Market Identifier Code (ISO 10383), operating or segment, in any case.',
    '^[A-Za-z0-9]{4}$',
    'XETR',
  ),
  gem: identifier(
    'gem',
    'Global Energy Monitor entity id: E1 and eleven digits.',
    '^[Ee]1[0-9]{11}$',
    'E100000001096',
  ),
  qcc: identifier(
    'qcc',
    'Qichacha code: Q, the two letters of a country, seven digits or letters other than I, L, O and Z, in any case.',
    '^[Qq][A-Za-z]{2}[0-9A-HJKMNP-Ya-hjkmnp-y]{7}$',
    'QSGM6KFM4H',
  ),
};

export const parameterComponents: JsonObject = { ...pathParameters, ...queryParameters };

export function parameterReference(name: Subject | ParameterName): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}
