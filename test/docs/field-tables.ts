/**
 * Generates the field tables of docs/glossary.md from the schemas of the OpenAPI documents, so that each explanation has
 * one source. Run `bun test/docs/field-tables.ts` to write them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { extOpenApiDocument, openApiDocument } from '../../src/openapi/document.ts';
import { root } from '../support/source-tree.ts';

export const glossaryPath = join(root, 'docs', 'glossary.md');
const begin = '<!-- made by test/docs/field-tables.ts: begin -->';
const end = '<!-- end -->';

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The schemas of both descriptions, by name. */
export function describedSchemas(): Fields {
  const { config } = readConfig({});
  const documents = [openApiDocument, extOpenApiDocument].map((describe) => describe(config, config.baseUrl));
  const schemas = documents.map(({ components }) => fieldsOf(fieldsOf(components)['schemas']));
  return Object.fromEntries(schemas.flatMap((each) => Object.entries(each)));
}

/** A short description of a schema's type: `text`, `whole number or null`, `list of [Event](#event)`. */
function typeOf(schema: Fields): string {
  const { $ref, anyOf, items, enum: values, const: value } = schema;
  if (typeof $ref === 'string') return linkTo($ref);
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((part) => typeOf(fieldsOf(part))))].join(' or ');
  if (value !== undefined) return `\`${value}\``;
  if (Array.isArray(values)) return values.map((each) => (each === null ? 'null' : `\`${each}\``)).join(', ');
  const types = [schema['type'] ?? 'any'].flat().map((type) => plainTypes[String(type)] ?? String(type));
  return items === undefined ? types.join(' or ') : `list of ${typeOf(fieldsOf(items))}`;
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
  any: 'any value',
};

function linkTo($ref: string): string {
  const name = $ref.split('/').at(-1) ?? '';
  return `[${name}](#${name.toLowerCase()})`;
}

/** A row for each member; the members of an unnamed object follow with its path before theirs. */
function rowsOf(schema: Fields, prefix: string): string[] {
  const variants = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  const own = Object.entries(fieldsOf(schema['properties'])).flatMap(([name, value]) => {
    const member = fieldsOf(value);
    const path = `${prefix}${name}`;
    return [
      `| \`${path}\` | ${typeOf(member)} | ${member['description'] ?? ''} |`,
      ...rowsOf(member, `${path}.`),
    ];
  });
  return [...own, ...rowsOfAll([...variants, schema['items']], prefix)];
}

function rowsOfAll(schemas: readonly unknown[], prefix: string): string[] {
  return schemas.flatMap((schema) => (isFields(schema) && !('$ref' in schema) ? rowsOf(schema, prefix) : []));
}

/** The tables, in the order of the descriptions. */
export function fieldTables(): string {
  const sections = Object.entries(describedSchemas()).map(([name, schema]) => {
    const rows = [...new Set(rowsOf(fieldsOf(schema), ''))];
    return `### ${name}\n\n| Member | Type | Means |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  return sections.join('\n\n');
}

/** The glossary with current tables. */
export function glossaryNow(text: string): string {
  const [before = '', rest = ''] = text.split(begin);
  const after = rest.split(end).at(-1) ?? '';
  return `${before}${begin}\n\n${fieldTables()}\n\n${end}${after}`;
}

if (import.meta.main) writeFileSync(glossaryPath, glossaryNow(readFileSync(glossaryPath, 'utf8')));
