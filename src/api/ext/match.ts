/**
 * `/ext/v1/match`: which company a name, a registration number or an LEI refers to, and how certain that is.
 * `/ext/v1/suggest`: companies for a name while it is typed.
 */
import { Type } from '@sinclair/typebox';
import { matchParameters } from '../../http/match-parameters.ts';
import { SuggestAnswerSchema } from '../../lei/list-answers.ts';
import { LeiSchema, nullable, object, said, text, textOrNull } from '../../lei/schema.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import matchExample from './examples/match.json' with { type: 'json' };
import suggestExample from './examples/suggest.json' with { type: 'json' };

const verdicts = ['match', 'ambiguous', 'none'] as const;

function feature(description: string) {
  const share = Type.Number({ minimum: 0, maximum: 1 });
  return nullable(
    share,
    `${description} 0 (not at all) to 1 (wholly); null if the request or the record has no value to compare.`,
  );
}

const FeaturesSchema = object(
  {
    name: feature('How similar the names are, without legal forms: the best of all names of the company.'),
    legalForm: feature(
      'Whether the legal form in the name is that of the company; 0.8 if it may be its English translation, 0.4 if the company has none, 0.2 if the form is rare in its country.',
    ),
    country: feature(
      'Whether the country is that of the legal address; 0.9 if it is that of the headquarters.',
    ),
    city: feature(
      'How similar the city is to that of one of the company’s addresses; 1 for another name of the same city.',
    ),
    registrationNumber: feature(
      'Whether the number is the company’s, however it is written; 0.2 if the register is another one.',
    ),
    form: textOrNull('The legal forms that were read out of the name, such as `ag`.', 'ag'),
    state: textOrNull(
      'The state of the company that was read out of the name, as it was written.',
      'in liquidation',
    ),
    place: textOrNull(
      'The place that was read from behind the name: its city, its country, or both.',
      'london, GB',
    ),
    branch: Type.Boolean({ description: 'Whether the name means a branch; it is at that place.' }),
  },
  'The features of which the score is made, and what was read out of the name.',
);
const CandidateSchema = object({
  lei: said(LeiSchema, 'The LEI of the company.'),
  name: text('Its legal name.'),
  country: textOrNull('The country of its legal address, a code of ISO 3166-1 alpha-2.', 'DE'),
  score: Type.Number({ minimum: 0, maximum: 1, description: 'The probability that this is the company.' }),
  features: FeaturesSchema,
});
const MatchAnswerSchema = object({
  verdict: Type.Union(
    verdicts.map((verdict) => Type.Literal(verdict)),
    {
      description:
        '`match`: the first candidate is the company; `ambiguous`: it may be one of the candidates; `none`: it is not among them.',
    },
  ),
  candidates: Type.Array(CandidateSchema, { maxItems: 10, description: 'Best first.' }),
});

const enough = ['name', 'registrationNumber', 'lei'] as const;

export const match = extEndpoint({
  ...reads,
  path: '/match',
  operationId: 'matchCompany',
  parameters: [],
  own: matchParameters,
  faultsOf: (own) => {
    if (enough.some((parameter) => own[parameter] !== null)) return [];
    return [{ parameter: 'name', detail: 'is required, or registrationNumber or lei' }];
  },
  cost: oneSearch,
  question: (_, { own }) => ({ kind: 'match', ...own }),
  tag: 'Search',
  summary: 'Match a company',
  description:
    'Compares the given facts with the companies that a search finds, by name, legal form, country, city and registration number, and says whether one of them matches. Any one of name, registration number and LEI is enough; more facts make the verdict surer. The country does not limit the candidates: a candidate in another country only scores lower. The scores of all candidates and the chance that it is none of them add up to 1. The verdict is `match` if the first candidate scores at least 0.82 and nothing contradicts it: another LEI, another registration number, or a legal form that excludes the company’s while no place speaks for it. What follows c/o or “on behalf of” is never the company, and what follows d/b/a or “formerly” alone is never a `match`. Costs one search.',
  answer: { name: 'MatchAnswer', schema: MatchAnswerSchema, example: matchExample },
});

export const suggest = extEndpoint({
  ...reads,
  path: '/suggest',
  operationId: 'suggestCompanies',
  parameters: ['q'],
  cost: oneSearch,
  question: (_, { q }) => ({ kind: 'suggest', q: q ?? '' }),
  tag: 'Search',
  summary: 'Suggest companies while a user types',
  description:
    'Up to 10 companies whose names have the words of `q`, in any order; the last word may be unfinished. A company whose whole name or identifier is `q` comes first, then those whose legal name begins with `q`, then the others, each the most important first. If no name has the words, the answer has the results of a search.',
  answer: { name: 'SuggestAnswer', schema: SuggestAnswerSchema, example: suggestExample },
});
