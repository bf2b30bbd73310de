/**
 * Entry point of a process that fetches one publication into a data folder, from the store whose address comes on standard
 * input. Exit status 0 once it is there and sound; otherwise 1, with the reason on standard error.
 */
import { reasonOf } from '../src/errors.ts';
import { layout } from '../src/publication/layout.ts';
import { fetchPublication } from '../src/shipping/fetch-publication.ts';
import { openStore } from '../src/shipping/open-store.ts';

const [dataDir = '', id = '', shipment = ''] = process.argv.slice(2);
try {
  const address = await Bun.stdin.text();
  await fetchPublication(openStore(address), layout(dataDir), id, shipment);
} catch (error) {
  process.stderr.write(reasonOf(error));
  process.exitCode = 1;
}
