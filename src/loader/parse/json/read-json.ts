/** Reads JSON files of the golden copy, record by record. */
import { isAscii, isUtf8 } from 'node:buffer';
import { reasonOf } from '../../../errors.ts';
import { FileRefusal, limits, type PieceReader, type PieceStart, type ReadPiece } from '../file-reader.ts';
import type { RecordReport } from '../record/report.ts';
import { child, families, type RecordFamily } from '../tree/tree.ts';
import { JsonSplitter } from './json-splitter.ts';

/** Reads every record of a file into the report. */
export function readJson(report: RecordReport): PieceReader {
  const records = createRecords(report, null);
  const { splitter } = records;
  return Object.assign(splitter, {
    startAfter: (): PieceStart | null =>
      splitter.isWhole && records.family !== undefined
        ? { format: 'json', list: records.family.jsonList }
        : null,
  });
}

/** Records count from 1 in each piece. */
export function readJsonPieces(list: string, report: RecordReport): ReadPiece {
  const { splitter } = createRecords(report, list);
  return (piece) => {
    splitter.restart();
    splitter.push(piece);
    return splitter.isWhole ? splitter.places : null;
  };
}

/** @param only the list that pieces are from; null for a whole file, which names its lists */
function createRecords(report: RecordReport, only: string | null) {
  const records: { family: RecordFamily | undefined; readonly splitter: JsonSplitter } = {
    family: only === null ? undefined : familyOf(only),
    splitter: new JsonSplitter({
      list: (name) => {
        if (only !== null) return false;
        records.family = familyOf(name);
        return records.family !== undefined;
      },
      record: (bytes, start, end) => {
        report.moveTo(records.splitter.places);
        readRecord(records.family, parsed(bytes, start, end, report), report);
      },
    }),
  };
  return records;
}

function readRecord(family: RecordFamily | undefined, node: unknown, report: RecordReport): void {
  if (node === undefined || family === undefined) return;
  // Relationship records are nested one level deeper than the others: {"RelationshipRecord":{…}}.
  family.read(child(node, family.record) ?? node, report);
}

/**
 * What the beginning of a file says.
 * @throws FileRefusal if no list of records starts in it
 */
export function readJsonBeginning(beginning: Uint8Array): RecordFamily {
  let family: RecordFamily | undefined;
  new JsonSplitter({
    list: (name) => {
      family ??= familyOf(name);
      return familyOf(name) !== undefined;
    },
  }).push(beginning);
  if (family !== undefined) return family;
  const names = families.map(({ jsonList }) => jsonList).join(', ');
  throw new FileRefusal(`is JSON without any of the lists that GLEIF publishes: ${names}`);
}

function familyOf(list: string): RecordFamily | undefined {
  return families.find(({ jsonList }) => jsonList === list);
}

function parsed(bytes: Buffer, start: number, end: number, report: RecordReport): unknown {
  const text = decoded(bytes, start, end, report);
  try {
    const node: unknown = JSON.parse(text);
    // A short record has no long text.
    if (text.length > limits.sourceFieldBytesMax) refuseLongText(node, report);
    return node;
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    report.reject(null, `is not valid JSON: ${reasonOf(error)}`);
    return undefined;
  }
}

function decoded(bytes: Buffer, start: number, end: number, report: RecordReport): string {
  const record = bytes.subarray(start, end);
  // Most records are ASCII, which decodes several times as fast.
  if (isAscii(record)) return bytes.toString('latin1', start, end);
  if (isUtf8(record)) return bytes.toString('utf8', start, end);
  throw new FileRefusal(
    `record ${report.place.number} is not valid UTF-8, the encoding of all files that GLEIF publishes`,
  );
}

function refuseLongText(node: unknown, report: RecordReport): void {
  if (typeof node === 'string' && node.length > limits.sourceFieldBytesMax) {
    throw new FileRefusal(
      `a value in record ${report.place.number} has ${node.length} characters, but at most ` +
        `${limits.sourceFieldBytesMax} are allowed (limit sourceFieldBytesMax)`,
    );
  }
  if (typeof node !== 'object' || node === null) return;
  for (const member of Object.values(node)) refuseLongText(member, report);
}
