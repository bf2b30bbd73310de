import { expect, test } from 'bun:test';
import { foldedForms } from '../../../src/lei/names/fold-forms.ts';
import { readText } from '../../support/source-tree.ts';

test('the folded spellings of legal forms are those of the tables: `bun run fold-forms` makes them', () => {
  expect(readText('src/lei/names/folded-forms.txt')).toBe(foldedForms());
});
