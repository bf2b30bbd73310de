/** Schemas of the `data` of questions that only pages ask. */
import type { Static } from '@sinclair/typebox';
import type {
  ChildKind,
  CompanyRelationshipsSchema,
  RelatedCompanySchema,
  ReportingException,
} from './relationship.ts';

type RelationshipsAnswer = Static<typeof CompanyRelationshipsSchema>;

/** Who is above a company, as in `relationships`, and how many are below it by current relationships. */
export interface ParentsAnswer
  extends Pick<RelationshipsAnswer, 'lei' | 'name' | 'directParent' | 'ultimateParent'> {
  /** By other relationships, and former parents. */
  readonly others: readonly Static<typeof RelatedCompanySchema>[];
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
