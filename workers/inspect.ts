/**
 * Entry point of a short process that opens a publication and reads samples of it. A damaged environment can end the
 * process that reads it, so the service lets this one read first. The exit status is 0 for a sound publication;
 * otherwise it is 1, with the reason on standard error.
 */
import { reasonOf } from '../src/errors.ts';
import { layout } from '../src/publication/layout.ts';
import { openInspected } from '../src/query/held-publications.ts';
import { openPublication } from '../src/store/open-publication.ts';

const [dataDir = '', id = ''] = process.argv.slice(2);
try {
  const publication = await openInspected((each) => openPublication(layout(dataDir), each), id);
  await publication.close();
} catch (error) {
  process.stderr.write(reasonOf(error));
  process.exitCode = 1;
}
