/** Selects what the tables of an export (CSV, Parquet) show of the rows' JSON. */
import type { TSchema } from '@sinclair/typebox';
import { type Column, columnsOf } from './columns.ts';

/**
 * Links lead to other answers of the API. The lists of a company's relationships reach megabytes for a large parent,
 * and each child's own row names its parents.
 */
const leftOut = new Set([
  'links',
  'relationships.lei',
  'relationships.name',
  'relationships.directChildren.items',
  'relationships.ultimateChildren.items',
  'relationships.others',
]);

export function tableColumns(schema: TSchema): readonly Column[] {
  return columnsOf(schema, leftOut);
}
