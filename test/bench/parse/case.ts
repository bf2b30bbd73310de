/** Runs one case of the parse bench in a process of its own: `case.ts NAME FILE` prints a {@link CaseResult}. */
import { readFileSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { CsvRows } from '../../../src/loader/parse/csv/rows.ts';
import { fileChunks } from '../../../src/loader/parse/input/file.ts';
import { JsonSplitter } from '../../../src/loader/parse/json/json-splitter.ts';
import { openSource } from '../../../src/loader/process/open-source.ts';

export interface CaseResult {
  /** User and system time, including decompression and hashing on other threads. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

const cases = {
  /** The complete reading of a file in a load, up to its rows. */
  load: async (path: string) => {
    const source = await openSource(path);
    await source.read({ row: () => {}, reject: () => {}, remark: () => {} }, () => {});
  },
  'csv-fields': async (path: string) => {
    const rows = new CsvRows(1024, () => {});
    for await (const chunk of fileChunks(path)) rows.push(chunk);
    rows.end();
  },
  'json-parse': async (path: string) => {
    const splitter = new JsonSplitter({
      list: () => true,
      record: (bytes, start, end) => JSON.parse(bytes.toString('utf8', start, end)),
    });
    for await (const chunk of fileChunks(path)) splitter.push(chunk);
    splitter.end();
  },
  saxes: async (path: string) => {
    const parser = new SaxesParser({ xmlns: true, position: false });
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const chunk of fileChunks(path)) parser.write(decoder.decode(chunk, { stream: true }));
    parser.close();
  },
} as const;
export type CaseName = keyof typeof cases;

/** From /proc: the maximum of getrusage includes the size of the parent process. */
function peakBytes(): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

if (import.meta.main) {
  const [name = '', path = ''] = process.argv.slice(2);
  const found = Object.entries(cases).find(([key]) => key === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  const before = process.cpuUsage();
  await found[1](path);
  const { user, system } = process.cpuUsage(before);
  const result: CaseResult = {
    cpuSeconds: (user + system) / 1e6,
    peakBytes: peakBytes(),
  };
  console.log(JSON.stringify(result));
}
