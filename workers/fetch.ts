/**
 * Entry point of a process that fetches one publication into a data folder, from the store whose address is the first
 * line of its standard input. It reports on standard output how many bytes it fetched, or why it could not. Once the
 * input ends, its service is gone and it ends too: a service that starts anew fetches into the same folder.
 */
import { ExpectedFailure, reasonOf } from '../src/errors.ts';
import { readOrder } from '../src/protocol/parent-input.ts';
import { layout } from '../src/publication/layout.ts';
import { fetchPublication } from '../src/shipping/fetch-publication.ts';
import { openStore } from '../src/shipping/open-store.ts';

const [dataDir = '', id = '', shipment = ''] = process.argv.slice(2);

async function fetched() {
  try {
    const address = await readOrder(process.stdin);
    const { fetchedBytes } = await fetchPublication(openStore(address), layout(dataDir), id, shipment);
    return { fetchedBytes };
  } catch (error) {
    process.exitCode = 1;
    const code = error instanceof ExpectedFailure ? error.code : 'refused-by-system';
    return { code, message: reasonOf(error) };
  }
}

await Bun.write(Bun.stdout, JSON.stringify(await fetched()));
// The open input would keep this process alive.
process.exit();
