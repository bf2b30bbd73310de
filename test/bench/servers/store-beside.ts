/**
 * Writes the generated data for the compared databases: tables of companies, relationships and ISINs in SQLite (with
 * FTS5 over the names) or PostgreSQL (with pg_trgm). The product's own parsers read the files, so both sides have the
 * same data. A company is stored as the JSON text of its answer.
 */
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { openSource } from '../../../src/loader/process/open-source.ts';
import type { SourceRow } from '../../../src/loader/rows.ts';
import { filesIn } from '../harness/data.ts';

export interface BesideFiles {
  readonly companies: string;
  readonly relationships: string;
  readonly isins: string;
}

export function besideFiles(folder: string): BesideFiles {
  return {
    companies: join(folder, 'companies.tsv'),
    relationships: join(folder, 'relationships.tsv'),
    isins: join(folder, 'isins.tsv'),
  };
}

/**
 * Writes tab-separated files. JSON texts and names have no raw tabs or line feeds and need no quotes. PostgreSQL needs
 * doubled backslashes, which `escaped` writes.
 */
export async function writeBesideFiles(
  source: string,
  folder: string,
  escaped: (text: string) => string,
): Promise<void> {
  const paths = besideFiles(folder);
  const outputs = {
    companies: createWriteStream(paths.companies),
    relationships: createWriteStream(paths.relationships),
    isins: createWriteStream(paths.isins),
  };
  for (const path of filesIn(source)) {
    const file = await openSource(path);
    if (file.kind !== 'level-1' && file.kind !== 'relationships' && file.kind !== 'isin') continue;
    const writer = new LineWriter();
    const refuse = () => undefined;
    const sink = {
      row: (row: SourceRow) => writeRow(row, outputs, writer, escaped),
      reject: refuse,
      remark: refuse,
    };
    await file.read(sink, () => undefined);
    writer.flush();
  }
  await Promise.all(Object.values(outputs).map(ended));
}

/** Joins lines into large writes. The stream buffers whatever the disk can't take yet. */
class LineWriter {
  private text = '';
  private output: WriteStream | null = null;

  write(output: WriteStream, line: string): void {
    this.output = output;
    this.text += line;
    if (this.text.length > 1 << 20) this.flush();
  }

  flush(): void {
    this.output?.write(this.text);
    this.text = '';
  }
}

function writeRow(
  row: SourceRow,
  outputs: { companies: WriteStream; relationships: WriteStream; isins: WriteStream },
  writer: LineWriter,
  escaped: (text: string) => string,
): void {
  if (row.kind === 'level-1') {
    const { lei, entity, registration } = row.record;
    const fields = [
      lei,
      escaped(entity.legalName.name ?? ''),
      entity.legalAddress.country ?? '',
      registration.status ?? '',
      escaped(JSON.stringify(row.record)),
    ];
    writer.write(outputs.companies, `${fields.join('\t')}\n`);
  } else if (row.kind === 'relationships') {
    const { start, end, relationship } = row.record;
    const fields = [
      start,
      end,
      relationship.type,
      relationship.status,
      escaped(JSON.stringify(relationship)),
    ];
    writer.write(outputs.relationships, `${fields.join('\t')}\n`);
  } else if (row.kind === 'isin') {
    writer.write(outputs.isins, `${row.value}\t${row.lei}\n`);
  }
}

function ended(output: WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    output.on('error', reject);
    output.end(resolve);
  });
}

/** Tables and indexes in SQL for both databases. */
export const besideTables = `
CREATE TABLE companies (lei TEXT PRIMARY KEY, name TEXT, country TEXT, status TEXT, json TEXT);
CREATE TABLE relationships (start_lei TEXT, end_lei TEXT, type TEXT, status TEXT, json TEXT);
CREATE TABLE isins (isin TEXT, lei TEXT);
`;
export const besideIndexes = `
CREATE INDEX relationships_start ON relationships(start_lei);
CREATE INDEX relationships_end ON relationships(end_lei);
CREATE INDEX isins_isin ON isins(isin);
`;
