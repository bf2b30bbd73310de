/** Opens the tables of a search index for reading: those of its environment and those of its row file. */
import { DamagedFile, ExpectedFailure, isMissing } from '../../errors.ts';
import type { Environment, ReadingPattern } from '../../lmdb.ts';
import { otherFormat } from '../other-format.ts';
import { RowFile } from '../row-file/rows.ts';
import {
  type IndexShape,
  indexFormatVersion,
  openStoredTables,
  rowFileOf,
  rowFileTables,
  type SearchTables,
  storedShape,
} from './format.ts';

/** An index that is open for reading. */
export interface OpenIndex {
  readonly tables: SearchTables;
  readonly shape: IndexShape;
  /** Unmaps the row file; the environment is left to its owner. */
  close(): void;
}

/**
 * @throws an Error if the environment has no search index, ExpectedFailure if it has one of another format, and DamagedFile if the
 * row file is not that of the index
 */
export function openIndex(environment: Environment, pattern: ReadingPattern): OpenIndex {
  const stored = openStoredTables(environment);
  const shape = storedShape(stored);
  if (shape.version !== indexFormatVersion)
    throw otherFormat('index-format', 'The search index', shape.version, indexFormatVersion);
  const path = rowFileOf(environment);
  const file = new RowFile(path, rowFileTables, pattern);
  if (file.check === shape.rowFile)
    return { tables: { ...stored, ...file.tables }, shape, close: () => file.close() };
  file.close();
  throw new DamagedFile(path, 'it belongs to another search index');
}

/**
 * Checks that there is a row file and that its header is sound. @throws ExpectedFailure if an earlier version made the publication,
 * and DamagedFile
 */
export function checkRowFile(path: string): void {
  try {
    new RowFile(path, rowFileTables, 'scattered').close();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ExpectedFailure(
      'index-format',
      `${path} is missing, because an earlier version of this program did not write it. Load the data again.`,
    );
  }
}
