/**
 * Entry point of a query thread that reads one data folder after the other. It differs from `workers/query.ts` only in
 * where it learns the folder: from a file that lent-threads.ts writes.
 */
import { readFileSync } from 'node:fs';
import { expectFreeing } from '../../src/protocol/json-bytes.ts';
import { layout } from '../../src/publication/layout.ts';
import { attend } from '../../src/query/attend.ts';
import { openPublication } from '../../src/store/open-publication.ts';
import type { Borrower } from './lent-threads.ts';

declare const self: Worker;

expectFreeing();
const [place = ''] = process.argv.slice(2);
attend(self, (id) => {
  const { dataDir, basePath }: Borrower = JSON.parse(readFileSync(place, 'utf8'));
  return openPublication(layout(dataDir), id, basePath);
});
