/** The schema of the answer of a match. */
import { Type } from '@sinclair/typebox';
import { LeiSchema, nullable, object, oneOf, said, text, textOrNull } from './schema.ts';

export const verdicts = ['match', 'ambiguous', 'none'] as const;

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
export const MatchAnswerSchema = object({
  verdict: oneOf(
    verdicts,
    '`match`: the first candidate is the company; `ambiguous`: it may be one of the candidates; `none`: it is not among them.',
  ),
  candidates: Type.Array(CandidateSchema, { maxItems: 10, description: 'Best first.' }),
});
