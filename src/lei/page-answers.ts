/** The `data` of the questions that only pages ask. */
import type { Static } from '@sinclair/typebox';
import type {
  ChildKind,
  CompanyRelationshipsSchema,
  RelatedCompanySchema,
  ReportingException,
} from './relationship.ts';

type Relationships = Static<typeof CompanyRelationshipsSchema>;

/** Who is above a company, as `relationships` says it, and how many are below it by relationships that hold today. */
export interface ParentsAnswer
  extends Pick<Relationships, 'lei' | 'name' | 'directParent' | 'ultimateParent'> {
  /** By other relationships, and former parents. */
  readonly others: readonly Static<typeof RelatedCompanySchema>[];
  readonly children: Readonly<Record<ChildKind, number>>;
}

/** What the picture of a group shows. */
export interface GroupAnswer {
  readonly lei: string;
  /** The company itself first. */
  readonly nodes: readonly {
    readonly lei: string;
    /** Null, as the next members, where it has no record here. */
    readonly name: string | null;
    readonly country: string | null;
    readonly status: string | null;
    /** How many are directly below it. */
    readonly below: { readonly owned: number; readonly fund: number; readonly branch: number };
  }[];
  readonly edges: readonly { readonly parent: string; readonly child: string; readonly type: string }[];
  /** Why a company above, or the one asked about, reports no parent. */
  readonly missing: readonly {
    readonly lei: string;
    readonly direct: ReportingException | null;
    readonly ultimate: ReportingException | null;
  }[];
  /** Whether there are more companies than the answer shows. */
  readonly truncated: boolean;
}
