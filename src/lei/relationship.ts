/** Schemas of level 2: who owns whom (RR-CDF 2.1) and why a parent is not reported (reporting exceptions 2.1). */
import { type Static, Type } from '@sinclair/typebox';
import { exceptionCategories } from './relationship-codes.ts';
import {
  count,
  LeiSchema,
  listOf,
  nullable,
  object,
  oneOf,
  PublishedLeiSchema,
  publishedTime,
  said,
  text,
  textOrNull,
  writtenDay,
} from './schema.ts';
import type { AsPublished } from './written-days.ts';

const PeriodSchema = object({
  type: textOrNull(
    'The kind of period: `RELATIONSHIP_PERIOD` (of the relationship itself), `ACCOUNTING_PERIOD` or `DOCUMENT_FILING_PERIOD` (of the documents that show it).',
    'RELATIONSHIP_PERIOD',
  ),
  startDate: publishedTime('When the period begins.'),
  startDay: writtenDay('startDate'),
  endDate: publishedTime('When the period ends; null if it has no end yet.'),
  endDay: writtenDay('endDate'),
});
const QualifierSchema = object({
  dimension: textOrNull('The property, such as `ACCOUNTING_STANDARD`.', 'ACCOUNTING_STANDARD'),
  category: textOrNull(
    'Its value: `US_GAAP`, `IFRS`, `GOVERNMENT_ACCOUNTING_STANDARD` or `OTHER_ACCOUNTING_STANDARD`.',
    'IFRS',
  ),
});
const QuantifierSchema = object({
  method: textOrNull(
    'The method of measurement, such as `ACCOUNTING_CONSOLIDATION`.',
    'ACCOUNTING_CONSOLIDATION',
  ),
  amount: textOrNull('The amount, a decimal text as published.', '100.00'),
  units: textOrNull('The unit of the amount.', 'PERCENTAGE'),
});

/** A relationship without its two ends. Codes stay as published. */
export const RelationshipSchema = object({
  type: text(
    'How the start node relates to the end node: `IS_DIRECTLY_CONSOLIDATED_BY`, `IS_ULTIMATELY_CONSOLIDATED_BY`, `IS_INTERNATIONAL_BRANCH_OF`, `IS_FUND-MANAGED_BY`, `IS_SUBFUND_OF` or `IS_FEEDER_TO`.',
    'IS_DIRECTLY_CONSOLIDATED_BY',
  ),
  status: textOrNull(
    'Whether the relationship is current: `ACTIVE`, `INACTIVE`, or the string `NULL` (does not apply).',
    'ACTIVE',
  ),
  periods: listOf(PeriodSchema, 'The periods of the relationship and of its documents.'),
  qualifiers: listOf(QualifierSchema, 'Further properties of the relationship, as codes.'),
  quantifiers: listOf(QuantifierSchema, 'Further properties of the relationship, as amounts.'),
  validation: object(
    {
      sources: textOrNull(
        'How far public sources confirm it: `FULLY_CORROBORATED`, `PARTIALLY_CORROBORATED`, `ENTITY_SUPPLIED_ONLY` or `PENDING`.',
        'FULLY_CORROBORATED',
      ),
      documents: textOrNull(
        'The kind of document that it was validated with: `ACCOUNTS_FILING`, `REGULATORY_FILING`, `SUPPORTING_DOCUMENTS`, `CONTRACTS` or `OTHER_OFFICIAL_DOCUMENTS`.',
        'ACCOUNTS_FILING',
      ),
      reference: textOrNull('The document or other source that it was validated with.'),
    },
    'How the LEI issuer checked it.',
  ),
  registration: object(
    {
      status: textOrNull(
        'The status of the report: `PUBLISHED`, `LAPSED`, `RETIRED`, `ANNULLED`, `DUPLICATE`, `PENDING_VALIDATION`, `PENDING_TRANSFER`, `PENDING_ARCHIVAL` or `TRANSFERRED`. It does not say whether the relationship is current.',
        'PUBLISHED',
      ),
      initialRegistrationDate: publishedTime('When the LEI issuer first recorded it.'),
      initialRegistrationDay: writtenDay('initialRegistrationDate'),
      lastUpdateDate: publishedTime('When it was last updated.'),
      lastUpdateDay: writtenDay('lastUpdateDate'),
      nextRenewalDate: publishedTime('The date by which the company should certify it again.'),
      nextRenewalDay: writtenDay('nextRenewalDate'),
      managingLou: nullable(PublishedLeiSchema, 'The LEI of the LEI issuer (LOU) that manages this record.'),
    },
    'The registration of the relationship record.',
  ),
});
/** The same as in a source file: its times may have an offset. */
export type Relationship = AsPublished<Static<typeof RelationshipSchema>>;

