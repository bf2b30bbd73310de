/** Schemas of the `data` of the operations below /ext/v1. */
import { Type } from '@sinclair/typebox';
import { ChangeItemSchema, identifierAnswerSchemas, ProblemSchema } from './answers.ts';
import { CompanySchema, EntitySchema } from './company.ts';
import { identifierKinds, mappingTable } from './identifier-kinds.ts';
import { childKinds, RelatedCompanySchema } from './relationship.ts';
import {
  closed,
  count,
  LeiSchema,
  nullable,
  oneOf,
  said,
  TimestampSchema,
  text,
  textOrNull,
} from './schema.ts';

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

export const ChildrenPageSchema = Type.Object(
  {
    lei: said(LeiSchema, 'The LEI asked for.'),
    name: text('The legal name of the company asked for.'),
    kind: oneOf(childKinds, 'Which children these are.'),
    total: count('How many there are: as many as all pages together have.'),
    items: Type.Array(RelatedCompanySchema, {
      description: 'The children of this page, by name, then by LEI.',
    }),
  },
  { ...closed, $id: 'ChildrenPage' },
);

const changeItems = ChangeItemSchema.anyOf
  .filter(({ properties }) => properties.kind.const !== 'snapshot')
  .map(({ properties }) =>
    Type.Object({ lei: said(LeiSchema, 'The LEI of the company that changed.'), ...properties }, closed),
  );
export const ChangesSinceSchema = Type.Object(
  {
    since: text(
      'The dataset version after which the changes are: the one asked for, or the last before the time asked for. `meta.datasetVersion` is the one up to which they are.',
      '20240504T160000Z-91bb02aa',
    ),
    items: Type.Array(Type.Union(changeItems), { description: 'The changes of this page, oldest first.' }),
  },
  { ...closed, $id: 'ChangesSince' },
);

export const IsinsPageSchema = Type.Object(
  {
    lei: said(LeiSchema, 'The LEI asked for.'),
    name: text('The legal name of the company asked for.'),
    total: count('How many there are: as many as all pages together have.'),
    items: Type.Array(text('An ISIN that is mapped to this LEI.', 'DE0005140008'), {
      description: 'The ISINs of this page, ascending.',
    }),
  },
  { ...closed, $id: 'IsinsPage' },
);

const OwnershipNodeSchema = Type.Object(
  {
    lei: said(LeiSchema, 'The LEI of the company.'),
    name: textOrNull('Its legal name; null, as the next members, where it has no record here.'),
    country: textOrNull('The country of the legal address, a code of ISO 3166-1 alpha-2.', 'DE'),
    status: EntitySchema.properties.status,
  },
  closed,
);
const OwnershipEdgeSchema = Type.Object(
  {
    parent: said(LeiSchema, 'The LEI of the parent.'),
    child: said(LeiSchema, 'The LEI of the child.'),
    type: text(
      '`IS_DIRECTLY_CONSOLIDATED_BY` or `IS_ULTIMATELY_CONSOLIDATED_BY`: what the child is to the parent.',
      'IS_DIRECTLY_CONSOLIDATED_BY',
    ),
  },
  closed,
);
export const OwnershipAnswerSchema = Type.Object(
  {
    lei: said(LeiSchema, 'The LEI asked for.'),
    direction: Type.Array(oneOf(['up', 'down'], 'A direction that was followed.'), {
      description: 'The directions that were followed.',
    }),
    depth: Type.Integer({ minimum: 1, maximum: 10, description: 'How many steps were followed.' }),
    nodes: Type.Array(OwnershipNodeSchema, {
      description: 'The companies, nearest first; the first is the one asked for.',
    }),
    edges: Type.Array(OwnershipEdgeSchema, { description: 'The relationships between these companies.' }),
    truncated: Type.Boolean({ description: 'Whether there are more companies than are shown.' }),
  },
  { ...closed, $id: 'OwnershipAnswer' },
);

export const SuggestAnswerSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          lei: said(LeiSchema, 'The LEI of the company.'),
          name: text('The legal name.'),
          country: textOrNull('The country of the legal address, a code of ISO 3166-1 alpha-2.', 'DE'),
        },
        closed,
      ),
      { maxItems: 10, description: 'The companies, best first.' },
    ),
  },
  { ...closed, $id: 'SuggestAnswer' },
);

const { lei, entity, registration, validation } = CompanySchema.properties;
export const CompanyAsOfSchema = Type.Object(
  {
    lei,
    at: said(TimestampSchema, 'The moment asked for.'),
    knownSince: said(
      TimestampSchema,
      'When the record began to be so: its last change before, the first load that had it, or the snapshot.',
    ),
    entity,
    registration,
    validation,
  },
  { ...closed, $id: 'CompanyAsOf' },
);
