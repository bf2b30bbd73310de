/** Reads XML files of the common data formats: the header, then record by record. */
import type { SourceHeader } from '../../rows.ts';
import type { ChunkReader } from '../chunk-reader.ts';
import { readDate, utcDate } from '../dates.ts';
import { noHeader } from '../recognised.ts';
import type { RecordReport } from '../record/report.ts';
import { Refusal } from '../refusal.ts';
import type { Family } from '../tree/families.ts';
import { textOf } from '../tree/tree.ts';
import { XmlSplitter } from './xml-splitter.ts';

/** Reads every record of a file into the report. */
export function readXml(report: RecordReport): ChunkReader {
  let read: Family['read'] = () => {};
  let number = 0;
  return new XmlSplitter({
    family: (family) => {
      read = family.read;
    },
    header: () => {},
    record: (node) => {
      report.moveTo(++number);
      read(node, report);
    },
  });
}

/**
 * What the beginning of a file says.
 * @throws Refusal for a root of no known kind, or a beginning that is not XML
 */
export function readXmlBeginning(beginning: Uint8Array): { family: Family; header: SourceHeader } {
  let family: Family | undefined;
  let header = noHeader;
  new XmlSplitter({
    family: (found) => {
      family = found;
    },
    header: (found) => {
      header = headerOf(found);
    },
    record: () => {},
  }).push(beginning);
  if (family === undefined) throw new Refusal('contains no XML element');
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
