/** Schemas of the answers that list companies. */
import { Type } from '@sinclair/typebox';
import { companySummary } from './answers.ts';
import { registrationStatuses } from './codes.ts';
import { EntitySchema } from './company.ts';
import { RelatedCompanySchema } from './relationship.ts';
import { childKinds } from './relationship-codes.ts';
import { count, LeiSchema, listOf, nullable, object, oneOf, said, text, textOrNull } from './schema.ts';

export const SearchHitSchema = object({
  lei: said(LeiSchema, 'The LEI of the company.'),
  name: text('The legal name.'),
  matchedName: object(
    {
      name: text('The name that matches the query best.'),
      type: textOrNull('`LEGAL_NAME`, or the type of the other name.', 'LEGAL_NAME'),
    },
    'The name by which the company was found.',
  ),
  country: companySummary.country,
  jurisdiction: EntitySchema.properties.jurisdiction,
  city: textOrNull('The city of the legal address.', 'Frankfurt am Main'),
  entityStatus: companySummary.entityStatus,
  registrationStatus: companySummary.registrationStatus,
  score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How well the company matches the query; 1 is best. Compare scores only within one answer.',
  }),
});
export const SearchAnswerSchema = object({
  query: object(
    {
      q: text('The text, trimmed.'),
      country: textOrNull('The country, in upper case; null if the request has none.', 'DE'),
      status: nullable(
        oneOf(registrationStatuses, ''),
        'The registration status, in upper case; null if the request has none.',
      ),
    },
    'The query as the service understood it.',
  ),
  total: count('The exact number of companies on all pages.'),
  items: listOf(SearchHitSchema, 'The companies of this page, best first.'),
});

export const SuggestAnswerSchema = object({
  items: Type.Array(
    object({
      lei: said(LeiSchema, 'The LEI of the company.'),
      name: text('The legal name.'),
      country: textOrNull('The country of the legal address, a code of ISO 3166-1 alpha-2.', 'DE'),
    }),
    { maxItems: 10, description: 'The companies, best first.' },
  ),
});

export const ChildrenPageSchema = object({
  lei: said(LeiSchema, 'The LEI from the request.'),
  name: text('The legal name of this company.'),
  kind: oneOf(childKinds, 'The kind of these children.'),
  total: count('The number of items on all pages.'),
  items: listOf(RelatedCompanySchema, 'The children of this page, by name, then by LEI.'),
});
