import { expect, test } from 'bun:test';
import { exceptions, level1, relationships } from '../../../src/loader/parse/csv/kinds.ts';
import { csv, fixtureText, fullRow, lei, onlyRow, otherLei, readBytes } from './reading.ts';

/** All texts in a record, however deep. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

/** The columns of a full row whose value the record does not show. */
async function columnsWithoutPlace(columns: readonly string[], fixed: Record<string, string>) {
  const row = fullRow(columns, fixed);
  const shown = new Set(texts(onlyRow(await readBytes(csv(columns, row)))));
  return columns.filter((column) => !shown.has(row[column] ?? ''));
}

test('the columns of level 1 are those of the published file, name by name', async () => {
  const text = await fixtureText('20240505-0000-gleif-goldencopy-lei2-intra-day.csv.zip');
  const header = text.slice(0, text.indexOf('\n')).replaceAll('"', '').split(',');
  expect(level1.columnList.names.toSorted()).toEqual(header.toSorted());
  expect(level1.columnList.names).toHaveLength(338);
});

test('the columns of a relationship record are those of the published file, name by name', async () => {
  const text = await fixtureText('20260123-0800-gleif-goldencopy-rr-golden-copy.csv');
  const header = text.slice(0, text.indexOf('\r\n')).split(',');
  expect(relationships.columnList.names.toSorted()).toEqual(header.toSorted());
  expect(relationships.columnList.names).toHaveLength(54);
});

test('reporting exceptions have 12 columns', () => {
  expect(exceptions.columnList.names).toEqual([
    'LEI',
    'Exception.Category',
    ...[1, 2, 3, 4, 5].map((number) => `Exception.Reason.${number}`),
    ...[1, 2, 3, 4, 5].map((number) => `Exception.Reference.${number}`),
  ]);
});

test('a file of LEI-CDF 2.1 keeps every value, its one successor too', async () => {
  const later = /EntitySubCategory|EntityCreationDate|LegalEntityEvents|SuccessorEntity|ConformityFlag/;
  const successor = ['SuccessorLEI', 'SuccessorEntityName', 'SuccessorEntityName.xmllang'];
  const columns = [
    ...level1.columnList.names.filter((name) => !later.test(name)),
    ...successor.map((name) => `Entity.SuccessorEntity.${name}`),
  ];
  const known = { LEI: lei, 'Entity.SuccessorEntity.SuccessorLEI': '529900F6BNUR3RJ2WH29' };
  expect(await columnsWithoutPlace(columns, known)).toEqual([
    'Entity.AssociatedEntity.AssociatedEntityName.xmllang',
  ]);
  const { remarks } = await readBytes(csv(columns, fullRow(columns, known)));
  expect(remarks.filter(({ reason }) => reason.includes('not a known column'))).toEqual([]);
});

test('every column of level 1 has a place in the record, except the language of an associated entity', async () => {
  expect(await columnsWithoutPlace(level1.columnList.names, { LEI: lei })).toEqual([
    'Entity.AssociatedEntity.AssociatedEntityName.xmllang',
  ]);
});

test('every column of a relationship record has a place in the record, except the kind of its identifiers', async () => {
  const ends = { 'Relationship.StartNode.NodeID': lei, 'Relationship.EndNode.NodeID': otherLei };
  expect(await columnsWithoutPlace(relationships.columnList.names, ends)).toEqual([
    'Relationship.StartNode.NodeIDType',
    'Relationship.EndNode.NodeIDType',
  ]);
});

test('every column of a reporting exception has a place in the record', async () => {
  const key = { LEI: lei, 'Exception.Category': 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT' };
  expect(await columnsWithoutPlace(exceptions.columnList.names, key)).toEqual([]);
});

test('columns are read by name in any order', async () => {
  const row = fullRow(level1.columnList.names, { LEI: lei });
  const straight = await readBytes(csv(level1.columnList.names, row));
  const reversed = await readBytes(csv([...level1.columnList.names].reverse(), row));
  expect(reversed.rows).toEqual(straight.rows);
});

test('an unknown column and a missing known one each cause a remark about the header', async () => {
  const columns = level1.columnList.names
    .filter((column) => column !== 'Entity.EntityCategory')
    .concat('Entity.Mood', 'Entity.Hue');
  const { remarks, rows } = await readBytes(csv(columns, fullRow(columns, { LEI: lei })));
  const place = { unit: 'line', number: 1 } as const;
  expect(rows).toHaveLength(1);
  expect(remarks.slice(0, 3)).toEqual([
    { place, column: 'Entity.Mood', reason: 'is not a known column; its values are not used' },
    { place, column: 'Entity.Hue', reason: 'is not a known column; its values are not used' },
    {
      place,
      column: null,
      reason: 'lacks 1 of 338 columns, whose values are missing: Entity.EntityCategory',
    },
  ]);
});
