/** Reads JSON files of the golden copy, record by record. */
import { isAscii, isUtf8 } from 'node:buffer';
import { reasonOf } from '../../../errors.ts';
import type { PieceReader, ReadPiece } from '../chunk-reader.ts';
import { limits } from '../limits.ts';
import type { RecordReport } from '../record/report.ts';
import { Refusal } from '../refusal.ts';
import { type Family, families } from '../tree/families.ts';
import { child } from '../tree/tree.ts';
import { JsonSplitter } from './json-splitter.ts';

/** Reads every record of a file into the report. */
export function readJson(report: RecordReport): PieceReader {
  let family: Family | undefined;
  const splitter = new JsonSplitter({
    list: (name) => {
      family = familyOf(name);
      return family !== undefined;
    },
    record: (bytes, start, end) => {
      report.moveTo(splitter.records);
      readRecord(family, parsed(bytes, start, end, report), report);
    },
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end: () => splitter.end(),
    startAfter: () =>
      splitter.isWhole && family !== undefined ? { format: 'json', list: family.jsonList } : null,
    get isWhole() {
      return splitter.isWhole;
    },
    get places() {
      return splitter.records;
    },
    skip: (records) => splitter.skip(records),
  };
}

function readRecord(family: Family | undefined, node: unknown, report: RecordReport): void {
  if (node === undefined || family === undefined) return;
  // Relationship records are nested one level deeper than the others: {"RelationshipRecord":{…}}.
  family.read(child(node, family.record) ?? node, report);
}

/** Records count from 1 in each piece. */
export function readJsonPieces(list: string, report: RecordReport): ReadPiece {
  const family = familyOf(list);
  const splitter = new JsonSplitter({
    list: () => false,
    record: (bytes, start, end) => {
      report.moveTo(splitter.records);
      readRecord(family, parsed(bytes, start, end, report), report);
    },
  });
  return (piece) => {
    splitter.restart();
    splitter.push(piece);
    return splitter.isWhole ? splitter.records : null;
  };
}

/**
 * What the beginning of a file says.
 * @throws Refusal if no list of records starts in it
 */
export function readJsonBeginning(beginning: Uint8Array): Family {
  let family: Family | undefined;
  new JsonSplitter({
    list: (name) => {
      family ??= familyOf(name);
      return familyOf(name) !== undefined;
    },
    record: () => {},
  }).push(beginning);
  if (family !== undefined) return family;
  const names = families.map(({ jsonList }) => jsonList).join(', ');
  throw new Refusal(`is JSON without any of the lists that GLEIF publishes: ${names}`);
}

function familyOf(list: string): Family | undefined {
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
    if (error instanceof Refusal) throw error;
    report.reject(null, `is not valid JSON: ${reasonOf(error)}`);
    return undefined;
  }
}

function decoded(bytes: Buffer, start: number, end: number, report: RecordReport): string {
  const record = bytes.subarray(start, end);
  // Most records are ASCII, which decodes several times as fast.
  if (isAscii(record)) return bytes.toString('latin1', start, end);
  if (isUtf8(record)) return bytes.toString('utf8', start, end);
  throw new Refusal(
    `record ${report.place.number} is not valid UTF-8, the encoding of all files that GLEIF publishes`,
  );
}

function refuseLongText(node: unknown, report: RecordReport): void {
  if (typeof node === 'string' && node.length > limits.sourceFieldBytesMax) {
    throw new Refusal(
      `a value in record ${report.place.number} has ${node.length} characters, but at most ` +
        `${limits.sourceFieldBytesMax} are allowed (limit sourceFieldBytesMax)`,
    );
  }
  if (typeof node !== 'object' || node === null) return;
  for (const member of Object.values(node)) refuseLongText(member, report);
}
