/** Schema of the `data` of matchCompany. */
import { Type } from '@sinclair/typebox';
import { closed, LeiSchema, nullable, said, text, textOrNull } from './schema.ts';

const verdicts = ['match', 'ambiguous', 'none'] as const;

function feature(description: string) {
  const share = Type.Number({ minimum: 0, maximum: 1 });
  return nullable(share, {
    description: `${description} 0 (not at all) to 1 (wholly); null if the request or the record has no value to compare.`,
  });
}

const FeaturesSchema = Type.Object(
  {
    name: feature('How similar the names are, without legal forms: the best of all names of the company.'),
    legalForm: feature(
      'Whether the legal form in the name is that of the company; 0.4 if the company has none.',
    ),
    country: feature(
      'Whether the country is that of the legal address; 0.9 if it is that of the headquarters.',
    ),
    city: feature('How similar the city is to that of one of the company’s addresses.'),
    registrationNumber: feature(
      'Whether the number is that in its register; 0.2 if the register is another one.',
    ),
  },
  { ...closed, description: 'The features of which the score is made.' },
);
const CandidateSchema = Type.Object(
  {
    lei: said(LeiSchema, 'The LEI of the company.'),
    name: text('Its legal name.'),
    country: textOrNull('The country of its legal address, a code of ISO 3166-1 alpha-2.', 'DE'),
    score: Type.Number({ minimum: 0, maximum: 1, description: 'The probability that this is the company.' }),
    features: FeaturesSchema,
  },
  closed,
);
export const MatchAnswerSchema = Type.Object(
  {
    verdict: Type.Union(
      verdicts.map((verdict) => Type.Literal(verdict)),
      {
        description:
          '`match`: the first candidate is the company; `ambiguous`: it may be one of the candidates; `none`: it is not among them.',
      },
    ),
    candidates: Type.Array(CandidateSchema, { maxItems: 10, description: 'Best first.' }),
  },
  closed,
);
