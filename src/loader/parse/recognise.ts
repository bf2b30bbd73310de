/**
 * Recognises the kind of a file from its beginning: by content alone, because operators may name files as they like.
 */
import type { SourceKind } from '../../publication/manifest.ts';
import { noHeader, type SourceFormat, type SourceHeader } from '../rows.ts';
import { readCsv, readCsvKind, readCsvPieces } from './csv/read-csv.ts';
import { FileRefusal, type PieceReader, type PieceStart, type ReadPiece } from './file-reader.ts';
import { binaryFormatOf } from './input/binary-formats.ts';
import { readJson, readJsonBeginning, readJsonPieces } from './json/read-json.ts';
import type { RecordReport } from './record/report.ts';
import { readXml, readXmlBeginning, readXmlPieces } from './xml/read-xml.ts';

/** What the beginning of a file says. */
export interface RecognisedFile {
  readonly format: SourceFormat;
  readonly kind: SourceKind;
  /** From the file itself, regardless of its name. */
  readonly header: SourceHeader;
}

/** How much of a file is read: the longest header (level 1 CSV) has 21 KB. */
export const recognisedBytes = 256 * 1024;

/** The reader of a whole file in each format. */
export const readers: Readonly<Record<SourceFormat, (report: RecordReport) => PieceReader>> = {
  csv: readCsv,
  xml: readXml,
  json: readJson,
};

/** Reads pieces of a file. */
export function readPieces(start: PieceStart, report: RecordReport): ReadPiece {
  if (start.format === 'csv') return readCsvPieces(start.header, report);
  return start.format === 'xml' ? readXmlPieces(start.before, report) : readJsonPieces(start.list, report);
}

const lessThan = 0x3c;
const openBrace = 0x7b;
const openBracket = 0x5b;

/** @throws FileRefusal for content of no known kind */
export function recognise(beginning: Buffer): RecognisedFile {
  if (beginning.length === 0) throw new FileRefusal('is empty');
  refuseBinaryFormats(beginning);
  refuseWebPages(beginning);
  const first = firstSign(beginning);
  if (first === lessThan) {
    const { family, header } = readXmlBeginning(beginning);
    return { format: 'xml', kind: family.kind, header };
  }
  if (first === openBrace || first === openBracket) {
    return { format: 'json', kind: readJsonBeginning(beginning).kind, header: noHeader };
  }
  return { format: 'csv', kind: readCsvKind(beginning).kind, header: noHeader };
}

/** A server that has no such file often answers with a page, and a script saves it under the file's name. */
function refuseWebPages(beginning: Buffer): void {
  // A comment or an XML declaration may precede the root.
  const start = beginning.toString('latin1', 0, 4_096).replaceAll(/<!--.*?-->|<\?.*?\?>/gs, '');
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start)) return;
  throw new FileRefusal(
    'is a web page, perhaps an error page of the server that it came from; download the file again',
  );
}

/** The first byte that is neither white space nor part of a byte order mark. */
function firstSign(beginning: Buffer): number {
  const marked = beginning.length >= 3 && beginning.readUIntBE(0, 3) === 0xefbbbf;
  return beginning.subarray(marked ? 3 : 0).find((byte) => byte > 32) ?? 0;
}

/** Zip and gzip are decompressed once before this point. */
function refuseBinaryFormats(beginning: Buffer): void {
  const format = binaryFormatOf(beginning);
  if (format === null) return;
  if (format === 'UTF-16') {
    throw new FileRefusal('is encoded in UTF-16; all files that GLEIF publishes are UTF-8');
  }
  if (format === 'Excel') throw new FileRefusal('is an Excel workbook; GLEIF publishes CSV, XML and JSON');
  throw new FileRefusal(
    `contains data compressed with ${format}; unpack it first: a file may be compressed only once, with zip or gzip`,
  );
}
