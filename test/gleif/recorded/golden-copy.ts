/**
 * Writes the golden copy that the recorded answers come from, as far as they show it: records, relationships, exceptions,
 * identifiers and code lists. Where an answer only links to something that was not recorded, such as a parent, something
 * stands in its place, so that the link is there.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LegalEntityRecord } from '../../../src/lei/company.ts';
import { relationNames, relations } from '../../../src/lei/gleif-relations.ts';
import { isinCheckDigit, remainder97 } from '../../../src/lei/identifiers.ts';
import type { ExceptionRecord, Relationship, RelationshipRecord } from '../../../src/lei/relationship.ts';
import { exceptionCategories } from '../../../src/lei/relationship-codes.ts';
import { exceptionTree, goldenCopyFile, level1Tree, relationshipTree } from '../../loader/gleif-files.ts';
import type { Tree } from '../../loader/parse/writing.ts';
import { type RecordResource, type Resource, recordings, resourcesOf } from './documents.ts';

type OfType<Type extends Resource['type']> = Extract<Resource, { type: Type }>;

/** The recorded resources of a type, each once. */
function recorded<Type extends Resource['type']>(type: Type): readonly OfType<Type>[] {
  const all = recordings().flatMap(({ document }) => resourcesOf(document));
  const ofType = all.filter((resource): resource is OfType<Type> => resource.type === type);
  return [...new Map(ofType.map((resource) => [resource.id, resource])).values()];
}

/** Writes the files into a folder. @returns their paths */
export function writeGoldenCopy(folder: string): string[] {
  const records = recorded('lei-records');
  const relationships = relationshipsOf(records);
  const exceptions = exceptionsOf(records);
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const header = { contentDate: '2025-05-15T00:00:00Z', deltaStart: null };
  const goldenCopy = (family: Parameters<typeof goldenCopyFile>[0], trees: readonly Tree[]) =>
    write(`${family}.xml`, goldenCopyFile(family, trees, header));
  return [
    goldenCopy(
      'lei2',
      records.map((record) => level1Tree(recordOf(record))),
    ),
    goldenCopy(
      'rr',
      relationships.map((record) => relationshipTree(record)),
    ),
    goldenCopy(
      'repex',
      exceptions.map((record) => exceptionTree(record)),
    ),
    ...mappingsOf(records).map(([name, lines]) => write(`${name}.csv`, lines.join('\n'))),
    write('authorities.csv', authoritiesCsv()),
    write('roles.csv', rolesCsv()),
  ];
}

function recordOf({
  attributes: { lei, entity, registration, conformityFlag },
}: RecordResource): LegalEntityRecord {
  const { corroborationLevel, validatedAt, validatedAs, otherValidationAuthorities, ...own } = registration;
  return {
    lei,
    entity: {
      ...entity,
      associatedEntity: null,
      transliteratedOtherAddresses: [],
      eventGroups: entity.eventGroups.map(({ groupType, events }, group) => ({
        groupType,
        groupId: `group-${group}`,
        events: events.map((event, index) => ({
          type: event.type ?? null,
          status: event.status ?? null,
          sequence: index + 1,
          effectiveDate: event.effectiveDate ?? null,
          recordedDate: event.recordedDate ?? null,
          validationDocuments: event.validationDocuments ?? null,
          validationReference: event.validationReference ?? null,
          affectedFields: event.affectedFields ?? [],
        })),
      })),
    },
    registration: own,
    validation: { corroborationLevel, validatedAt, validatedAs, otherValidationAuthorities, conformityFlag },
  };
}

/** The recorded relationships, those that lists of children and parents show, and those that records only link to. */
function relationshipsOf(records: readonly RecordResource[]): readonly RelationshipRecord[] {
  const shown = [
    ...recorded('relationship-records').map(({ attributes }) => relationshipOf(attributes)),
    ...recordings().flatMap(({ file, document }) => relationshipsIn(file, resourcesOf(document))),
  ];
  const all = [...new Map(shown.toReversed().map((record) => [keyOf(record), record])).values()];
  return [...all, ...records.flatMap((record, index) => onlyLinked(record, index, all))];
}

function keyOf({ start, end, relationship }: RelationshipRecord): string {
  return `${start} ${end} ${relationship.type}`;
}

/** Those that a recorded parent or list of children shows. */
function relationshipsIn(file: string, resources: readonly Resource[]): readonly RelationshipRecord[] {
  const [, name, lei = ''] =
    /^lei_records\/((?:direct|ultimate)-(?:children|parent))_(.*)\.json$/.exec(file) ?? [];
  const relation = relationNames.find((each) => each === name);
  if (relation === undefined) return [];
  const { type, isOne } = relations[relation];
  return resources.map(({ id }) =>
    isOne ? plainRelationship(lei, id, type) : plainRelationship(id, lei, type),
  );
}

/** Those of which a record has the link alone: to a company that stands in for the other end. */
function onlyLinked(
  { id, relationships }: RecordResource,
  index: number,
  known: readonly RelationshipRecord[],
): readonly RelationshipRecord[] {
  return relationNames.flatMap((name, place) => {
    const { type, isOne } = relations[name];
    const links = relationships[name]?.links ?? {};
    const isKnown = known.some(
      ({ start, end, relationship }) => relationship.type === type && (isOne ? start : end) === id,
    );
    if (isKnown || !('lei-record' in links || 'relationship-records' in links)) return [];
    const other = placeholder(index * relationNames.length + place);
    return isOne ? plainRelationship(id, other, type) : plainRelationship(other, id, type);
  });
}

