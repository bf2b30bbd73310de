/** Tests that the glossary explains every member that an answer may have, in the words of the description. */
import { expect, test } from 'bun:test';
import { readText } from '../support/source-tree.ts';
import { describedSchemas, glossaryNow } from './field-tables.ts';

const page = readText('docs/glossary.md');

test('the field tables equal the description (bun test/docs/field-tables.ts writes them)', () => {
  expect(page).toBe(glossaryNow(page));
});

/** Names of all properties below a value. */
function propertyNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(propertyNames);
  if (typeof value !== 'object' || value === null) return [];
  const own =
    'properties' in value && typeof value.properties === 'object' ? Object.keys(value.properties ?? {}) : [];
  return [...own, ...Object.values(value).flatMap(propertyNames)];
}

test('every property of the description has an entry, every entry has a property, and none is empty', () => {
  const entries = Array.from(page.matchAll(/^\| `([\w.]+)` \| (.+?) \| (.*) \|$/gm));
  const named = new Set(entries.map(([, path = '']) => path.split('.').at(-1)));
  const properties = new Set(Object.values(describedSchemas()).flatMap(propertyNames));
  expect([...named].toSorted()).toEqual([...properties].toSorted());
  expect(entries.filter(([, , , means = '']) => means.trim() === '')).toEqual([]);
});

test('explains the terms of the field', () => {
  for (const word of ['golden copy', 'level 1', 'level 2', 'delta', 'publication', 'gate', 'snapshot']) {
    expect(page).toContain(`| ${word}`);
  }
});
