/** Reads the companies of a publication for an export, one after another. */
import { type TSchema, Type } from '@sinclair/typebox';
import { CompanySchema, MappingsSchema } from '../lei/company.ts';
import { byKind } from '../lei/identifier-kinds.ts';
import { CompanyRelationshipsSchema } from '../lei/relationship.ts';
import { answerRelationships } from '../query/relationships.ts';
import { leiLength } from '../store/company-fields.ts';
import type { EntityNumber, PublicationReader } from '../store/publication-reader.ts';
import { atOnce } from '../store/steps.ts';

/** Members that a row may have in addition to the data of a look-up. */
export const rowParts = ['relationships', 'identifiers'] as const;
export type RowPart = (typeof rowParts)[number];

export interface RowOptions {
  readonly parts: readonly RowPart[];
}

/** The finished JSON of one company, in UTF-8: valid until the next row is asked for. */
export type ExportRow = Uint8Array;

/** The value of a row. */
export function parsed(row: ExportRow): unknown {
  return JSON.parse(Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString());
}

const identifiers = Type.Object({
  ...MappingsSchema.properties,
  isin: Type.Array(Type.String(), { description: 'All ISINs that are mapped to this LEI.' }),
});
const schemas: Readonly<Record<RowPart, TSchema>> = {
  relationships: CompanyRelationshipsSchema,
  identifiers,
};

/** The schema of a row's JSON. */
export function rowSchema({ parts }: RowOptions): TSchema {
  if (parts.length === 0) return CompanySchema;
  return Type.Object({ ...CompanySchema.properties, ...byKind(parts, (part) => schemas[part]) });
}

/** The rows of these companies, in their order. */
export function* rowsOf(
  publication: PublicationReader,
  companies: Iterable<EntityNumber>,
  { parts }: RowOptions,
): Generator<ExportRow> {
  for (const entity of companies) {
    const company = publication.company(entity);
    if (company === null) throw new Error('A company of a list has no record.');
    yield parts.length === 0 ? company.json : withParts(publication, entity, company.json, parts);
  }
}

/** Inserts the parts before the last brace of the company's JSON. */
function withParts(
  publication: PublicationReader,
  entity: number,
  json: Uint8Array,
  parts: readonly RowPart[],
): ExportRow {
  const company = Buffer.from(json);
  const members = parts.flatMap((part) => [
    Buffer.from(`,"${part}":`),
    partOf[part](publication, entity, company),
  ]);
  return Buffer.concat([company.subarray(0, -1), ...members, end]);
}
const end = Buffer.from('}');

const partOf: Readonly<
  Record<RowPart, (publication: PublicationReader, entity: number, company: Buffer) => Uint8Array>
> = {
  relationships: relationshipsOf,
  identifiers: identifiersOf,
};

const leiAt = '{"lei":"'.length;

function relationshipsOf(publication: PublicationReader, _: number, company: Buffer): Uint8Array {
  const answer = atOnce(
    answerRelationships(publication, company.toString('latin1', leiAt, leiAt + leiLength)),
  );
  if (answer.outcome !== 'found') throw new Error('A company that is stored has no relationships.');
  return answer.data;
}

/** The mappings of the company, with the complete list of ISINs at the end. */
function identifiersOf(publication: PublicationReader, entity: number, company: Buffer): Uint8Array {
  const isins = publication.isins(entity, null, Number.POSITIVE_INFINITY);
  // Quotes in a text are escaped, so this match is the member. Parsing the whole record takes ten times as long.
  const from = company.lastIndexOf(mappingsMember) + mappingsMember.length;
  const others = company.subarray(from, company.indexOf(isinMember, from));
  return Buffer.concat([others, Buffer.from(`"isin":${JSON.stringify(isins.items)}}`)]);
}
const mappingsMember = '"mappings":';
const isinMember = '"isin":{';