function relationshipOf({
  relationship,
  registration,
}: OfType<'relationship-records'>['attributes']): RelationshipRecord {
  const { corroborationLevel, corroborationDocuments, corroborationReference, ...own } = registration;
  return {
    start: relationship.startNode.id,
    end: relationship.endNode.id,
    relationship: {
      type: relationship.type,
      status: relationship.status,
      periods: relationship.periods.map(({ type = null, startDate = null, endDate = null }) => ({
        type,
        startDate,
        endDate,
      })),
      qualifiers: [],
      quantifiers: [],
      validation: {
        sources: corroborationLevel,
        documents: corroborationDocuments,
        reference: corroborationReference,
      },
      registration: own,
    },
  };
}

/** A relationship of which only the two ends are known. */
function plainRelationship(start: string, end: string, type: string): RelationshipRecord {
  const registration: Relationship['registration'] = {
    status: 'PUBLISHED',
    initialRegistrationDate: '2000-01-01T00:00:00Z',
    lastUpdateDate: '2000-01-01T00:00:00Z',
    nextRenewalDate: null,
    managingLou: null,
  };
  const validation = { sources: null, documents: null, reference: null };
  const lists = { periods: [], qualifiers: [], quantifiers: [] };
  return { start, end, relationship: { type, status: 'ACTIVE', ...lists, validation, registration } };
}

/** An LEI that no record has. */
function placeholder(number: number): string {
  const body = `9999PLACEHOLDER${String(number).padStart(3, '0')}`;
  return body + String(98 - remainder97(`${body}00`)).padStart(2, '0');
}

function exceptionsOf(records: readonly RecordResource[]): readonly ExceptionRecord[] {
  const known = recorded('reporting-exceptions').map(({ attributes }): ExceptionRecord => {
    const { lei, category, reason, reference } = attributes;
    return {
      lei,
      exception: { category, reasons: [reason], references: reference === null ? [] : [reference] },
    };
  });
  const linked = records.flatMap(({ id, relationships }) =>
    (['direct', 'ultimate'] as const).flatMap((side): ExceptionRecord[] => {
      const category = exceptionCategories[side];
      const links = relationships[`${side}-parent`]?.links ?? {};
      const isKnown = known.some(({ lei, exception }) => lei === id && exception.category === category);
      if (!('reporting-exception' in links) || isKnown) return [];
      return [{ lei: id, exception: { category, reasons: ['NON_PUBLIC'], references: [] } }];
    }),
  );
  return [...known, ...linked];
}

/** Name and lines of each mapping file. */
function mappingsOf(records: readonly RecordResource[]): readonly (readonly [string, readonly string[]])[] {
  const pairs = (values: (record: RecordResource) => readonly string[] | string | null) =>
    records.flatMap((record) => [values(record) ?? []].flat().map((value) => `${record.id},${value}`));
  const isins = recorded('isins').map(({ attributes: { lei, isin } }) => [lei, isin] as const);
  const isinLines = isins.map(([lei, isin]) => `${lei},${isin}`);
  for (const { id, relationships } of records) {
    if (!('isins' in relationships) || isins.some(([lei]) => lei === id)) continue;
    const body = `XS${String(isinLines.length).padStart(9, '0')}`;
    isinLines.push(`${id},${body}${isinCheckDigit(body)}`);
  }
  return [
    ['bic', ['LEI,BIC', ...pairs(({ attributes }) => attributes.bic)]],
    ['mic', ['LEI,MIC', ...pairs(({ attributes }) => attributes.mic)]],
    ['ocid', ['LEI,OpenCorporatesID', ...pairs(({ attributes }) => attributes.ocid)]],
    ['qcc', ['LEI,QCC', ...pairs(({ attributes }) => attributes.qcc)]],
    ['isin', ['LEI,ISIN', ...isinLines]],
  ];
}

function csv(rows: readonly (readonly (string | null)[])[]): string {
  const quoted = (value: string | null) => `"${(value ?? '').replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(quoted).join(',')).join('\n');
}

/** GLEIF's list of registration authorities: a row for each jurisdiction of an authority. */
function authoritiesCsv(): string {
  const header = [
    'Registration Authority Code',
    'Country',
    'Country Code',
    'Jurisdiction (country or region)',
    'International name of Register',
    'Local name of Register',
    'International name of organisation responsible for the Register',
    'Local name of organisation responsible for the Register',
    'Website',
    'Comments',
  ];
  const names = [
    'internationalName',
    'localName',
    'internationalOrganizationName',
    'localOrganizationName',
    'website',
  ];
  const rows = recorded('registration-authorities').flatMap(({ id, attributes }) =>
    attributes.jurisdictions.map(({ country = null, countryCode = null, jurisdiction = null }) => [
      id,
      ...[country, countryCode, jurisdiction],
      ...names.map((name) => attributes[name] ?? null),
      null,
    ]),
  );
  return csv([header, ...rows]);
}

function rolesCsv(): string {
  const header = [
    'OOR Code',
    'ELF Code',
    'Country of formation',
    'Country Code (ISO 3166-1)',
    'Jurisdiction of formation',
    'Country sub-division code (ISO 3166-2)',
    'Official Organizational Role name Local name',
    'Language',
    'Language Code (ISO 639-1)',
    'Official Organizational Role name Transliterated name (per ISO 01-140-10)',
    'Date created YYYY-MM-DD (ISO 8601)',
    'OOR Status ACTV/INAC',
  ];
  const rows = recorded('official-organizational-roles').flatMap(({ id, attributes: of }) =>
    of.names.map(({ name = null, language = null, languageCode = null, transliteratedName = null }) =>
      [
        id,
        ...[of['elfCode'], of['country'], of['countryCode'], of['jurisdiction'], of['subdivisionCode']],
        ...[name, language, languageCode, transliteratedName, of['dateCreated'], of['status']],
      ].map((value) => value ?? null),
    ),
  );
  return csv([header, ...rows]);
}
