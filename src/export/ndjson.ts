/** Writes newline-delimited JSON: each line is the `data` of a look-up. */
import { pieces } from './pieces.ts';
import type { Row } from './rows.ts';

export function* ndjson(rows: Iterable<Row>): Generator<Uint8Array> {
  yield* pieces(lines(rows));
}

const lineFeed = Buffer.from('\n');

function* lines(rows: Iterable<Row>): Generator<Uint8Array> {
  for (const row of rows) {
    yield row;
    yield lineFeed;
  }
}
