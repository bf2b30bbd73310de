/** Reads the 338 columns of the level 1 golden copy CSV (LEI-CDF 3.1) as legal entity records. */
import { level1Fields } from '../../../lei/level-1-fields.ts';
import { level1Reader } from '../record/level-1.ts';
import { ColumnList } from './columns.ts';
import { csvFormat } from './format.ts';

export const columnList = new ColumnList();

/** Reads one row; what makes it unusable or odd goes to the report. */
export const readLevel1 = level1Reader(csvFormat(columnList));

export const keys = [columnList.names.indexOf(level1Fields.lei.at)];
