/** Reads trees of level 1 records (LEI-CDF 3.1 and 2.1) as legal entity records. */
import { level1Reader } from '../record/level-1.ts';
import { treeFormat } from './format.ts';

/** Reads one record; what makes it unusable or odd goes to the report, by the column names of the CSV form. */
export const readLevel1 = level1Reader(treeFormat);
