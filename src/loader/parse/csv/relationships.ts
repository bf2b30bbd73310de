/** Reads the 54 columns of the relationship record CSV (RR-CDF 2.1) as relationship records. */
import { relationshipKey } from '../record/keys.ts';
import { relationshipReader } from '../record/relationships.ts';
import { ColumnList } from './columns.ts';
import { csvFormat } from './format.ts';

export const columnList = new ColumnList();

/** Reads one row; what makes it unusable or odd goes to the report. */
export const readRelationship = relationshipReader(csvFormat(columnList), () => null);

export const keys = Object.values(relationshipKey).map((name) => columnList.names.indexOf(name));
