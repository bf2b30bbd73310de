/** Schemas of the `data` of questions that only pages ask. */
import type { Static } from '@sinclair/typebox';
import type { ChildrenPageSchema } from './list-answers.ts';
import type { CompanyRelationshipsSchema, RelatedCompanySchema, ReportingException } from './relationship.ts';
import type { ChildKind } from './relationship-codes.ts';

/** A company, why none is reported, or neither. */
type ParentOnPage = RelatedOnPage | { readonly exception: ReportingException } | null;
type RelationshipsAnswer = Static<typeof CompanyRelationshipsSchema>;

/** The company at the other end of a relationship, with the facts that a page shows beside its name. */
interface RelatedOnPage extends Static<typeof RelatedCompanySchema> {
  /** Null, like the next members, if it has no record here. */
  readonly country: string | null;
  readonly entityStatus: string | null;
  readonly registrationStatus: string | null;
}

/** A page of `children`. */
export interface ChildrenOnPage extends Omit<Static<typeof ChildrenPageSchema>, 'items'> {
  readonly items: readonly RelatedOnPage[];
}

/** The parents of a company, as in `relationships`, and the numbers of companies below it by current relationships. */
export interface ParentsAnswer extends Pick<RelationshipsAnswer, 'lei' | 'name'> {
  readonly directParent: ParentOnPage;
  readonly ultimateParent: ParentOnPage;
  /** Companies above it by other relationships, and former parents. */
  readonly others: readonly RelatedOnPage[];
  readonly children: Readonly<Record<ChildKind, number>>;
}

/** The content of the picture of a group. */
export interface GroupAnswer {
  readonly lei: string;
  /** The company itself first. */
  readonly nodes: readonly {
    readonly lei: string;
    /** Null, like the next members, if it has no record here. */
    readonly name: string | null;
    readonly country: string | null;
    readonly status: string | null;
    /** How many are directly below it. */
    readonly below: { readonly owned: number; readonly fund: number; readonly branch: number };
  }[];
  readonly edges: readonly { readonly parent: string; readonly child: string; readonly type: string }[];
  /** Why a company above, or the company itself, reports no parent. */
  readonly missing: readonly {
    readonly lei: string;
    readonly direct: ReportingException | null;
    readonly ultimate: ReportingException | null;
  }[];
  /** Whether there are more companies than the answer shows. */
  readonly truncated: boolean;
}
