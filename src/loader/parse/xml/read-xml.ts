/** Reads XML files of the common data formats: the header, then record by record. */
import { readDate, utcDate } from '../../../lei/dates.ts';
import { noHeader, type SourceHeader } from '../../rows.ts';
import { FileRefusal, type PieceReader, type PieceStart, type ReadPiece } from '../file-reader.ts';
import type { RecordReport } from '../record/report.ts';
import { type RecordFamily, textOf } from '../tree/tree.ts';
import { XmlSplitter } from './xml-splitter.ts';

/** Reads every record of a file into the report. */
export function readXml(report: RecordReport): PieceReader {
  const records = createRecords(report);
  const { splitter } = records;
  let isFirst = true;
  return Object.assign(splitter, {
    startAfter(piece: Uint8Array): PieceStart | null {
      const before = isFirst && records.family !== null ? beforeRecords(piece, records.family) : null;
      isFirst = false;
      splitter.isWhole = before !== null && endsBetweenRecords(piece) && endsBetweenRecords(before);
      return before !== null && splitter.isWhole ? { format: 'xml', before } : null;
    },
  });
}

/** Records count from 1 in each piece. @param before all that comes before the first record */
export function readXmlPieces(before: Uint8Array, report: RecordReport): ReadPiece {
  return (piece) => {
    const { splitter } = createRecords(report);
    splitter.push(before);
    splitter.push(piece);
    return splitter.endsBetweenRecords() ? splitter.places : null;
  };
}

function createRecords(report: RecordReport) {
  const records = {
    family: null as RecordFamily | null,
    splitter: new XmlSplitter({
      family: (family) => {
        records.family = family;
      },
      record: (node) => {
        report.moveTo(records.splitter.places);
        records.family?.read(node, report);
      },
    }),
  };
  return records;
}

/** The beginning of a file up to the apparent start of its first record; null if it has none. */
function beforeRecords(beginning: Uint8Array, { record }: RecordFamily): Uint8Array | null {
  const text = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.length).toString('latin1');
  const at = text.search(new RegExp(`<([^<>\\s/:]+:)?${record}[\\s>]`));
  return at === -1 ? null : beginning.slice(0, at);
}

function endsBetweenRecords(beginning: Uint8Array): boolean {
  const splitter = new XmlSplitter({});
  try {
    splitter.push(beginning);
    return splitter.endsBetweenRecords();
  } catch (error) {
    if (error instanceof FileRefusal) return false;
    throw error;
  }
}

/**
 * What the beginning of a file says.
 * @throws FileRefusal for a root of no known kind, or a beginning that is not XML
 */
export function readXmlBeginning(beginning: Uint8Array): { family: RecordFamily; header: SourceHeader } {
  let family: RecordFamily | undefined;
  let header = noHeader;
  new XmlSplitter({
    family: (found) => {
      family = found;
    },
    header: (found) => {
      header = headerOf(found);
    },
  }).push(beginning);
  if (family === undefined) throw new FileRefusal('contains no XML element');
  return { family, header };
}

function headerOf(tree: unknown): SourceHeader {
  const count = textOf(tree, 'RecordCount');
  return {
    contentDate: headerDate(textOf(tree, 'ContentDate')),
    fileContent: textOf(tree, 'FileContent'),
    deltaStart: headerDate(textOf(tree, 'DeltaStart')),
    recordCount: count !== null && /^\d{1,12}$/.test(count) ? Number(count) : null,
  };
}

/** A date that can't be understood counts as missing: nothing may be published under it. */
function headerDate(text: string | null): string | null {
  return text === null ? null : utcDate(readDate(text).value);
}
