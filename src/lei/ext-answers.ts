/** Schemas of the `data` of the operations below /ext/v1. */
import { Type } from '@sinclair/typebox';
import { identifierAnswerSchemas, ProblemSchema } from './answers.ts';
import { CompanySchema } from './company.ts';
import { identifierKinds, mappingTable } from './identifier-kinds.ts';
import { closed, nullable, text } from './schema.ts';

const problem = nullable(ProblemSchema, {
  description: 'Why the item has no answer; null where it has one. The request itself succeeded.',
});

const CompanyItemSchema = Type.Object(
  {
    lei: text('The LEI that was asked for, in upper case; as it was sent where it is none.'),
    company: nullable(CompanySchema, { description: 'The company; null where there is a problem.' }),
    problem,
  },
  closed,
);
export const CompaniesAnswerSchema = Type.Object(
  { items: Type.Array(CompanyItemSchema, { description: 'One for each LEI, in the order asked.' }) },
  { ...closed, $id: 'CompaniesAnswer' },
);

const identifierItems = identifierKinds.map((kind) =>
  Type.Object(
    {
      [kind]: text('The identifier that was asked for, in upper case; as it was sent where it is none.'),
      answer: nullable(identifierAnswerSchemas[mappingTable[kind].answer], {
        description: 'The answer for this identifier alone; null where there is a problem.',
      }),
      problem,
    },
    closed,
  ),
);
export const IdentifiersAnswerSchema = Type.Object(
  {
    items: Type.Array(Type.Union(identifierItems), {
      description: 'One for each identifier, in the order asked.',
    }),
  },
  { ...closed, $id: 'IdentifiersAnswer' },
);
