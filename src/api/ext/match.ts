/**
 * `/ext/v1/match`: which company a name, a registration number or an LEI refers to, and how certain that is.
 * `/ext/v1/suggest`: companies for a name while it is typed.
 */
import { matchParameters } from '../../http/match-parameters.ts';
import { SuggestAnswerSchema } from '../../lei/list-answers.ts';
import { MatchAnswerSchema } from '../../lei/match-answers.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import matchExample from './examples/match.json' with { type: 'json' };
import suggestExample from './examples/suggest.json' with { type: 'json' };

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
