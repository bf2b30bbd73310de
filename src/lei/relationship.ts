/** Level 2: who owns whom (RR-CDF 2.1) and why a parent is not reported (reporting exceptions 2.1). */
import { type Static, Type } from '@sinclair/typebox';
import { LeiSchema, nullable, PublishedLeiSchema, PublishedTimeSchema } from './company.ts';

const closed = { additionalProperties: false };
const text = Type.String();

/** A relationship without its two ends. Codes stay as published. */
export const RelationshipSchema = Type.Object(
  {
    type: Type.String({ examples: ['IS_DIRECTLY_CONSOLIDATED_BY'] }),
    status: nullable(Type.String({ description: 'ACTIVE, INACTIVE or the string NULL' })),
    periods: Type.Array(
      Type.Object(
        {
          type: nullable(text),
          startDate: nullable(PublishedTimeSchema),
          endDate: nullable(PublishedTimeSchema),
        },
        closed,
      ),
    ),
    qualifiers: Type.Array(Type.Object({ dimension: nullable(text), category: nullable(text) }, closed)),
    quantifiers: Type.Array(
      Type.Object(
        {
          method: nullable(text),
          amount: nullable(Type.String({ description: 'Decimal text as published' })),
          units: nullable(text),
        },
        closed,
      ),
    ),
    validation: Type.Object(
      { sources: nullable(text), documents: nullable(text), reference: nullable(text) },
      closed,
    ),
    registration: Type.Object(
      {
        status: nullable(text),
        initialRegistrationDate: nullable(PublishedTimeSchema),
        lastUpdateDate: nullable(PublishedTimeSchema),
        nextRenewalDate: nullable(PublishedTimeSchema),
        managingLou: nullable(PublishedLeiSchema),
      },
      closed,
    ),
  },
  closed,
);
export type Relationship = Static<typeof RelationshipSchema>;

/** The types by which a company names its parents. */
export const parentTypes = {
  direct: 'IS_DIRECTLY_CONSOLIDATED_BY',
  ultimate: 'IS_ULTIMATELY_CONSOLIDATED_BY',
} as const;
/** RelationshipStatus, not the registration's, says whether a relationship holds today. */
export const currentStatus = 'ACTIVE';

/** One relationship record of a source file. Its key is (start, end, type). */
export interface RelationshipRecord {
  /** LEI of the child, fund or branch. */
  readonly start: string;
  /** LEI of the parent, manager or head office. */
  readonly end: string;
  readonly relationship: Relationship;
}

export const exceptionCategories = {
  direct: 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT',
  ultimate: 'ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT',
} as const;

export const ReportingExceptionSchema = Type.Object(
  { category: text, reasons: Type.Array(text), references: Type.Array(text) },
  closed,
);
export type ReportingException = Static<typeof ReportingExceptionSchema>;

/** One reporting exception of a source file. Its key is (lei, category). */
export interface ExceptionRecord {
  readonly lei: string;
  readonly exception: ReportingException;
}

const EndSchema = Type.Object(
  { lei: LeiSchema, name: nullable(text), relationship: RelationshipSchema },
  closed,
);
const ParentSchema = Type.Union([
  EndSchema,
  Type.Object({ exception: ReportingExceptionSchema }, closed),
  Type.Null(),
]);
const ChildrenSchema = Type.Object(
  { total: Type.Integer({ minimum: 0 }), items: Type.Array(EndSchema) },
  closed,
);

/** The answer of getCompanyRelationships. */
export const CompanyRelationshipsSchema = Type.Object(
  {
    lei: LeiSchema,
    name: nullable(text),
    directParent: ParentSchema,
    ultimateParent: ParentSchema,
    directChildren: ChildrenSchema,
    ultimateChildren: ChildrenSchema,
    others: Type.Array(
      Type.Object(
        {
          direction: Type.Union([Type.Literal('parent'), Type.Literal('child')], {
            description: 'parent when this company is the start node',
          }),
          lei: LeiSchema,
          name: nullable(text),
          relationship: RelationshipSchema,
        },
        closed,
      ),
    ),
  },
  { ...closed, $id: 'CompanyRelationships' },
);
