/**
 * Entry point of a process that fetches one publication into a data folder, from the store whose address it reads on
 * standard input. It reports on standard output how many bytes it fetched, or why it could not.
 */
import { ExpectedFailure, reasonOf } from '../src/errors.ts';
import { layout } from '../src/publication/layout.ts';
import { fetchPublication } from '../src/shipping/fetch-publication.ts';
import { openStore } from '../src/shipping/open-store.ts';

const [dataDir = '', id = '', shipment = ''] = process.argv.slice(2);

async function fetched() {
  try {
    const address = await Bun.stdin.text();
    const { fetchedBytes } = await fetchPublication(openStore(address), layout(dataDir), id, shipment);
    return { fetchedBytes };
  } catch (error) {
    process.exitCode = 1;
    const code = error instanceof ExpectedFailure ? error.code : 'refused-by-system';
    return { code, message: reasonOf(error) };
  }
}

process.stdout.write(JSON.stringify(await fetched()));