/** One relationship record of a source file. Its key is (start, end, type). */
export interface RelationshipRecord {
  /** LEI of the child, fund or branch. */
  readonly start: string;
  /** LEI of the parent, manager or head office. */
  readonly end: string;
  readonly relationship: Relationship;
}

export const ReportingExceptionSchema = object({
  category: text(
    'The parent that the exception is about: `DIRECT_ACCOUNTING_CONSOLIDATION_PARENT` or `ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT`.',
    exceptionCategories.direct,
  ),
  reasons: listOf(
    Type.String({ examples: ['NATURAL_PERSONS'] }),
    'Why no parent is reported: `NO_LEI` (the parent does not consent to have an LEI), `NATURAL_PERSONS` (persons own the company), `NON_CONSOLIDATING` (no owner has to prepare consolidated accounts), `NO_KNOWN_PERSON` (nobody is known to control it), `NON_PUBLIC` (the parent must not be disclosed), or an older code.',
  ),
  references: listOf(Type.String(), 'Remarks of the company, in its own words.'),
});
export type ReportingException = Static<typeof ReportingExceptionSchema>;

/** One reporting exception of a source file. Its key is (lei, category). */
export interface ExceptionRecord {
  readonly lei: string;
  readonly exception: ReportingException;
}

const otherEnd = {
  lei: said(LeiSchema, 'The LEI of the other company.'),
  name: textOrNull('Its legal name; null if it has no record here.'),
  relationship: said(RelationshipSchema, 'The relationship between the two.'),
};
export const RelatedCompanySchema = object(otherEnd);
const ExceptionOnlySchema = object({
  exception: said(ReportingExceptionSchema, 'Why no parent is reported.'),
});
function parent(which: string) {
  return Type.Union([RelatedCompanySchema, ExceptionOnlySchema, Type.Null()], {
    description: `${which}: a company, or the exception that says why none is reported, or null if nothing was reported.`,
  });
}
export const ChildrenSchema = object({
  total: count('The number of items.'),
  items: listOf(RelatedCompanySchema, 'All of them, by name, then by LEI.'),
});

/** The answer of getCompanyRelationships. */
export const CompanyRelationshipsSchema = object({
  lei: said(LeiSchema, 'The LEI from the request.'),
  name: text('The legal name of this company.'),
  directParent: parent('The lowest company that consolidates this one in its accounts'),
  ultimateParent: parent('The highest company that consolidates this one in its accounts'),
  directChildren: said(
    ChildrenSchema,
    'The companies whose direct parent this one is. A company with several current direct parents is listed by each of them.',
  ),
  ultimateChildren: said(
    ChildrenSchema,
    'The companies whose ultimate parent this one is. A company with several current ones is listed by each of them.',
  ),
  others: listOf(
    object({
      direction: oneOf(
        ['parent', 'child'],
        '`parent` if this company is the start node of the relationship, `child` if it is the end node.',
      ),
      ...otherEnd,
    }),
    'Funds, branches, and former relationships.',
  ),
});
