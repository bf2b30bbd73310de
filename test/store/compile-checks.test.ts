/** Tests that the compiled checks say what the schemas say. */
import { expect, test } from 'bun:test';
import { compiledChecks } from '../../src/store/compile-checks.ts';
import { readText } from '../support/source-tree.ts';

test.each(compiledChecks())('$path is made from its schema: `bun run compile-checks`', ({ path, text }) => {
  expect(readText(path)).toBe(text);
});
