/** Opens a search index, asks it, and prints the cost for this process: time to open, and private memory. */
import { openReadOnly } from '../../../src/lmdb.ts';
import { openSearchReader } from '../../../src/store/search/open-search.ts';
import { privateBytes } from './contenders.ts';

const path = process.argv[2] ?? '';
Bun.gc(true);
const before = privateBytes();
const start = performance.now();
const reader = openSearchReader(openReadOnly(path), String);
const ms = performance.now() - start;
const opened = privateBytes() - before;
for (let i = 0; i < 100; i++) {
  const q =
    ['fund holdings', 'globel equty', 'deutschebank', 'société générale', 'international hold'][i % 5] ?? '';
  reader.search({ q, country: null, status: null, after: null, limit: 20 });
}
Bun.gc(true);
console.log(JSON.stringify({ ms, privateBytes: opened, privateBytesInUse: privateBytes() - before }));
