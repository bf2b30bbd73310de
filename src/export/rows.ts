/** The companies of a publication that an export writes, one after another. */
import { type TSchema, Type } from '@sinclair/typebox';
import { CompanySchema } from '../lei/company.ts';
import { CompanyRelationshipsSchema } from '../lei/relationship.ts';
import { answerRelationships } from '../query/relationships.ts';
import type { PublicationReader } from '../store/publication-reader.ts';

/** Which companies to export; null takes all. Codes in upper case, as published. */
export interface Choice {
  /** ISO 3166-1 alpha-2, of the legal address. */
  readonly country: string | null;
  /** Registration status of LEI-CDF. */
  readonly status: string | null;
  /** Entity category of LEI-CDF. */
  readonly category: string | null;
}

export interface RowOptions extends Choice {
  /** Whether each row has the data of the company's relationships as its member `relationships`. */
  readonly relationships: boolean;
}

/** The finished JSON of one company, in UTF-8: valid until the next row is asked for. */
export type Row = Uint8Array;

/** The schema of a row's JSON. */
export function rowSchema({ relationships }: Pick<RowOptions, 'relationships'>): TSchema {
  if (!relationships) return CompanySchema;
  return Type.Object({ ...CompanySchema.properties, relationships: CompanyRelationshipsSchema });
}

/** In the order of entity numbers, which is the same each time. */
export function* rowsOf(publication: PublicationReader, options: RowOptions): Generator<Row> {
  const isChosen = choiceOf(options);
  for (let entity = 1; entity <= publication.lastEntity; entity++) {
    const company = publication.company(entity);
    if (company === null || !isChosen(company.json)) continue;
    yield options.relationships ? withRelationships(publication, company.json) : company.json;
  }
}

function choiceOf({ country, status, category }: Choice): (json: Uint8Array) => boolean {
  if (country === null && status === null && category === null) return () => true;
  return (json) => {
    const { entity, registration }: ChosenBy = JSON.parse(Buffer.from(json).toString());
    return (
      (country === null || entity.legalAddress.country === country) &&
      (status === null || registration.status === status) &&
      (category === null || entity.category === category)
    );
  };
}

interface ChosenBy {
  readonly entity: {
    readonly category: string | null;
    readonly legalAddress: { readonly country: string | null };
  };
  readonly registration: { readonly status: string | null };
}

const leiAt = '{"lei":"'.length;
const leiLength = 20;

/** Puts the relationships before the last brace of the company's JSON. */
function withRelationships(publication: PublicationReader, company: Uint8Array): Row {
  const text = Buffer.from(company);
  const answer = answerRelationships(publication, text.toString('latin1', leiAt, leiAt + leiLength));
  if (answer.outcome !== 'found') throw new Error('A company that is stored has no relationships.');
  return Buffer.concat([text.subarray(0, -1), beforeRelationships, answer.data, afterRelationships]);
}

const beforeRelationships = Buffer.from(',"relationships":');
const afterRelationships = Buffer.from('}');
