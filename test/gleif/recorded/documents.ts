/** The recorded answers of GLEIF's service, and the requests that they answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { LegalEntityRecord } from '../../../src/lei/company.ts';
import type { Relationship } from '../../../src/lei/relationship.ts';

interface Links {
  readonly links: Readonly<Record<string, string>>;
}

export interface RecordResource {
  readonly type: 'lei-records';
  readonly id: string;
  readonly attributes: RecordAttributes;
  readonly relationships: Readonly<Record<string, Links>>;
}

type Entity = LegalEntityRecord['entity'];
type Validation = Omit<LegalEntityRecord['validation'], 'conformityFlag'>;
type Event = Entity['eventGroups'][number]['events'][number];

interface RecordAttributes {
  readonly lei: string;
  readonly entity: Omit<Entity, 'associatedEntity' | 'transliteratedOtherAddresses' | 'eventGroups'> & {
    readonly eventGroups: readonly {
      readonly groupType: string | null;
      readonly events: readonly Partial<Event>[];
    }[];
  };
  readonly registration: LegalEntityRecord['registration'] & Validation;
  readonly bic: readonly string[] | null;
  readonly mic: readonly string[] | null;
  readonly ocid: string | null;
  readonly qcc: string | null;
  readonly conformityFlag: string | null;
}

interface RelationshipResource {
  readonly type: 'relationship-records';
  readonly id: string;
  readonly attributes: {
    readonly relationship: {
      readonly startNode: { readonly id: string };
      readonly endNode: { readonly id: string };
      readonly type: string;
      readonly status: string;
      readonly periods: readonly Partial<Relationship['periods'][number]>[];
    };
    readonly registration: Relationship['registration'] & {
      readonly corroborationLevel: string;
      readonly corroborationDocuments: string;
      readonly corroborationReference: string | null;
    };
  };
}

interface ExceptionResource {
  readonly type: 'reporting-exceptions';
  readonly id: string;
  readonly attributes: {
    readonly lei: string;
    readonly category: string;
    readonly reason: string;
    readonly reference: string | null;
  };
}

interface IsinResource {
  readonly type: 'isins';
  readonly id: string;
  readonly attributes: { readonly lei: string; readonly isin: string };
}

interface AuthorityResource {
  readonly type: 'registration-authorities';
  readonly id: string;
  readonly attributes: Readonly<Record<string, string | null>> & {
    readonly jurisdictions: readonly Readonly<Record<string, string | null>>[];
  };
}

interface RoleResource {
  readonly type: 'official-organizational-roles';
  readonly id: string;
  readonly attributes: Readonly<Record<string, string | null>> & {
    readonly names: readonly Readonly<Record<string, string | null>>[];
  };
}

export type Resource =
  | RecordResource
  | RelationshipResource
  | ExceptionResource
  | IsinResource
  | AuthorityResource
  | RoleResource;

export interface Document {
  readonly meta?: { readonly pagination?: { readonly total: number } };
  readonly links?: Readonly<Record<string, string>>;
  readonly data: Resource | readonly Resource[];
}

interface Recording {
  /** Such as `lei_records/direct-children_….json`. */
  readonly file: string;
  readonly document: Document;
}

export function recordings(): readonly Recording[] {
  return JSON.parse(gunzipSync(readFileSync(join(import.meta.dir, 'documents.json.gz'))).toString());
}

export function resourcesOf({ data }: Document): readonly Resource[] {
  return 'type' in data ? [data] : data;
}

const folders: Readonly<Record<string, string>> = {
  auto_completions: 'autocompletions?field=fulltext&q=global',
  fuzzy_completions: 'fuzzycompletions?field=fulltext&q=facebook',
  official_organizational_roles: 'official-organizational-roles',
  registration_authorities: 'registration-authorities',
  registration_agents: 'registration-agents',
  entity_legal_forms: 'entity-legal-forms',
  lei_issuers: 'lei-issuers',
  vlei_issuers: 'vlei-issuers',
};

/** The path of the request that a recording answers, below the base. */
export function requestOf(file: string): string {
  const [folder = '', name = ''] = file.replace('.json', '').split('/');
  const [, what = '', id = ''] =
    /^(.*?)_([A-Z0-9.-]+|all)$/.exec(name.replace(/^(.*)_([^_]+)$/, '$1_$2')) ?? [];
  const list = `/${folders[folder] ?? folder}`;
  if (
    ['lei_records', 'relationships', 'reporting_exceptions', 'isins', 'field_modifications'].includes(folder)
  ) {
    const part =
      what === 'single_lei_record' ? '' : `/${what.replace('field_modifications', 'field-modifications')}`;
    return `/lei-records/${id}${part}`;
  }
  if (what === 'lei_record_issuer') return `/lei-records/${id}/lei-issuer`;
  if (what === 'lei_issuer_jurisdictions') return `/lei-issuers/${id}/jurisdictions`;
  return id === 'all' ? list : `${list}/${idOf(folder, name)}`;
}

/** Ids of fields have underscores themselves. */
function idOf(folder: string, name: string): string {
  const singular = folder.replace(/ies$/, 'y').replace(/s$/, '');
  return name.slice(singular.length + 1);
}
